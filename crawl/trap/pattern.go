package trap

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/weburl"
)

// kind says which trap a pattern finds, or which pages it counts. If several kinds leave a URL out, the first
// of the constants below is reported.
type kind byte

const (
	repeat  kind = iota // the path repeats a segment
	session             // the query holds a session ID
	shape               // many URLs differ only in numbers, tokens or parameters
	pair                // no trap: counts the URLs that have a parameter with a certain value
	text                // no trap: counts the pages of one shape that have the same text
)

// pattern identifies a group of URLs that are counted together. Its text is a regular expression, except for
// the kinds pair and text.
type pattern struct {
	kind kind
	text string
}

func (p pattern) key(host int) uint64 {
	var h xxhash.Digest
	h.ResetWithSeed(uint64(p.kind)<<32 | uint64(host))
	_, _ = h.WriteString(p.text)
	return h.Sum64()
}

func patternsOf(url string) (all []pattern) {
	target, path := weburl.Target(url), weburl.Path(url)
	if form := repeated(path); form != "" {
		all = append(all, pattern{repeat, form})
	}
	if _, form := weburl.SessionParam(target); form != "" {
		all = append(all, pattern{session, form})
	}
	form, variable := shapeOf(url)
	if variable {
		all = append(all, pattern{shape, form})
	}
	if strings.HasSuffix(form, combined) {
		for param := range strings.SplitSeq(target[len(path)+1:], "&") {
			all = append(all, pattern{pair, param})
		}
	}
	return all
}

const mostAlike = 3

// repeated returns a pattern for paths that repeat a segment more often than mostAlike, or "" if path does
// not. A relative link that is on every page makes such paths. Segments without a letter are ignored, because
// a date may be /11/11/11.
func repeated(path string) string {
	times := map[string]int{}
	for part := range strings.SplitSeq(path[1:], "/") {
		times[part]++
		if times[part] > mostAlike && hasLetter(part) {
			form, _ := formOf(part)
			return `(?:/` + form + `(?:/[^?]*)?){3}/` + form + `(?:[/?]|$)`
		}
	}
	return ""
}

// combined is the end of the shape of every URL with three or more parameters.
const combined = `\?(?:[^&]*&){2}`

// shapeOf returns the shape of a URL: a regular expression on path and query, as site.exclude takes it after
// "re:". It matches URLs that differ only in numbers, in tokens such as UUIDs, or in the values and order of
// parameters. With three or more parameters, their names may differ too. variable is true if the URL has a
// number, a token or a query.
func shapeOf(url string) (form string, variable bool) {
	path, query, _ := strings.Cut(weburl.Target(url), "?")
	form, variable = formOf(path)
	if query == "" {
		return "^" + form + "$", variable
	}
	var names []string
	for param := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(param, "=")
		name, _ = formOf(name)
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) > 2 {
		return "^" + form + combined, true
	}
	return "^" + form + `\?(?:(?:` + strings.Join(names, "|") + `)(?:=[^&]*)?(?:&|$))+$`, true
}

const digits = "0123456789"

var (
	number = regexp.MustCompile(`\d+`)
	// piece matches a word, a percent-encoded byte, or any other character.
	piece = regexp.MustCompile(`(?s)[\w-]+|%[[:xdigit:]]{2}|.`)
	// token matches machine-made text: a long number, a UUID, letters and digits as in base64.
	token = regexp.MustCompile(`(?i)^(?:[0-9a-f]{16,}|[0-9a-z]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)
)

// formOf returns a regular expression for texts that differ from text only in numbers and tokens. variable is
// true if text has any.
func formOf(text string) (form string, variable bool) {
	if !strings.ContainsAny(text, digits) {
		return regexp.QuoteMeta(text), false
	}
	form = piece.ReplaceAllStringFunc(text, func(word string) string {
		varies := strings.ContainsAny(word, digits)
		switch {
		case word[0] == '%' && len(word) > 1:
			return word
		case varies && hasLetter(word) && token.MatchString(word):
			variable = true
			return `[\w-]+`
		}
		variable = variable || varies
		return number.ReplaceAllLiteralString(regexp.QuoteMeta(word), `\d+`)
	})
	return form, variable
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
