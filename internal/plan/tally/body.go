package tally

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	ownWord   = 3 // letters of a word of an address that counts as its own, at least
	ownPhrase = 4 // bytes of a title or a path that is looked for in the content, at least
)

const pairFactor = 0x9E3779B97F4A7C15 // mixes the first word of a pair: any large odd number

// PrintOf returns the document.Print of a page's content. titles are the candidates and, last, the
// one that was taken: this and the first count. Those between stand for them where all pages share
// a title, and may be headings that other pages have as well.
func PrintOf(url string, titles []string, content string) document.Print {
	own := map[uint64]bool{}
	for word := range weburl.OwnWords(url, ownWord) {
		own[xxhash.Sum64String(word)] = true
	}
	paths := strings.FieldsFunc(weburl.PlainTarget(url), func(r rune) bool { return strings.ContainsRune("?=&", r) })
	paths = slices.DeleteFunc(paths, func(part string) bool { return !strings.Contains(part, "/") }) // its own, and that of another page in a parameter
	for _, phrase := range slices.Concat(paths, titles[:min(1, len(titles))], titles[max(0, len(titles)-1):]) {
		if len(phrase) >= ownPhrase {
			content = strings.ReplaceAll(content, phrase, " ")
		}
	}
	var planes [32]uint64 // how many pairs have each bit: the lowest binary digits of the 64 counts, then the next ones
	pairs := make(map[uint64]struct{}, len(content)/8)
	last := uint64(0)
	for word := range weburl.Words(content) {
		sum := xxhash.Sum64(word)
		if own[sum] || weburl.Varies(word) {
			continue
		}
		carry := last*pairFactor ^ sum
		last = sum
		if _, seen := pairs[carry]; seen {
			continue
		}
		pairs[carry] = struct{}{}
		for i := 0; carry != 0; i++ {
			planes[i], carry = planes[i]^carry, planes[i]&carry
		}
	}
	if len(pairs) == 0 {
		return 0
	}
	var body document.Print
	for bit := range 64 {
		count := 0
		for i, plane := range planes {
			count += int(plane>>bit&1) << i
		}
		if 2*count > len(pairs) {
			body |= 1 << bit
		}
	}
	return max(body, 1)
}
