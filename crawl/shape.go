package crawl

import (
	"bytes"
	"slices"
	"strings"
)

// shape is the form of a URL: a regular expression on path and query, as
// site.exclude takes it after "re:", that matches the URL and all those that
// differ from it only in numbers, in tokens such as UUIDs, and in the values and
// the order of their parameters. Words stay: pages that are told apart by words
// were named by somebody.
type shape struct {
	pattern  []byte   // begins with "^" and ends with "$"
	path     int      // bytes of the pattern that stand for the path
	names    [][]byte // patterns of the parameters' names, sorted, each once
	variable bool     // other URLs have this form too: it has a number, a token or a query
}

// read makes s the shape of a canonical URL's path and query. Its memory is used
// again by the next read.
func (s *shape) read(path, query string) {
	s.pattern, s.variable = appendForm(append(s.pattern[:0], '^'), path)
	s.path, s.names = len(s.pattern), s.names[:0]
	if query != "" {
		s.variable = true
		s.readNames(query)
		s.pattern = append(s.pattern, `\?(?:(?:`...)
		s.pattern = append(s.pattern, bytes.Join(s.names, []byte{'|'})...)
		s.pattern = append(s.pattern, `)(?:=[^&]*)?(?:&|$))+`...)
	}
	s.pattern = append(s.pattern, '$')
}

func (s *shape) readNames(query string) {
	for param := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(param, "=")
		form, _ := appendForm(nil, name)
		s.names = append(s.names, form)
	}
	slices.SortFunc(s.names, bytes.Compare)
	s.names = slices.CompactFunc(s.names, bytes.Equal)
}

// appendForm appends a regular expression for text with its numbers and tokens
// generalised, and reports whether there were any.
func appendForm(dst []byte, text string) (form []byte, variable bool) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case isWordByte(c):
			end := i + 1
			for end < len(text) && isWordByte(text[end]) {
				end++
			}
			var varies bool
			dst, varies = appendWord(dst, text[i:end])
			variable, i = variable || varies, end
		case c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]): // whose digits are no number
			dst, i = append(dst, text[i:i+3]...), i+3
		default:
			dst, i = appendQuoted(dst, c), i+1
		}
	}
	return dst, variable
}

func appendWord(dst []byte, word string) (form []byte, variable bool) {
	if isToken(word) {
		return append(dst, `[\w-]+`...), true
	}
	for i := range len(word) {
		switch {
		case !isDigit(word[i]):
			dst = append(dst, word[i])
		case i == 0 || !isDigit(word[i-1]):
			dst, variable = append(dst, `\d+`...), true
		}
	}
	return dst, variable
}

func appendQuoted(dst []byte, c byte) []byte {
	if strings.IndexByte(`\.+*?()|[]{}^$`, c) >= 0 {
		dst = append(dst, '\\')
	}
	return append(dst, c)
}

// minToken is the shortest word in bytes that may be a token.
const minToken = 16

// isToken reports whether a word was made by a machine: hexadecimal, a UUID, or
// one in which digits, small and capital letters change all the time, as in base64.
func isToken(word string) bool {
	if len(word) < minToken {
		return false
	}
	hex, dashes, digits, letters, changes := true, 0, 0, 0, 0
	for i := range len(word) {
		c := word[i]
		switch {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
			hex = hex && isHex(c)
		default:
			dashes++
			continue
		}
		if i > 0 && byteClass(word[i-1]) != 0 && byteClass(word[i-1]) != byteClass(c) {
			changes++
		}
	}
	switch {
	case digits == 0 || letters == 0:
		return false
	case hex && (dashes == 0 || dashes == 4 && len(word) == len("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")):
		return true
	}
	return changes*4 >= len(word)
}

// byteClass tells digits, small and capital letters apart; 0 is none of them.
func byteClass(c byte) byte {
	switch {
	case isDigit(c):
		return 1
	case isLetter(c):
		return 2 + c&0x20
	}
	return 0
}
