package trap

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"sitesync/internal/weburl"
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

// read makes s the shape of a canonical URL. Its memory is used again by the next
// read.
func (s *shape) read(url string) {
	path, query, _ := strings.Cut(weburl.Target(url), "?")
	s.pattern, s.variable = appendForm(append(s.pattern[:0], '^'), path)
	s.path, s.names = len(s.pattern), s.names[:0]
	if query != "" {
		s.variable = true
		for param := range strings.SplitSeq(query, "&") {
			name, _, _ := strings.Cut(param, "=")
			s.names = append(s.names, []byte(formOf(name)))
		}
		slices.SortFunc(s.names, bytes.Compare)
		s.names = slices.CompactFunc(s.names, bytes.Equal)
		s.pattern = append(s.pattern, `\?(?:(?:`...)
		s.pattern = append(s.pattern, bytes.Join(s.names, []byte{'|'})...)
		s.pattern = append(s.pattern, `)(?:=[^&]*)?(?:&|$))+`...)
	}
	s.pattern = append(s.pattern, '$')
}

func formOf(text string) string {
	form, _ := appendForm(nil, text)
	return string(form)
}

// appendForm appends a regular expression for text with its numbers and tokens
// generalised, and reports whether there were any.
func appendForm(dst []byte, text string) (form []byte, variable bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]): // whose digits are no number
			dst, i = append(dst, text[i:i+3]...), i+2
		case !isWordByte(c):
			if strings.IndexByte(`\.+*?()|[]{}^$`, c) >= 0 {
				dst = append(dst, '\\')
			}
			dst = append(dst, c)
		default:
			end := i + 1
			for end < len(text) && isWordByte(text[end]) {
				end++
			}
			word := text[i:end]
			i = end - 1
			if isToken(word) {
				dst, variable = append(dst, `[\w-]+`...), true
				continue
			}
			for at := range len(word) {
				switch {
				case !isDigit(word[at]):
					dst = append(dst, word[at])
				case at == 0 || !isDigit(word[at-1]):
					dst, variable = append(dst, `\d+`...), true
				}
			}
		}
	}
	return dst, variable
}

// hexadecimal is how numbers and UUIDs are written.
var hexadecimal = regexp.MustCompile(`(?i)^(?:[0-9a-f]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// isToken reports whether a word of 16 bytes or more was made by a machine:
// hexadecimal, a UUID, or one in which digits, small and capital letters change all
// the time, as in base64.
func isToken(word string) bool {
	if len(word) < 16 || !strings.ContainsAny(word, "0123456789") || !hasLetter(word) {
		return false
	}
	changes := 0
	for i := range len(word) - 1 {
		if a, b := byteClass(word[i]), byteClass(word[i+1]); a != 0 && b != 0 && a != b {
			changes++
		}
	}
	return changes*4 >= len(word) || hexadecimal.MatchString(word)
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

func isLetter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isHex(c byte) bool      { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
func isWordByte(c byte) bool { return isDigit(c) || isLetter(c) || c == '-' || c == '_' }
