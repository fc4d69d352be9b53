package pdf

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// line is one line of a page as PDFium found it.
type line struct {
	text string
	y    float64 // of its baseline, upwards
	size float64 // of its first character, as the font names it
}

// lines reads the text of a page.
func (p *pdf) lines(page uint64) []line {
	text := p.call("FPDFText_LoadPage", page)
	if text == 0 {
		return nil
	}
	defer p.call("FPDFText_ClosePage", text)
	count := min(p.number("FPDFText_CountChars", text), maxText/2)
	if count <= 0 {
		return nil
	}
	at := p.alloc(2 * (count + 1))
	defer p.free(at)
	units := p.number("FPDFText_GetText", text, 0, uint64(count), at) - 1 // of the terminator
	if units <= 0 {
		return nil
	}
	all := unitsOf(p.view(at, 2*min(units, count)))
	place := p.alloc(16)
	defer p.free(place)
	var lines []line
	for start := 0; start < len(all) && p.err == nil; start++ {
		end := start
		for end < len(all) && all[end] != '\n' && all[end] != '\r' && all[end] != 0 {
			end++
		}
		if s := strings.TrimSpace(plain(string(utf16.Decode(all[start:end])))); s != "" {
			l := line{text: s}
			l.y, l.size = p.place(text, start, place)
			lines = append(lines, l)
			p.size += len(s)
		}
		start = end
	}
	return lines
}

// place returns the height of a unit of a page's text, and the size of its font.
func (p *pdf) place(text uint64, unit int, at uint64) (y, size float64) {
	char := p.call("FPDFText_GetCharIndexFromTextIndex", text, uint64(unit))
	if p.number("FPDFText_GetCharOrigin", text, char, at, at+8) == 0 {
		return 0, 0
	}
	y, _ = p.m.Memory().ReadFloat64Le(uint32(at + 8))
	return y, math.Float64frombits(p.call("FPDFText_GetFontSize", text, char))
}

// paragraphs joins the lines of a page. A new paragraph begins where the font's
// size changes, where the next line stands higher, as in another column, where the
// gap is wider than most of that size on the page, and at the mark of a list's item.
func paragraphs(lines []line) []string {
	usual := usualGaps(lines)
	var blocks []string
	var open []byte
	for i, l := range lines {
		if i > 0 {
			before := lines[i-1]
			gap := before.y - l.y
			if math.Abs(before.size-l.size) > before.size/20 || gap < -1 || gap > usual[l.size]*1.25 || isItem(l.text) {
				blocks = append(blocks, string(open))
				open = open[:0]
			}
		}
		open = join(open, l.text)
	}
	if len(open) > 0 {
		blocks = append(blocks, string(open))
	}
	return blocks
}

// usualGaps returns, for each size, the median distance between a line and the
// next of that size below it.
func usualGaps(lines []line) map[float64]float64 {
	gaps := map[float64][]float64{}
	for i := 1; i < len(lines); i++ {
		a, b := lines[i-1], lines[i]
		if gap := a.y - b.y; gap > 1 && a.size == b.size {
			gaps[b.size] = append(gaps[b.size], gap)
		}
	}
	usual := make(map[float64]float64, len(gaps))
	for size, all := range gaps {
		slices.Sort(all)
		usual[size] = all[(len(all)-1)/2]
	}
	return usual
}

// isItem reports whether a line begins with the mark of a list's item.
func isItem(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("•●▪◦‣–·", r) && strings.HasPrefix(s[size:], " ")
}

// join adds a line to a paragraph: a word that was divided becomes whole, and
// scripts that have no spaces get none.
func join(b []byte, next string) []byte {
	last, size := utf8.DecodeLastRune(b)
	first, _ := utf8.DecodeRuneInString(next)
	switch {
	case len(b) == 0:
	case last == softHyphen, last == '-' && unicode.IsLower(first) && endsInLower(b[:len(b)-1]):
		b = b[:len(b)-size]
	case !isDense(last) || !isDense(first):
		b = append(b, ' ')
	}
	return append(b, next...)
}

func endsInLower(b []byte) bool {
	r, _ := utf8.DecodeLastRune(b)
	return unicode.IsLower(r)
}

func isDense(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

const (
	maxDots    = 3
	softHyphen = '\u00ad'
	joined     = '\ufffe' // PDFium's mark of a hyphen at the end of a line, whose next line it has joined
)

// plain is the text of a line without what is no text: marks of hyphens, controls,
// characters of no known meaning, and the dots that lead to a page's number.
func plain(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last, dots := rune(0), 0
	for i, r := range s {
		switch {
		case r == joined:
			next, _ := utf8.DecodeRuneInString(s[i+len(string(joined)):])
			if unicode.IsLetter(last) && (unicode.IsLower(next) || unicode.IsUpper(next) && unicode.IsUpper(last)) {
				continue // the word goes on in the case that it had
			}
			r = '-' // the word's own
		case unicode.IsSpace(r):
			r = ' '
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError || unicode.In(r, unicode.Co):
			continue
		}
		last = r
		switch {
		case r == ' ' && strings.HasSuffix(b.String(), " "):
			continue
		case r == '.':
			dots++
		case r != ' ':
			dots = 0
		}
		if r != '.' || dots <= maxDots {
			b.WriteRune(r)
		}
	}
	return b.String()
}

const (
	edge     = 2 // lines at the top and at the bottom of a page that may be its head or foot
	fewPages = 5 // in fewer, nothing repeats
)

// withoutRepeated leaves out the lines that head or foot most pages, the page's
// number aside, all but the first time. A page's lines are cut, not copied.
func withoutRepeated(pages [][]line) [][]line {
	if len(pages) < fewPages {
		return pages
	}
	count := map[string]int{}
	for i, lines := range pages {
		n := min(edge, len(lines))
		for _, l := range slices.Concat(lines[:n], lines[max(n, len(lines)-edge):]) {
			for _, form := range forms(l.text, i) {
				count[form]++
			}
		}
	}
	met := map[string]bool{}
	kept := make([][]line, len(pages))
	for i, lines := range pages {
		kept[i] = trimmed(lines, func(l line) bool {
			for _, form := range forms(l.text, i) {
				if count[form]*2 > len(pages) {
					again := met[form]
					met[form] = true
					return again
				}
			}
			return false
		})
	}
	return kept
}

// trimmed leaves out what repeats at the edges of a page.
func trimmed(lines []line, repeats func(line) bool) []line {
	for n := 0; n < edge && len(lines) > 0 && repeats(lines[0]); n++ {
		lines = lines[1:]
	}
	for n := 0; n < edge && len(lines) > 0 && repeats(lines[len(lines)-1]); n++ {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// forms are the ways in which a line may repeat on page i: as it stands, and with
// its first or last number going on by one from page to page.
func forms(s string, i int) []string {
	all := []string{s}
	digits := func(r rune) bool { return r >= '0' && r <= '9' }
	for _, at := range []int{strings.IndexFunc(s, digits), strings.LastIndexFunc(s, digits)} {
		if at < 0 {
			break
		}
		from := at - len(s[:at]) + len(strings.TrimRightFunc(s[:at], digits))
		to := at + len(s[at:]) - len(strings.TrimLeftFunc(s[at:], digits))
		if n, err := strconv.Atoi(s[from:to]); err == nil {
			form := s[:from] + "\x00" + strconv.Itoa(n-i) + "\x00" + s[to:]
			if !slices.Contains(all, form) {
				all = append(all, form)
			}
		}
	}
	return all
}
