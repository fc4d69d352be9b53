package weburl

import (
	"iter"
	neturl "net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hexWord is how many letters a word of hexadecimal digits alone has at least: of shorter
// ones many are English.
const hexWord = 8

// Words yields the words of a text in lower case: its runs of letters and digits.
func Words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			n, lower := wordLen(text)
			word := text[:n]
			if !lower {
				word = strings.ToLower(word)
			}
			if n > 0 && !yield(word) {
				return
			}
			_, size := utf8.DecodeRuneInString(text[n:])
			text = text[n+size:]
		}
	}
}

// wordLen returns the bytes of the word that text begins with, 0 where it begins with none. lower
// says that the word is its own lower case.
func wordLen(text string) (n int, lower bool) {
	for lower = true; n < len(text); {
		switch c := text[n]; {
		case 'a' <= c && c <= 'z' || isDigit(c):
			n++
		case isLetter(c):
			n, lower = n+1, false
		case c < utf8.RuneSelf:
			return n, lower
		default:
			r, size := utf8.DecodeRuneInString(text[n:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return n, lower
			}
			n, lower = n+size, lower && unicode.ToLower(r) == r
		}
	}
	return n, lower
}

// Varies reports whether a word of Words holds digits or is hexadecimal: dates, counters
// and the IDs of requests differ from answer to answer.
func Varies(word string) bool {
	hexadecimal := len(word) >= hexWord
	for _, r := range word {
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
			own[word] = true
		}
	}
	return own
}
