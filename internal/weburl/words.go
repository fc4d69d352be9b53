package weburl

import (
	"iter"
	neturl "net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastHex is the least length of a hexadecimal word without digits. Many shorter ones are English words.
const leastHex = 8

// Words yields the words of a text in lower case. A word is a run of letters and digits.
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

// wordLen returns the length in bytes of the word at the beginning of text, and whether it is in lower case
// already. Every text is split this way, so speed matters: strings.FieldsFuncSeq takes 2.6 times as long.
func wordLen(text string) (n int, lower bool) {
	for lower = true; n < len(text); {
		switch c := text[n]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			n++
		case 'A' <= c && c <= 'Z':
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

// PlainTarget returns a URL's path and query, percent-decoded if the encoding is valid (RFC 3986, section
// 2.1).
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
