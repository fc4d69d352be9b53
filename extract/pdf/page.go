package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

type sheet struct {
	*library
	text  uint64 // PDFium's handle of the page's text
	room  uint64 // address in PDFium's memory of room for the four numbers that a call returns
	chars []rune // one for each character that PDFium counts
}

const (
	joined     = '\ufffe' // PDFium's character for a hyphen at the end of a line; no line feed follows it
	softHyphen = '\u00ad'
	signRise   = 3.0 // maximum points between a line and its vowel signs, which PDFium reads as a new line
)

func (p *pdf) lines(page uint64) []line {
	text := p.call("FPDFText_LoadPage", page)
	if text == 0 {
		return nil
	}
	defer p.call("FPDFText_ClosePage", text)
	s := sheet{library: p.library, text: text, room: p.alloc(4 * 8)}
	defer p.free(s.room)
	s.readChars()
	right, left := lettersOf(s.chars)
	var lines []line
	start, mirrored := 0, right > left
	for i, r := range s.chars {
		isEnd := i == len(s.chars)-1
		if !isEnd && r != '\n' && r != joined {
			continue
		}
		if mirrored && !isEnd && math.Abs(s.height(i+1, 0)-s.height(start, 0)) < signRise {
			continue
		}
		right, left := lettersOf(s.chars[start : i+1])
		if right > left || mirrored && (right > 0 || left == 0) {
			lines = s.addFromRight(lines, start, i+1)
		} else {
			lines = s.addLine(lines, start, i+1)
		}
		start = i + 1
	}
	lines = dropCaps(lines)
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(min(a.turn, 1), min(b.turn, 1)) })
	lines = columns(lines, maxSplits)
	for i := range lines {
		lines[i].finish()
		p.textSize += len(lines[i].text)
	}
	return lines
}

// readChars reads all characters in one call. For that call, PDFium may leave out control characters, which
// may stand for spaces. In that case, readChars reads the characters one by one.
func (s *sheet) readChars() {
	count := max(0, min(s.number("FPDFText_CountChars", s.text), maxText/2))
	at := s.alloc(2 * (count + 1))
	defer s.free(at)
	got := s.number("FPDFText_GetText", s.text, 0, uint64(count), at) - 1 // without the terminator
	units := unitsOf(s.view(at, 2*max(0, min(got, count))))
	s.chars = make([]rune, count)
	for i := range count {
		if len(units) == count {
			s.chars[i] = rune(units[i])
		} else if s.number("FPDFText_IsHyphen", s.text, uint64(i)) == 1 {
			s.chars[i] = joined
		} else {
			s.chars[i] = rune(s.call("FPDFText_GetUnicode", s.text, uint64(i)))
		}
		if i == 0 {
			continue
		}
		if before := s.chars[i-1]; utf16.IsSurrogate(before) {
			s.chars[i-1], s.chars[i] = utf16.DecodeRune(before, s.chars[i]), 0
		}
	}
}

type point struct{ x, y float64 }

// along returns a point in the coordinates of a line turned by turn degrees: x along the line, y above it.
func (p point) along(turn float64) point {
	sin, cos := math.Sincos(turn * math.Pi / 180)
	return point{p.x*cos + p.y*sin, p.y*cos - p.x*sin}
}

func (s *sheet) origin(i int) point {
	if s.number("FPDFText_GetCharOrigin", s.text, uint64(i), s.room, s.room+8) == 0 {
		return point{}
	}
	return point{s.float64At(0), s.float64At(1)}
}

func (s *sheet) float64At(i uint64) float64 {
	f, _ := s.m.Memory().ReadFloat64Le(uint32(s.room + 8*i))
	return f
}

func (s *sheet) float32At(i uint64) float64 {
	f, _ := s.m.Memory().ReadFloat32Le(uint32(s.room + 4*i))
	return float64(f)
}

func (s *sheet) turn(i int) float64 {
	if s.number("FPDFText_GetMatrix", s.text, uint64(i), s.room) == 0 {
		return 0
	}
	return math.Atan2(s.float32At(1), s.float32At(0)) * 180 / math.Pi
}

// lineTurn returns turn(i) rounded to a multiple of 15, because the lines of a scanned page slope a little.
func (s *sheet) lineTurn(i int) float64 {
	const step = 15
	turn := math.Round(s.turn(i)/step) * step
	if turn < 0 {
		turn += 360
	}
	return turn
}

// span returns the range along a line that the characters from first to last cover, with their spacing.
func (s *sheet) span(first, last int, turn float64) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, i := range [...]int{first, last} {
		if s.number("FPDFText_GetLooseCharBox", s.text, uint64(i), s.room) == 0 {
			continue
		}
		a := point{s.float32At(0), s.float32At(3)}.along(turn).x
		b := point{s.float32At(2), s.float32At(1)}.along(turn).x
		if int(turn)%90 != 0 { // the box of a turned character is too wide, but has the right middle
			at := s.origin(i).along(turn).x
			a, b = at, a+b-at
		}
		from, to = min(from, a, b), max(to, a, b)
	}
	return from, to
}

// addLine adds the characters from start to end to lines, as words. If they run in several directions, they
// become several lines. A turned line that PDFium divided becomes one line again.
func (s *sheet) addLine(lines []line, start, end int) []line {
	var b []byte
	first, last := start, start // indexes of the first and last character of the current word
	before := len(lines)
	endWord := func() {
		if len(b) == 0 {
			return
		}
		w, turn, n := word{text: string(b)}, s.lineTurn(first), len(lines)-1
		w.from, w.to = s.span(first, last, turn)
		isOther := n < 0 || turn != lines[n].turn
		if isOther || n < before && (turn == 0 || math.Abs(s.height(first, turn)-lines[n].y) > 1) {
			size := math.Float64frombits(s.call("FPDFText_GetFontSize", s.text, uint64(first)))
			lines = append(lines, line{turn: turn, y: s.height(first, turn), size: size})
			n++
		}
		before = 0
		l := &lines[n]
		var previous rune
		if n := len(l.words); n > 0 {
			previous, _ = utf8.DecodeLastRuneInString(l.words[n-1].text)
		}
		if isDense(s.chars[first]) || isDense(previous) {
			w.generated = s.number("FPDFText_IsGenerated", s.text, uint64(first-1)) == 1
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
	return lines
}

// isMark reports whether the raised number of a footnote begins or ends before character i. The raised number
// of a unit, as in km², does not count.
func (s *sheet) isMark(i int) bool {
	if i < 3 || unicode.IsDigit(s.chars[i]) == unicode.IsDigit(s.chars[i-1]) {
		return false
	}
	rise := s.height(i, s.turn(i)) - s.height(i-1, s.turn(i))
	if unicode.IsDigit(s.chars[i]) {
		return !slices.ContainsFunc(s.chars[i-3:i], isNoLetter) && rise > 1
	}
	return !isNoLetter(s.chars[i]) && rise < -1
}

func (s *sheet) height(i int, turn float64) float64 { return s.origin(i).along(turn).y }

func (s *sheet) letter(b []byte, i int) (text []byte, space bool) {
	r, next := s.chars[i], ' '
	if i+1 < len(s.chars) {
		next = s.chars[i+1]
	}
	switch {
	// Fonts of TeX don't name ligatures. OT1 and T1 (encodings) give a ligature the same low four bits.
	case r < ' ' && (len(b) > 0 || !isNoLetter(next)) &&
		s.number("FPDFText_HasUnicodeMapError", s.text, uint64(i)) == 1:
		if at := r & 0xf; at >= 0xb {
			return append(b, [...]string{"ff", "fi", "fl", "ffi", "ffl"}[at-0xb]...), false
		}
		return b, true
	case strings.ContainsRune(accents, r) && !isNoLetter(next):
		turn := s.turn(i)
		left, right := s.span(i, i, turn)
		from, to := s.span(i+1, i+1, turn)
		if middle := (left + right) / 2; from < middle && middle < to { // an accent is over the next letter
			s.chars[i+1] = accented(r, next)
			return b, false
		}
	}
	return appendRune(b, r)
}
