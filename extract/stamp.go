package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// stamp is a date the page's own markup gives.
type stamp struct {
	value     string
	block     int  // the block it stands at
	published bool // itemprop says what date it is
	modified  bool
	other     bool // it is of something that the page holds or lists
}

func (w *walker) noteDate(n *html.Node, a *attrs, in where) {
	s := stamp{
		published: a.itemprop == "datePublished",
		modified:  a.itemprop == "dateModified",
		block:     len(w.text.spans),
	}
	timed := n.DataAtom == atom.Time && a.datetime != "" && in&muted == 0
	if !timed && !s.published && !s.modified || len(w.found.dates) >= maxDates {
		return
	}
	s.value = firstOf(a.datetime, a.content)
	if s.value == "" {
		s.value = textOf(n, 64)
	}
	s.other = isOthers(n, !s.published && !s.modified)
	w.found.dates = append(w.found.dates, s)
}

// isOthers reports whether a date stands in something that has dates of its own: an
// item of another type than a page's, a comment, an event; a loose one also in a
// link, a table row, or an item of a list of links.
func isOthers(n *html.Node, loose bool) bool {
	if !isPageType(itemType(n)) {
		return true
	}
	listed := false
	for p := n; p != nil; p = p.Parent {
		switch p.DataAtom {
		case atom.A, atom.Tr:
			if loose {
				return true
			}
		case atom.Li:
			if loose && !listed && holdsLink(p) {
				return true
			}
			listed = true
		}
		a := attrsOf(p)
		if hasOthersName(a.class, loose) || hasOthersName(a.id, loose) {
			return true
		}
	}
	return false
}

// holdsLink looks at the first nodes under an item of a list.
func holdsLink(root *html.Node) bool {
	count := 0
	for n := range root.Descendants() {
		if n.DataAtom == atom.A {
			return true
		}
		if count++; count > 100 {
			break
		}
	}
	return false
}

// hasOthersName knows the names that comments have in class and id, and for a loose
// date those of events.
func hasOthersName(names string, loose bool) bool {
	for name := range strings.FieldsSeq(strings.ToLower(names)) {
		switch name {
		case "comment", "comments", "commentlist", "comment-list", "comments-area", "comment-body":
			return true
		case "vevent", "dtstart", "dtend":
			return loose
		}
		for _, prefix := range [...]string{"event", "tribe-event", "calendar", "kalender", "arrangement"} {
			if loose && strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}

// isPageType reports whether an item of that type of schema.org can be the page
// itself, so that its dates are the page's. A book, a film or a product is not.
func isPageType(name string) bool {
	switch name {
	case "", "CreativeWork", "Report", "Recipe", "HowTo":
		return true
	}
	return strings.HasSuffix(name, "Article") || strings.HasSuffix(name, "Page") || strings.HasSuffix(name, "Posting")
}

// lastName returns the name of a type that may be written as an address.
func lastName(name string) string {
	name = strings.TrimRight(strings.TrimSpace(name), "/")
	return name[strings.LastIndexAny(name, "/:#")+1:]
}

// marked returns the first day of the stamps that are wanted. More than two
// different days are those of other things, and none of them is the page's.
func (v *view) marked(want func(*view, *stamp) bool) string {
	var days []string
	for i := range v.found.dates {
		s := &v.found.dates[i]
		if s.other || !want(v, s) {
			continue
		}
		if day := dayOf(s.value, v.zone()); day != "" && !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	if len(days) == 0 || len(days) > 2 {
		return ""
	}
	return days[0]
}

// maxByline is how long a block is in which a date stands for the page: in running
// text it is what the text tells of.
const maxByline = 120

// isByline reports whether a loose date stands where a page names its own: in the
// content, in a short block, under the page's heading and no other.
func (v *view) isByline(s *stamp) bool {
	if s.published || s.modified || v.linked.event || !covers(v.content, s.block) {
		return false
	}
	if s.block < len(v.walk.text.spans) {
		if b := v.walk.text.spans[s.block]; b.to-b.from > maxByline {
			return false
		}
	}
	heads := 0
	for _, h := range v.found.heads {
		if h.block > s.block || !covers(v.content, h.block) {
			continue
		}
		if heads++; heads > 1 || h.node.DataAtom != atom.H1 && (isLinked(h.node) || v.walk.regions.articles > 1) {
			return false
		}
	}
	return heads > 0 || v.walk.regions.articles <= 1
}

func covers(ranges []span, block int) bool {
	for _, r := range ranges {
		if r.from <= block && block < r.to {
			return true
		}
	}
	return false
}
