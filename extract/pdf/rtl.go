package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// glyph is a character where it stands along its line.
type glyph struct {
	r        rune
	at, y    float64 // where it is drawn from
	from, to float64 // what room it takes
	right    bool    // it is read from the right
	sign     bool    // it is a vowel sign with a place of its own
}

// lettersOf counts the letters of scripts that are written from the right, and the others.
func lettersOf(chars []rune) (right, left int) {
	for _, r := range chars {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.R, bidi.AL:
			right++
		case bidi.L:
			left++
		}
	}
	return right, left
}

// addFromRight adds lines that are read from the right. PDFium mixes up the numbers, brackets
// and addresses in them, and lines with each other, so the characters are sorted as they stand
// on the page.
func (s *sheet) addFromRight(lines []line, start, end int) []line {
	for start < end-1 && s.chars[start] <= ' ' {
		start++
	}
	turn := s.lineTurn(start, start)
	size := math.Float64frombits(s.call("FPDFText_GetFontSize", s.text, uint64(start)))
	glyphs, width := s.glyphs(start, end, turn)
	slices.SortStableFunc(glyphs, func(a, b glyph) int { return cmp.Compare(b.y, a.y) })
	for n := 0; len(glyphs) > 0; glyphs = glyphs[n:] {
		for n = 1; n < len(glyphs) && glyphs[n-1].y-glyphs[n].y < width*0.8; {
			n++
		}
		if words := wordsFromRight(logical(spaced(glyphs[:n:n], width*0.35))); len(words) > 0 {
			lines = append(lines, line{words: words, turn: turn, y: glyphs[n/2].y, size: size})
		}
	}
	return lines
}

// glyphs returns the characters from start to end, in PDFium's order, and their mean width.
func (s *sheet) glyphs(start, end int, turn float64) (all []glyph, width float64) {
	for i := start; i < end; i++ {
		text, space := appendRune(nil, s.chars[i])
		of := uint64(i)
		isMade := s.number("FPDFText_IsGenerated", s.text, of) == 1 || s.call("FPDFText_GetTextObject", s.text, of) == 0
		if len(text) == 0 && !space || isMade {
			continue // PDFium's own spaces have no place
		}
		at := s.origin(i).along(turn)
		g := glyph{r: []rune(string(text) + " ")[0], at: at.x, y: at.y}
		g.from, g.to = s.advance(i, turn)
		isSame := len(all) > 0 && all[len(all)-1].at == g.at
		switch {
		case isSame && all[len(all)-1].r == 'ل':
			g.at = math.Nextafter(g.at, math.Inf(-1)) // of a ligature whose letters PDFium has put in order
		case unicode.Is(unicode.Mn, g.r) && !isSame && (i+1 == end || s.origin(i+1).along(turn).x != g.at):
			g.at, g.sign = (g.from+g.to)/2, true
		}
		all, width = append(all, g), width+g.to-g.from
	}
	return all, width / float64(max(1, len(all)))
}

// spaced sorts the characters of a line from the left to the right, and adds spaces where
// they stand apart.
func spaced(glyphs []glyph, apart float64) []glyph {
	slices.SortStableFunc(glyphs, func(a, b glyph) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(glyphs); i++ {
		if glyphs[i].sign && glyphs[i].at < glyphs[i-1].to { // the letter that it stands at
			glyphs[i-1], glyphs[i] = glyphs[i], glyphs[i-1]
		}
	}
	all, reach, sign := make([]glyph, 0, len(glyphs)), math.Inf(-1), math.NaN()
	for i, g := range glyphs {
		if i > 0 && !g.sign && g.at-reach > apart && glyphs[i-1].at != sign { // a letter that its sign stands for has no width
			all = append(all, glyph{r: ' '})
		}
		if unicode.Is(unicode.Mn, g.r) {
			sign = g.at
		}
		all, reach = append(all, g), max(reach, g.to)
	}
	return all
}

// logical puts characters that were sorted from the left to the right into the order in which
// they are read. They were drawn in the order of Unicode's bidirectional algorithm (UAX 9),
// which also undoes it.
func logical(glyphs []glyph) (read []glyph) {
	text := make([]rune, len(glyphs))
	for i, g := range glyphs {
		text[i] = g.r
	}
	var p bidi.Paragraph
	_, err := p.SetString(string(text), bidi.DefaultDirection(bidi.RightToLeft))
	order, orderErr := p.Order()
	if err != nil || orderErr != nil {
		return glyphs
	}
	for i := order.NumRuns() - 1; i >= 0; i-- {
		run := order.Run(i)
		first, last := run.Pos()
		part := glyphs[first : last+1]
		if run.Direction() == bidi.RightToLeft {
			slices.Reverse(part)
			for j := range part {
				part[j].right = true
			}
		}
		read = append(read, part...)
	}
	return read
}

// advance returns from where to where a character takes room along its line.
func (s *sheet) advance(i int, turn float64) (from, to float64) {
	if s.number("FPDFText_GetLooseCharBox", s.text, uint64(i), s.room) == 0 {
		return math.NaN(), math.NaN()
	}
	var box [4]float64 // left, top, right, bottom
	for j := range box {
		side, _ := s.m.Memory().ReadFloat32Le(uint32(s.room) + uint32(4*j))
		box[j] = float64(side)
	}
	a, b := point{box[0], box[3]}.along(turn).x, point{box[2], box[1]}.along(turn).x
	return min(a, b), max(a, b)
}

// wordsFromRight makes words of glyphs in the order in which they are read. Fonts draw
// brackets as they look, and which one it is tells the space beside it.
func wordsFromRight(read []glyph) (words []word) {
	const brackets = "()[]{}<>"
	open := false
	for i, g := range read {
		if g.r == ' ' {
			open = false
			continue
		}
		if at := strings.IndexRune(brackets, g.r); at >= 0 && g.right {
			opens := i == 0 || read[i-1].r == ' '
			closes := i == len(read)-1 || isNoLetter(read[i+1].r)
			if opens != closes {
				at = at &^ 1
				if closes {
					at++
				}
				g.r = rune(brackets[at])
			}
		}
		if !open {
			words = append(words, word{from: math.Inf(1), to: math.Inf(-1)})
			open = true
		}
		w := &words[len(words)-1]
		w.text += string(g.r)
		w.from, w.to = min(w.from, -g.to), max(w.to, -g.from)
	}
	return words
}
