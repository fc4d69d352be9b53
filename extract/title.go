package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// titles returns the candidates for Title, best first. A heading that the
// <title> repeats is the page's name, and the rest of the <title> the site's;
// else og:title is asked, the <title>, and the h1.
func (f *findings) titles(url string) []string {
	heads := f.headings()
	own, h1 := firstHeading(heads, heading.isOwnH1), firstHeading(heads, heading.isH1)
	og := clip(f.meta("og:title"), maxTitle)
	ranked := []string{agreed(heads, f.title), og, f.title, own, h1}
	if f.title == "" {
		ranked = []string{own, og, h1}
	}
	var titles []string
	for _, t := range ranked {
		if t != "" && !slices.Contains(titles, t) {
			titles = append(titles, t)
		}
	}
	if len(titles) > 0 {
		return titles
	}
	return []string{firstOf(firstHeading(heads, heading.isAny), nameOf(url), clip(clean(hostOf(url)), maxTitle))}
}

// heading is a head with its text.
type heading struct {
	text    string
	h1, own bool
}

func (h heading) isAny() bool   { return true }
func (h heading) isH1() bool    { return h.h1 }
func (h heading) isOwnH1() bool { return h.h1 && h.own }

func (f *findings) headings() []heading {
	heads := make([]heading, 0, len(f.heads))
	for _, h := range f.heads {
		if text := textOf(h.node, maxTitle); text != "" {
			heads = append(heads, heading{text, h.node.DataAtom == atom.H1, h.own})
		}
	}
	return heads
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
