package pdf

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longText    = 80 // minimum bytes of a block that may continue in the next column or page
	headerLines = 2
)

type flow struct {
	blocks [][]byte
	open   map[float64]int // index of the last block of at least longText bytes, by font size
}

func paragraphs(pages [][]line) []string {
	f := flow{open: map[float64]int{}}
	for _, lines := range pages {
		f.add(lines)
	}
	var texts []string
	for _, b := range f.blocks {
		texts = append(texts, strings.ReplaceAll(string(b), string(softHyphen), ""))
	}
	return texts
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// add joins the lines of a page to paragraphs. A paragraph begins at a list item, after an unusually wide
// gap, or if the font size or direction changes. It also begins at a line higher on the page, as in the next
// column. But a sentence that continues in the next column or page stays in its paragraph.
func (f *flow) add(lines []line) {
	usual := usualGaps(lines)
	before, to := line{y: math.Inf(-1)}, 0
	for i, l := range lines {
		gap := before.y - l.y
		isOther := before.turn != l.turn || math.Abs(before.size-l.size) > before.size/20
		if i == 0 || isOther || gap < -1 || gap > usual[l.size]*1.25 || item.MatchString(l.text) {
			open, found := f.open[l.size]
			if found && (gap < -1 || i < headerLines) && goesOn(f.blocks[open], l.text) {
				to = open
			} else {
				to = len(f.blocks)
				f.blocks = append(f.blocks, nil)
			}
		}
		f.blocks[to] = join(f.blocks[to], l.text)
		if len(f.blocks[to]) >= longText {
			f.open[l.size] = to
		}
		before = l
	}
}

func goesOn(b []byte, next string) bool {
	last, _ := utf8.DecodeLastRune(b)
	first, _ := utf8.DecodeRuneInString(next)
	return unicode.IsLower(first) && (unicode.IsLetter(last) || strings.ContainsRune("-,\u00ad", last))
}

// usualGaps returns the median distance between consecutive lines of the same font size, for each size.
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

var item = regexp.MustCompile(`^[•●▪◦‣–·] `)

// standing matches the text after a hyphen that replaces a part of a word, as in "in- and output".
var standing = regexp.MustCompile(`^(und|oder|bzw|and|or|og|och|eller)\b`)

// join adds a line to the paragraph b. It joins a word that is divided between two lines. Otherwise it adds a
// space before the line, unless the script has no spaces.
func join(b []byte, next string) []byte {
	last, size := utf8.DecodeLastRune(b)
	before, _ := utf8.DecodeLastRune(b[:len(b)-size])
	first, _ := utf8.DecodeRuneInString(next)
	isHyphen := last == '-' && !isNoLetter(before) && !isNoLetter(first) && !standing.MatchString(next)
	switch {
	case isHyphen && unicode.IsLower(before) && unicode.IsLower(first):
		b = b[:len(b)-size]
	case len(b) == 0, isHyphen, last == softHyphen:
	case !isDense(last) && !isDense(first), isNoLetter(last) != isNoLetter(first) && !isDense(last):
		b = append(b, ' ')
	}
	return append(b, next...)
}
