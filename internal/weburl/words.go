package weburl

import (
	"iter"
	neturl "net/url"
	"strings"
	"unicode"
)

// hexWord is how many letters a word of hexadecimal digits alone has at least: of shorter
// ones many are English.
const hexWord = 8

// Words yields the words of a text in lower case: its runs of letters and digits.
func Words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if !yield(strings.ToLower(word)) {
				return
			}
		}
	}
}

// Varies reports whether a word of Words holds digits or is hexadecimal: dates, counters
// and the IDs of requests differ from answer to answer.
func Varies(word string) bool {
	return strings.ContainsFunc(word, unicode.IsDigit) || len(word) >= hexWord && strings.Trim(word, "abcdef") == ""
}

// PlainTarget returns a URL's path and query as people write them: without percent-encoding
// where that can be undone (RFC 3986, section 2.1).
func PlainTarget(url string) string {
	text := Target(url)
	if plain, err := neturl.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// OwnWords returns the words of a URL's path and query that have at least so many bytes. A
// page may repeat them without saying anything of its own.
func OwnWords(url string, least int) map[string]bool {
	own := map[string]bool{}
	for word := range Words(PlainTarget(url)) {
		if len(word) >= least {
			own[word] = true
		}
	}
	return own
}
