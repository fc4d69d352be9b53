package weburl

import (
	"iter"
	neturl "net/url"
	"strings"
	"unicode"
)

// leastHex is the least length of a hexadecimal word without digits. Many shorter ones are English words.
const leastHex = 8

// Words yields the words of a text in lower case. A word is a run of letters and digits.
func Words(text string) iter.Seq[string] {
	between := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, between) {
			if !yield(strings.ToLower(word)) {
				return
			}
		}
	}
}

// Varies reports whether a word from Words has digits or is hexadecimal. Such words (dates, counters, request
// IDs) differ from one response to the next.
func Varies(word string) bool {
	hexadecimal := len(word) >= leastHex
	for _, r := range word {
		if unicode.IsDigit(r) {
			return true
		}
		hexadecimal = hexadecimal && r >= 'a' && r <= 'f'
	}
	return hexadecimal
}

// PlainTarget returns a URL's path and query, percent-decoded if they are valid (RFC 3986, section 2.1).
func PlainTarget(url string) string {
	text := Target(url)
	if plain, err := neturl.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// OwnWords returns the words of a URL's path and query that have at least the given number of bytes.
func OwnWords(url string, least int) map[string]bool {
	own := map[string]bool{}
	for word := range Words(PlainTarget(url)) {
		if len(word) >= least {
			own[word] = true
		}
	}
	return own
}
