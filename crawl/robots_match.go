package crawl

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/weburl"
)

// robotsRule is one Allow or Disallow line.
type robotsRule struct {
	allow   bool
	line    string // as written, without comment
	pattern weburl.Wildcard
	octets  int // length of the pattern in its one form
}

// newRobotsRule returns the rule of a line. ok is false for a value that is no
// path pattern: an empty one matches nothing, and one that begins with neither
// "/" nor "*" never could.
func newRobotsRule(allow bool, line, value string) (rule robotsRule, ok bool) {
	if value == "" || value[0] != '/' && value[0] != '*' {
		return robotsRule{}, false
	}
	octets := 0
	value, toEnd := strings.CutSuffix(value, "$")
	if toEnd {
		octets++
	}
	// Split before decoding: "%2A" is a star to be matched, "*" is any text.
	pattern := weburl.NewWildcard(value, toEnd)
	octets += len(pattern.Pieces) - 1
	query := false
	for i, piece := range pattern.Pieces {
		pattern.Pieces[i] = robotsFormFrom(piece, query)
		query = query || strings.Contains(piece, "?")
		octets += len(pattern.Pieces[i])
	}
	return robotsRule{allow: allow, line: clip(line, maxShown), pattern: pattern, octets: octets}, true
}

// sortRobotsRules puts the rule first that wins over all that match with it.
func sortRobotsRules(rules []robotsRule) {
	slices.SortStableFunc(rules, func(a, b robotsRule) int {
		if a.octets == b.octets && a.allow != b.allow {
			if a.allow {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.octets, a.octets)
	})
}

// robotsForm returns the one spelling of a path that rules and URLs are
// compared in.
func robotsForm(path string) string { return robotsFormFrom(path, false) }

// robotsFormFrom brings s to the one form of RFC 9309, section 2.2.2:
// percent-encoded what may not stand bare, bare what need not be encoded, and
// encodings kept only where they mean something else than the character: "/"
// in a path, "?", "&", "=", "+" and "#" anywhere. query tells whether s begins
// inside a query.
func robotsFormFrom(s string, query bool) string {
	if robotsPlain(s) {
		return s
	}
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); i++ {
		c, encoded := s[i], false
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			c, encoded = robotsUnhex(s[i+1])<<4|robotsUnhex(s[i+2]), true
			i += 2
		}
		query = query || c == '?' && !encoded
		if robotsBare(c, encoded, query) {
			out = append(out, c)
		} else {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}

// robotsPlain reports whether s is in its one form already.
func robotsPlain(s string) bool {
	for i := range len(s) {
		if !robotsBare(s[i], false, false) {
			return false
		}
	}
	return true
}

// robotsBare reports whether the character c stands bare in the one form.
func robotsBare(c byte, encoded, query bool) bool {
	if isLetter(c) || isDigit(c) {
		return true
	}
	switch c {
	case '-', '.', '_', '~', ':', '@', '!', '$', '\'', '(', ')', '*', ',', ';', '[', ']':
		return true
	case '/':
		return !encoded || query
	case '?', '&', '=', '+', '#':
		return !encoded
	}
	return false
}

func robotsUnhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
