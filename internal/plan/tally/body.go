package tally

import (
	neturl "net/url"
	"strings"
	"unicode"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

const (
	ownWord   = 3 // letters of a word of an address that counts as its own, at least
	hexWord   = 8 // letters of a word that is a hexadecimal number, at least
	ownPhrase = 4 // bytes of a title or a path that is looked for in the content, at least
)

const pairFactor = 0x9E3779B97F4A7C15 // mixes the first word of a pair: any large odd number

// BodyOf returns the judge.Body of a page's content.
func BodyOf(url string, titles []string, content string) judge.Body {
	own, paths := address(url)
	for _, phrase := range append(paths, titles...) {
		if len(phrase) >= ownPhrase {
			content = strings.ReplaceAll(content, phrase, " ")
		}
	}
	var weights [64]int
	pairs := map[uint64]bool{}
	last := uint64(0)
	for word := range strings.FieldsFuncSeq(content, notInWord) {
		word = strings.ToLower(word)
		if own[word] || strings.ContainsFunc(word, unicode.IsDigit) || isHex(word) {
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

// address returns the words of a URL's path and query, and the paths in them as a page may
// repeat them: its own, and that of another page in a parameter.
func address(url string) (own map[string]bool, paths []string) {
	text := weburl.Target(url)
	if plain, err := neturl.PathUnescape(text); err == nil {
		text = plain
	}
	own = map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, notInWord) {
		if len(word) >= ownWord {
			own[strings.ToLower(word)] = true
		}
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("?=&", r) }) {
		if strings.Contains(part, "/") {
			paths = append(paths, part)
		}
	}
	return own, paths
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func isHex(word string) bool {
	return len(word) >= hexWord && strings.Trim(word, "abcdef") == ""
}
