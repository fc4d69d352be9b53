package weburl

import (
	"iter"
	neturl "net/url"
	"unicode"
	"unicode/utf8"
)

// hexWord is how many letters a word of hexadecimal digits alone has at least: of shorter
// ones many are English.
const hexWord = 8

// Words yields the words of a text in lower case: its runs of letters and digits. A word is
// good until the next one: no text of a page is copied word by word.
func Words(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var word []byte
		for _, r := range text {
			switch {
			case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
				word = append(word, byte(r))
			case r >= 'A' && r <= 'Z':
				word = append(word, byte(r-'A'+'a'))
			case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
				word = utf8.AppendRune(word, unicode.ToLower(r))
			case len(word) > 0 && !yield(word):
				return
			default:
				word = word[:0]
			}
		}
		if len(word) > 0 {
			yield(word)
		}
	}
}

// Varies reports whether a word of Words holds digits or is hexadecimal: dates, counters
// and the IDs of requests differ from answer to answer.
func Varies(word []byte) bool {
	hexadecimal := len(word) >= hexWord
	for _, r := range string(word) {
		if unicode.IsDigit(r) {
			return true
		}
		hexadecimal = hexadecimal && r >= 'a' && r <= 'f'
	}
	return hexadecimal
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
			own[string(word)] = true
		}
	}
	return own
}
