package tally

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

const (
	ownWord   = 3 // letters of a word of an address that counts as its own, at least
	ownPhrase = 4 // bytes of a title or a path that is looked for in the content, at least
)

const pairFactor = 0x9E3779B97F4A7C15 // mixes the first word of a pair: any large odd number

// BodyOf returns the judge.Body of a page's content.
func BodyOf(url string, titles []string, content string) judge.Body {
	own := weburl.OwnWords(url, ownWord)
	paths := strings.FieldsFunc(weburl.PlainTarget(url), func(r rune) bool { return strings.ContainsRune("?=&", r) })
	paths = slices.DeleteFunc(paths, func(part string) bool { return !strings.Contains(part, "/") }) // its own, and that of another page in a parameter
	for _, phrase := range append(paths, titles...) {
		if len(phrase) >= ownPhrase {
			content = strings.ReplaceAll(content, phrase, " ")
		}
	}
	var weights [64]int
	pairs := map[uint64]bool{}
	last := uint64(0)
	for word := range weburl.Words(content) {
		if own[word] || weburl.Varies(word) {
			continue
		}
		sum := xxhash.Sum64String(word)
		pair := last*pairFactor ^ sum
		last = sum
		if pairs[pair] {
			continue
		}
		pairs[pair] = true
		for i := range weights {
			weights[i] += int(pair>>i&1)*2 - 1
		}
	}
	if len(pairs) == 0 {
		return 0
	}
	var body judge.Body
	for i, weight := range weights {
		if weight > 0 {
			body |= 1 << i
		}
	}
	return max(body, 1)
}

// Copies counts equal contents in constant memory. Where two contents share a cell
// it counts too many: a change more is held for a night.
type Copies struct {
	cells [1 << 22]uint8
}

// Cell returns the count of a content.
func (c *Copies) Cell(sum document.Hash) *uint8 {
	return &c.cells[binary.BigEndian.Uint32(sum[:])%uint32(len(c.cells))]
}

// Add counts a content, judge.ManyPages at most.
func (c *Copies) Add(sum document.Hash) {
	if cell := c.Cell(sum); !sum.IsZero() && *cell < judge.ManyPages {
		*cell++
	}
}

// sumOf returns a Body in the form of the contents that copies count.
func sumOf(body judge.Body) (sum document.Hash) {
	binary.BigEndian.PutUint64(sum[:], uint64(body)*pairFactor) // the upper half is to differ where the whole does
	return sum
}

// AddBody counts what a page says.
func (c *Copies) AddBody(body judge.Body) { c.Add(sumOf(body)) }

// Of returns how many pages were read that say what a change would put, judge.ManyPages
// at most.
func (c *Copies) Of(body judge.Body) int {
	if c == nil || body == 0 {
		return 0
	}
	return int(*c.Cell(sumOf(body)))
}
