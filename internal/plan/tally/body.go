package tally

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	ownWord   = 3 // minimum letters of a word of the page's URL; such words are left out of the hashed text
	ownPhrase = 4 // shortest title or path that is left out of the text, in bytes
	wordSize  = 6 // average bytes of a word with the following space
)

const pairFactor = 0x9E3779B97F4A7C15 // mixes the first word of a pair; any large odd number

// Printer computes similarity hashes of texts (document.Print). It is not safe for concurrent use.
type Printer struct {
	pairs  []uint64
	places []uint32
}

// Of returns the document.Print (similarity hash) of a page's content. It leaves out the words and paths of
// the page's URL, and the first and last of titles. Other titles may be headings that many pages share.
func (p *Printer) Of(url string, titles []string, content string) document.Print {
	var own []uint64
	for word := range weburl.OwnWords(url, ownWord) {
		own = append(own, xxhash.Sum64String(word))
	}
	paths := strings.FieldsFunc(weburl.PlainTarget(url), func(r rune) bool { return strings.ContainsRune("?=&", r) })
	// only the parts with a slash are removed from the content, below: the path, and paths in parameters
	paths = slices.DeleteFunc(paths, func(part string) bool { return !strings.Contains(part, "/") })
	for _, phrase := range slices.Concat(paths, titles[:min(1, len(titles))], titles[max(0, len(titles)-1):]) {
		if len(phrase) >= ownPhrase {
			content = strings.ReplaceAll(content, phrase, " ")
		}
	}
	pairs := slices.Grow(p.pairs[:0], len(content)/wordSize)
	last := uint64(0)
	for word := range weburl.Words(content) {
		sum := xxhash.Sum64String(word)
		if slices.Contains(own, sum) || weburl.Varies(word) {
			continue
		}
		pairs = append(pairs, last*pairFactor^sum)
		last = sum
	}
	if len(pairs) == 0 {
		return 0
	}
	p.pairs = pairs
	pairs = p.distinct(pairs)
	var pairsWithBit [64]int
	for some := range slices.Chunk(pairs, 255) {
		var lanes [8]uint64 // each holds eight counts of one byte
		for _, pair := range some {
			for i := range lanes {
				lanes[i] += pair >> i & 0x0101010101010101
			}
		}
		for bit := range pairsWithBit {
			pairsWithBit[bit] += int(lanes[bit%8] >> (bit / 8 * 8) & 0xFF)
		}
	}
	var body document.Print
	for bit, count := range pairsWithBit {
		if 2*count > len(pairs) {
			body |= 1 << bit
		}
	}
	return max(body, 1)
}

// distinct removes repeated pairs, in place, with a hash table that is at most half full. Sorting the pairs
// would take as long as everything else in Of.
func (p *Printer) distinct(pairs []uint64) []uint64 {
	size := 1 << bits.Len(uint(2*len(pairs)))
	p.places = slices.Grow(p.places[:0], size)[:size]
	places, kept := p.places, pairs[:0]
	clear(places)
	for _, pair := range pairs {
		at := pair & uint64(len(places)-1)
		for places[at] != 0 && kept[places[at]-1] != pair {
			at = (at + 1) & uint64(len(places)-1)
		}
		if places[at] == 0 {
			kept = append(kept, pair)
			places[at] = uint32(len(kept))
		}
	}
	return kept
}
