package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// glyph is a drawn character. Its positions are measured along the line.
type glyph struct {
	text     []rune  // the letter with its vowel signs, or all letters of a ligature; never empty
	at, y    float64 // the point where the character is drawn
	from, to float64 // the range along the line that the character covers
	right    bool    // the character is read from right to left
}

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

// addFromRight adds the characters from start to end as lines that are read from right to left. PDFium mixes
// up numbers and brackets in such lines. So the characters are sorted by their positions on the page.
func (s *sheet) addFromRight(lines []line, start, end int) []line {
	for start < end-1 && s.chars[start] <= ' ' {
		start++
	}
	turn := s.lineTurn(start)
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

// glyphs returns the characters from start to end as glyphs, in PDFium's order. width is their mean width.
func (s *sheet) glyphs(start, end int, turn float64) (all []glyph, width float64) {
	for i := start; i < end; i++ {
		text, space := appendRune(nil, s.chars[i])
		if space {
			text = append(text, ' ')
		}
		of := uint64(i)
		isMade := s.number("FPDFText_IsGenerated", s.text, of) == 1 || s.call("FPDFText_GetTextObject", s.text, of) == 0
		if len(text) == 0 || isMade {
			continue // a space that PDFium added has no position
		}
		at := s.origin(i).along(turn)
		g := glyph{text: []rune(string(text)), at: at.x, y: at.y}
		g.from, g.to = s.span(i, i, turn)
		width += g.to - g.from
		if n := len(all) - 1; n >= 0 && all[n].at == g.at { // a letter and its vowel sign, or a ligature
			all[n].text = append(all[n].text, g.text...)
			all[n].from, all[n].to = min(g.from, all[n].from), max(g.to, all[n].to)
			continue
		}
		all = append(all, g)
	}
	return all, width / float64(max(1, len(all)))
}

// spaced sorts the glyphs of a line from left to right. It adds a space to each gap wider than minGap.
func spaced(glyphs []glyph, minGap float64) []glyph {
	slices.SortStableFunc(glyphs, func(a, b glyph) int { return cmp.Compare(a.at, b.at) })
	all, reach := make([]glyph, 0, len(glyphs)), math.Inf(1)
	for _, g := range glyphs {
		if g.at-reach > minGap {
			all = append(all, glyph{text: []rune{' '}})
		}
		all, reach = append(all, g), g.to
		if unicode.Is(unicode.Mn, g.text[0]) || unicode.Is(unicode.Mn, g.text[len(g.text)-1]) {
			reach = math.Inf(1) // the width of a letter with a vowel sign is not known
		}
	}
	return all
}

// logical puts glyphs, sorted from left to right, into reading order. A page shows the result of Unicode's
// bidirectional algorithm (UAX 9), and applying the algorithm again undoes it.
func logical(glyphs []glyph) (read []glyph) {
	text := make([]rune, len(glyphs))
	for i, g := range glyphs {
		text[i] = g.text[len(g.text)-1]
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
				if part[j].text[0] != 'ل' { // a ligature of lam and alef is already in reading order
					slices.Reverse(part[j].text)
				}
			}
		}
		read = append(read, part...)
	}
	return read
}

// wordsFromRight makes words of glyphs in reading order. A bracket's character does not tell its direction,
// because fonts draw mirrored brackets. After a space a bracket opens, otherwise it closes.
func wordsFromRight(read []glyph) (words []word) {
	const brackets = "()[]{}<>"
	before := ' '
	for _, g := range read {
		if at := strings.IndexRune(brackets, g.text[0]); at >= 0 && g.right {
			at &^= 1
			if before != ' ' {
				at++
			}
			g.text[0] = rune(brackets[at])
		}
		if before == ' ' && g.text[0] != ' ' {
			words = append(words, word{from: math.Inf(1), to: math.Inf(-1)})
		}
		if before = g.text[0]; before != ' ' {
			w := &words[len(words)-1]
			w.text += string(g.text)
			w.from, w.to = min(w.from, -g.to), max(w.to, -g.from)
		}
	}
	return words
}
