package trap

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sitesync/internal/weburl"
)

// Kind is a way in which URLs lead on without end. Of several that hold a URL back
// the first is the one that is reported.
type Kind byte

// The kinds.
const (
	Repeat   Kind = iota // the path repeats itself
	Session              // session IDs
	Same                 // pages of one shape with one text
	Chain                // pages of one shape, found one by one
	Combined             // three parameters or more, in all their combinations
	Couple               // two
	Shape                // pages of one shape
	Name                 // pages of one path with one parameter
	Pair                 // no trap: how often a parameter has a value
	body                 // no trap: how often pages of one shape have one text
)

// counted reports whether URLs are counted for a kind as they are queued.
func (k Kind) counted() bool { return k != Repeat && k != Same && k != Chain }

// Limits are how many URLs of a pattern are asked that no sitemap lists.
type Limits [body]int

var defaultLimits = Limits{
	Session:  50,     // each is a page that has another address too
	Same:     50,     // empty days of a calendar; few sites have as many pages without a word of their own
	Chain:    300,    // new ones, in one run; longer paginations are rare, and continue when their last page is read again
	Combined: 1_000,  // filters of a shop show the same goods again and again
	Couple:   10_000, // a category and a page number are two parameters as well
	Shape:    10_000, // a section with more unlisted pages than that needs a sitemap
	Name:     10_000, // the same, for parameters that come and go
	Pair:     10,     // a value in fewer URLs is not combined but names a page of its own
}

// why says in words why URLs of a pattern are left out.
func (l Limits) why(kind Kind, example string) string {
	switch kind {
	case Repeat:
		return "the path repeats itself, as a relative link that stands on every page makes it"
	case Session:
		name, _ := weburl.SessionParam(example)
		return name + " names sessions, not pages; put it into site.ignore_params"
	case Same:
		return fmt.Sprintf("%d of their pages differ in digits alone", l[kind])
	case Chain:
		return fmt.Sprintf("%d were found in this run one behind the other", l[kind])
	case Combined, Couple:
		return fmt.Sprintf("%d combinations of these parameters are looked at", l[kind])
	}
	return fmt.Sprintf("%d of them are looked at", l[kind])
}

// pattern is a pattern in which a URL counts: a regular expression, except for Pair.
type pattern struct {
	kind Kind
	text string
}

// patternsOf returns the patterns of a canonical URL, all of which match it.
func patternsOf(url string) (all []pattern) {
	target, path := weburl.Target(url), weburl.Path(url)
	if text := repeated(path); text != "" {
		all = append(all, pattern{Repeat, text})
	}
	if _, text := weburl.SessionParam(target); text != "" {
		all = append(all, pattern{Session, text})
	}
	query := target[len(path):]
	if query == "" && !strings.ContainsAny(path, digits) { // most: nothing varies
		return all
	}
	s := shapeOf(url)
	if !s.variable {
		return all
	}
	all = append(all, pattern{Same, s.pattern}, pattern{Chain, s.pattern})
	if n := len(s.names); n >= 2 {
		kind := Couple
		if n > 2 {
			kind = Combined
		}
		// The path is no part of it: a shop has the same filters on every shelf.
		all = append(all, pattern{kind, s.pattern[s.path:]})
		for pair := range strings.SplitSeq(query[1:], "&") {
			all = append(all, pattern{Pair, pair})
		}
	}
	all = append(all, pattern{Shape, s.pattern})
	for _, name := range s.names {
		all = append(all, pattern{Name, s.pattern[:s.path] + `\?(?:.*&)?` + name + `(?:[=&]|$)`})
	}
	return all
}

// A path may not hold the same segments three times in a row, nor one of them four
// times.
const (
	repeatRow = 3
	repeatAll = 4
	maxParts  = 64 // segments that are looked at
)

// repeated returns a pattern of paths that hold the same segments again and again,
// as a relative link that stands on every page makes them: three times in a row
// (/a/b/a/b/a/b), or one segment four times. It is empty when path does not.
// Segments without a letter don't count: a date may well be /11/11/11.
func repeated(path string) string {
	if strings.Count(path, "/") < repeatRow {
		return ""
	}
	parts := strings.SplitN(path[1:], "/", maxParts+1)
	parts = parts[:min(len(parts), maxParts)]
	for period := 1; period*repeatRow <= len(parts); period++ {
		for i := period; i+period*(repeatRow-1) <= len(parts); i++ {
			unit := parts[i-period : i]
			if slices.Equal(unit, parts[i:i+period]) && slices.Equal(unit, parts[i+period:i+2*period]) && slices.ContainsFunc(unit, hasLetter) {
				form, _ := formOf(strings.Join(unit, "/"))
				return `(?:/` + form + `){3}(?:[/?]|$)`
			}
		}
	}
	for i, part := range parts {
		times := 1
		for _, other := range parts[i+1:] {
			if other == part {
				times++
			}
		}
		if times >= repeatAll && hasLetter(part) {
			form, _ := formOf(part)
			return `(?:/` + form + `(?:/[^?]*)?){3}/` + form + `(?:[/?]|$)`
		}
	}
	return ""
}

// shape is the form of a URL: a regular expression on path and query, as
// site.exclude takes it after "re:", that matches the URL and all those that
// differ from it only in numbers, in tokens such as UUIDs, and in the values and
// the order of their parameters. Words stay: pages that are told apart by words
// were named by somebody.
type shape struct {
	pattern  string   // begins with "^" and ends with "$"
	path     int      // bytes of the pattern that stand for the path
	names    []string // patterns of the parameters' names, sorted, each once
	variable bool     // other URLs have this form too: it has a number, a token or a query
}

func shapeOf(url string) shape {
	path, query, _ := strings.Cut(weburl.Target(url), "?")
	form, variable := formOf(path)
	s := shape{pattern: "^" + form, path: 1 + len(form), variable: variable || query != ""}
	if query != "" {
		for param := range strings.SplitSeq(query, "&") {
			name, _, _ := strings.Cut(param, "=")
			name, _ = formOf(name)
			s.names = append(s.names, name)
		}
		slices.Sort(s.names)
		s.names = slices.Compact(s.names)
		s.pattern += `\?(?:(?:` + strings.Join(s.names, "|") + `)(?:=[^&]*)?(?:&|$))+`
	}
	s.pattern += "$"
	return s
}

const digits = "0123456789"

// hexadecimal is how numbers and UUIDs are written.
var hexadecimal = regexp.MustCompile(`(?i)^(?:[0-9a-f]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// formOf returns a regular expression for text with its numbers and tokens
// generalised, and reports whether there were any. It reads bytes by hand because every
// known URL passes here each night: regular expressions take ten times as long.
func formOf(text string) (form string, variable bool) {
	if !strings.ContainsAny(text, digits) {
		return regexp.QuoteMeta(text), false
	}
	dst := make([]byte, 0, 2*len(text))
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
	return string(dst), variable
}

// isToken reports whether a word of 16 bytes or more was made by a machine:
// hexadecimal, a UUID, or one in which digits, small and capital letters change all
// the time, as in base64.
func isToken(word string) bool {
	if len(word) < 16 || !strings.ContainsAny(word, digits) || !hasLetter(word) {
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

// byteClass tells digits, small and capital letters apart; 0 is any other.
func byteClass(c byte) byte {
	switch {
	case isDigit(c):
		return 1
	case isLetter(c):
		return 2 + c&0x20
	}
	return 0
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) })
}

func isLetter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isHex(c byte) bool      { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
func isWordByte(c byte) bool { return isDigit(c) || isLetter(c) || c == '-' || c == '_' }
