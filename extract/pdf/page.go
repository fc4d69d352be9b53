package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode/utf16"
)

// sheet is the text of a page while it is read.
type sheet struct {
	*pdf
	text  uint64 // PDFium's
	room  uint64 // for four numbers
	chars []rune // one for each that PDFium counts
	turn  int    // 1: most lines run upwards, as on a page that is shown turned; -1: downwards
}

const (
	joined     = '\ufffe' // PDFium's mark of a hyphen at a line's end, whose next line it has joined
	softHyphen = '\u00ad'
)

// lines reads the text of a page.
func (p *pdf) lines(page uint64) []line {
	text := p.call("FPDFText_LoadPage", page)
	if text == 0 {
		return nil
	}
	defer p.call("FPDFText_ClosePage", text)
	s := sheet{pdf: p, text: text, room: p.alloc(4 * 8)}
	defer p.free(s.room)
	s.readChars()
	var ends []int // of lines, behind their last character
	for i, r := range s.chars {
		if r == '\n' || r == joined {
			ends = append(ends, i+1)
		}
	}
	ends = append(ends, len(s.chars))
	s.turn = s.direction(ends)
	var lines []line
	start := 0
	for _, end := range ends {
		if l := s.line(start, end); len(l.words) > 0 && p.err == nil {
			lines = append(lines, l)
		}
		start = end
	}
	lines = columns(lines, maxSplits)
	for i := range lines {
		lines[i].finish()
		p.size += len(lines[i].text)
	}
	return lines
}

// readChars reads all characters in one call, or one by one where PDFium keeps some
// controls back: these may stand for spaces.
func (s *sheet) readChars() {
	count := max(0, min(s.number("FPDFText_CountChars", s.text), maxText/2))
	at := s.alloc(2 * (count + 1))
	defer s.free(at)
	got := s.number("FPDFText_GetText", s.text, 0, uint64(count), at) - 1 // of the terminator
	units := unitsOf(s.view(at, 2*max(0, min(got, count))))
	s.chars = make([]rune, count)
	for i := range count {
		if len(units) == count {
			s.chars[i] = rune(units[i])
		} else if s.chars[i] = rune(s.call("FPDFText_GetUnicode", s.text, uint64(i))); s.chars[i] == 2 && s.number("FPDFText_IsHyphen", s.text, uint64(i)) == 1 {
			s.chars[i] = joined
		}
		if i == 0 {
			continue
		}
		switch before := s.chars[i-1]; {
		case utf16.IsSurrogate(before):
			s.chars[i-1], s.chars[i] = utf16.DecodeRune(before, s.chars[i]), 0
		case s.chars[i] == 'ل' && strings.ContainsRune("اأإآ", before) && s.origin(i) == s.origin(i-1):
			s.chars[i-1], s.chars[i] = 'ل', before // PDFium turns the letters of this ligature round
		}
	}
}

// direction returns how most of the first lines run.
func (s *sheet) direction(ends []int) int {
	const enough, short = 40, 6
	ends = ends[:min(len(ends), enough)]
	up, down, start := 0, 0, 0
	for _, end := range ends {
		if end-start > short {
			a, b := s.origin(start), s.origin(end-short/2)
			switch dx, dy := math.Abs(b.x-a.x), b.y-a.y; {
			case dy > dx:
				up++
			case -dy > dx:
				down++
			}
		}
		start = end
	}
	switch {
	case 2*up > len(ends):
		return 1
	case 2*down > len(ends):
		return -1
	}
	return 0
}

type point struct{ x, y float64 }

// origin returns where a character stands on the page.
func (s *sheet) origin(i int) point {
	if s.number("FPDFText_GetCharOrigin", s.text, uint64(i), s.room, s.room+8) == 0 {
		return point{}
	}
	return point{s.float(0), s.float(1)}
}

func (s *sheet) float(i uint64) float64 {
	f, _ := s.m.Memory().ReadFloat64Le(uint32(s.room + 8*i))
	return f
}

// span returns from where to where two characters reach along their line.
func (s *sheet) span(first, last int) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, i := range [...]int{first, last} {
		if s.number("FPDFText_GetCharBox", s.text, uint64(i), s.room, s.room+8, s.room+16, s.room+24) == 0 {
			continue
		}
		a, b := s.float(0), s.float(1)
		switch s.turn {
		case 1:
			a, b = s.float(2), s.float(3)
		case -1:
			a, b = -s.float(3), -s.float(2)
		}
		from, to = min(from, a), max(to, b)
	}
	return from, to
}

// line reads the characters from start to end.
func (s *sheet) line(start, end int) (l line) {
	var b []byte
	first, last := start, start // of the open word
	endWord := func() {
		if len(b) == 0 {
			return
		}
		w := word{text: string(b)}
		w.from, w.to = s.span(first, last)
		if isDense(s.chars[first]) || len(l.words) > 0 && l.words[len(l.words)-1].endsDense() {
			w.generated = s.number("FPDFText_IsGenerated", s.text, uint64(first-1)) == 1
		}
		if len(l.words) == 0 {
			l.y, l.size = s.height(first), math.Float64frombits(s.call("FPDFText_GetFontSize", s.text, uint64(first)))
		}
		l.words, b = append(l.words, w), b[:0]
	}
	for i := start; i < end; i++ {
		if s.isMark(i) {
			endWord()
		}
		n := len(b)
		grown, space := s.letter(b, i)
		if n == 0 {
			first = i
		}
		if len(grown) > n {
			b, last = grown, i
		}
		if space {
			endWord()
		}
	}
	endWord()
	if n := len(l.words); n > 1 && l.words[0].from > l.words[n-1].from { // it is read from the right
		for i, w := range l.words {
			l.words[i].from, l.words[i].to = -w.to, -w.from
		}
	}
	l.closeUp()
	return l
}

// isMark reports whether a footnote's raised number begins or ends in front of a
// character. That of a unit, as in km², belongs to it.
func (s *sheet) isMark(i int) bool {
	if i < 3 || isDigit(s.chars[i]) == isDigit(s.chars[i-1]) {
		return false
	}
	if isDigit(s.chars[i]) {
		return !slices.ContainsFunc(s.chars[i-3:i], isNoLetter) && s.height(i) > s.height(i-1)+1
	}
	return !isNoLetter(s.chars[i]) && s.height(i-1) > s.height(i)+1
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// height returns how high the line of a character stands.
func (s *sheet) height(i int) float64 {
	at := s.origin(i)
	return [...]float64{at.x, at.y, -at.x}[s.turn+1]
}

// letter adds a character's text, if it has any, or reports that it is a space.
func (s *sheet) letter(b []byte, i int) (text []byte, space bool) {
	r, next := s.chars[i], ' '
	if i+1 < len(s.chars) {
		next = s.chars[i+1]
	}
	switch {
	case r < ' ' && (len(b) > 0 || !isNoLetter(next)) && s.number("FPDFText_HasUnicodeMapError", s.text, uint64(i)) == 1:
		// its font, of TeX, names no meaning: ligatures stand at the same places in all text fonts of an encoding (OT1 and T1)
		ligatures := [...]string{"ff", "fi", "fl", "ffi", "ffl"}
		switch {
		case r >= 0x0b && r <= 0x0f:
			return append(b, ligatures[r-0x0b]...), false
		case r >= 0x1b && r <= 0x1f:
			return append(b, ligatures[r-0x1b]...), false
		}
		return b, true
	case strings.ContainsRune(accents, r) && !isNoLetter(next):
		left, right := s.span(i, i)
		from, to := s.span(i+1, i+1)
		if middle := (left + right) / 2; from < middle && middle < to { // it stands over the next, as accents of TeX do
			s.chars[i+1] = accented(r, next)
			return b, false
		}
	}
	return appendRune(b, r)
}
