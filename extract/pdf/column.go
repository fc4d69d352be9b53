package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxSplits = 3 // a page is divided in two up to three times, which gives at most eight columns
	maxGaps   = 8 // gaps between the words of a line that are examined
)

// dropCaps joins a drop cap, a large letter beside several lines, to the word that it begins.
func dropCaps(lines []line) []line {
	const near = 8 // number of lines before and after the letter, in the order of the file, that are examined
	for i := 0; i < len(lines); i++ {
		c, at := lines[i], -1
		letter := c.words[0]
		r, size := utf8.DecodeRuneInString(letter.text)
		if !unicode.IsLetter(r) || size < len(letter.text) || len(c.words) > 1 {
			continue
		}
		for j := max(0, i-near); j < min(len(lines), i+near); j++ {
			l := lines[j]
			gap := l.words[0].from - letter.to
			isBeside := l.turn == c.turn && gap > -1 && gap < c.size/2 && l.y > c.y && l.y < c.y+c.size
			if isBeside && c.size > 1.5*l.size && (at < 0 || l.y > lines[at].y) {
				at = j
			}
		}
		if at < 0 {
			continue
		}
		w := &lines[at].words[0]
		if first, _ := utf8.DecodeRuneInString(w.text); unicode.IsLower(first) || w.text == strings.ToUpper(w.text) {
			w.text, w.from = letter.text+w.text, letter.from
			lines = slices.Delete(lines, i, i+1)
		}
	}
	return lines
}

// columns returns the lines of a page in reading order. Where a file draws columns line by line, across the
// page, one column is put after the other. Otherwise the file's order stays. splits limits the divisions.
func columns(lines []line, splits int) []line {
	var out []line
	for len(lines) > 0 {
		n, at := gutter(lines)
		if splits == 0 || math.IsNaN(at) {
			out, lines = append(out, lines[:n]...), lines[n:]
			continue
		}
		var sides [2][]line
		for _, l := range lines[:n] {
			k := l.cut(at)
			for side, words := range [...][]word{l.words[:k], l.words[k:]} {
				if len(words) > 0 {
					l.words = words
					sides[side] = append(sides[side], l)
				}
			}
		}
		out = append(append(out, columns(sides[0], splits-1)...), columns(sides[1], splits-1)...)
		lines = lines[n:]
	}
	return out
}

func (l *line) cut(at float64) int {
	k := 0
	for k < len(l.words) && l.words[k].from < at {
		k++
	}
	return k
}

// gutter finds a space between two columns in the first n lines. at is its middle, or NaN without such a space.
func gutter(lines []line) (n int, at float64) {
	n = 1
	words, width := lines[0].words, lines[0].letterWidth()
	for i, tried := 1, 0; i < len(words) && tried < maxGaps; i++ {
		if words[i].from-words[i-1].to < 2*width {
			continue
		}
		tried++
		s := strip{from: words[i-1].to, to: words[i].from}
		rows := s.follow(lines, width)
		if s.isProse(width) {
			return rows, (s.from + s.to) / 2
		}
		n = max(n, rows)
	}
	return n, math.NaN()
}

// strip is a vertical strip of a page that has no text.
type strip struct {
	from, to float64
	sides    [2][]float64 // widths of the text on the left and on the right, in lines with both
	middles  [2]int       // number of lines on each side that begin in the middle of a sentence
}

// follow narrows the strip line by line, and returns the number of lines that it followed. It stops at a line
// that is far from the line before, or that makes the strip narrower than width.
func (s *strip) follow(lines []line, width float64) int {
	for i, l := range lines {
		if i > 0 && (l.y > lines[i-1].y+width || l.y < lines[i-1].y-6*width) {
			return i
		}
		k := l.cut((s.from + s.to) / 2)
		from, to := s.from, s.to
		if k > 0 {
			from = max(from, l.words[k-1].to)
		}
		if k < len(l.words) {
			to = min(to, l.words[k].from)
		}
		if to-from < width {
			return i
		}
		s.from, s.to = from, to
		if k > 0 && k < len(l.words) {
			s.sides[0] = append(s.sides[0], from-l.words[0].from)
			s.sides[1] = append(s.sides[1], l.words[len(l.words)-1].to-to)
			for side, j := range [...]int{0, k} {
				if r, _ := utf8.DecodeRuneInString(l.words[j].text); unicode.IsLetter(r) && !unicode.IsUpper(r) {
					s.middles[side]++
				}
			}
		}
	}
	return len(lines)
}

// isProse reports whether both sides contain running text: long lines, most of them as wide as the widest
// line, and many that begin in the middle of a sentence.
func (s *strip) isProse(width float64) bool {
	const rows, letters, full, middles = 4, 20, 0.75, 0.4
	for side, widths := range s.sides {
		sum, widest, n := 0.0, 0.0, len(widths)
		for _, w := range widths {
			sum, widest = sum+w, max(widest, w)
		}
		isFull := sum >= max(letters*width, full*widest)*float64(n)
		if n < rows || !isFull || float64(s.middles[side]) < middles*float64(n) {
			return false
		}
	}
	return true
}
