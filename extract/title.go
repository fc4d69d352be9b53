package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"sitesync/internal/weburl"
)

// The sources of Title. A heading that the <title> repeats is the page's name, and
// the rest of the <title> the site's. The spare ones are for pages without any other.
var (
	titleSources = []source{
		{"h1 in title", func(v *view) string {
			if v.found.title == "" {
				return firstHeading(v.headings(), heading.isOwnH1)
			}
			return agreed(v.headings(), v.found.title)
		}},
		og("title"),
		{"title", func(v *view) string { return v.found.title }},
		{"h1", func(v *view) string { return firstHeading(v.headings(), heading.isOwnH1) }},
		{"h1 of the frame", func(v *view) string { return firstHeading(v.headings(), heading.isH1) }},
	}
	spareTitles   = append([]source{{"heading", func(v *view) string { return firstHeading(v.headings(), heading.isAny) }}}, addressTitles...)
	addressTitles = []source{
		{"path", func(v *view) string { return nameOf(v.page.URL) }},
		{"host", func(v *view) string { return clean(weburl.Host(v.page.URL)) }},
	}
)

// allTitles returns the candidates for Title, best first.
func (v *view) allTitles() []string {
	titles := v.candidates(nil, titleSources, len(titleSources))
	if len(titles) == 0 || v.trace != nil {
		titles = v.candidates(titles, spareTitles, 1)
	}
	return titles
}

// candidates adds what the sources give to titles, until there are as many.
func (v *view) candidates(titles []string, sources []source, most int) []string {
	for i := range sources {
		value := clip(sources[i].get(v), maxTitle)
		v.tell("Title", sources[i].name, value, len(titles) == 0 && value != "")
		if value != "" && len(titles) < most && !slices.Contains(titles, value) {
			titles = append(titles, value)
		}
	}
	return titles
}

// heading is a head with its text.
type heading struct {
	text    string
	h1, own bool
}

func (h heading) isAny() bool   { return true }
func (h heading) isH1() bool    { return h.h1 }
func (h heading) isOwnH1() bool { return h.h1 && h.own }

// headings returns the page's headings that have a text.
func (v *view) headings() []heading {
	if v.heads != nil {
		return v.heads
	}
	v.heads = make([]heading, 0, len(v.found.heads))
	for _, h := range v.found.heads {
		if text := textOf(h.node, maxTitle); text != "" {
			v.heads = append(v.heads, heading{text, h.node.DataAtom == atom.H1, h.own})
		}
	}
	return v.heads
}

// firstHeading returns the text of the first heading that is wanted.
func firstHeading(heads []heading, want func(heading) bool) string {
	for _, h := range heads {
		if want(h) {
			return h.text
		}
	}
	return ""
}

// agreed returns the heading of the page's own that the <title> begins with,
// else ends with; a h1 before the others.
func agreed(heads []heading, title string) string {
	agree := func(with func(title, name string) bool, h1 bool) string {
		return firstHeading(heads, func(h heading) bool { return h.own && (h.h1 || !h1) && with(title, h.text) })
	}
	return firstOf(agree(leads, true), agree(leads, false), agree(trails, true), agree(trails, false))
}

// leads reports whether title is name, or name, a separator and more.
func leads(title, name string) bool {
	if !hasFoldPrefix(title, name) {
		return false
	}
	rest := title[len(name):]
	return rest == "" || isSeparator(rest)
}

// trails reports whether title is something, a separator and name.
func trails(title, name string) bool {
	at := len(title) - len(name)
	if at <= 0 || !utf8.RuneStart(title[at]) || !strings.EqualFold(title[at:], name) {
		return false
	}
	before := strings.TrimRight(title[:at], " ")
	r, size := utf8.DecodeLastRuneInString(before)
	return isSeparator(before[len(before)-size:]+" ") || at > len(before) && strings.ContainsRune("-/", r)
}

func hasFoldPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// isSeparator reports whether s begins with what divides a page's name from its
// site's. A hyphen or a slash divides only between spaces.
func isSeparator(s string) bool {
	after := strings.TrimLeft(s, " ")
	r, size := utf8.DecodeRuneInString(after)
	if strings.ContainsRune("-/", r) {
		return len(after) < len(s) && strings.HasPrefix(after[size:], " ")
	}
	return strings.ContainsRune("|–—·•:»›«‹~", r)
}
