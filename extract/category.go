package extract

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// category names the part of the site a page belongs to, by the first source
// that gives one: the second item of the breadcrumb trail, JSON-LD, meta
// elements, the first part of the path.
func (e *Extractor) category(url, lang string, f *findings, l *linked) string {
	return firstOf(
		second(e.trail(f.crumbs)),
		second(l.crumbs),
		l.section,
		f.meta("category", "article:section"),
		pathCategory(url, lang),
	)
}

// second returns the item after the site's own.
func second(items []string) string {
	if len(items) < 2 {
		return ""
	}
	return items[1]
}

// isTrail reports whether an element is the breadcrumb trail.
func isTrail(n *html.Node, a *attrs) bool {
	if n.DataAtom == atom.Body || n.DataAtom == atom.Html || n.DataAtom == atom.Script || n.DataAtom == atom.Li {
		return false
	}
	return containsFold(a.class, "breadcrumb") || containsFold(a.id, "breadcrumb") ||
		containsFold(a.label, "breadcrumb") || containsFold(a.label, "brødkrumme") ||
		strings.HasSuffix(a.itemtype, "/BreadcrumbList")
}

func containsFold(s, lower string) bool {
	return len(s) >= len(lower) && strings.Contains(strings.ToLower(s), lower)
}

// trail returns the items of the first breadcrumb trail that has some.
func (e *Extractor) trail(candidates []*html.Node) []string {
	for _, n := range candidates {
		if items := e.items(goquery.NewDocumentFromNode(n)); len(items) > 1 && len(items) <= maxCrumbs {
			return items
		}
	}
	return nil
}

// maxCrumbs tells a trail from a part of the page that is named after it.
const maxCrumbs = 12

// items returns the texts of a trail's list items, else of its links. An item
// may be empty (a picture of a house); a separator is none.
func (e *Extractor) items(trail *goquery.Document) []string {
	items := trail.FindMatcher(e.crumbs)
	if items.Length() < 2 {
		items = trail.FindMatcher(e.links)
	}
	var names []string
	for i, n := range items.Nodes {
		name := strings.Trim(textOf(n, maxCategory), " /|>»›→·•-–")
		if name == "" && n.DataAtom != atom.A && items.Eq(i).FindMatcher(e.links).Length() == 0 {
			continue
		}
		if names = append(names, name); len(names) > maxCrumbs {
			break
		}
	}
	return names
}

// pathCategory titles the first part of a path of two parts or more. The
// language's own folder is no category, nor is a number.
func pathCategory(url, lang string) string {
	parts := segments(url)
	if len(parts) > 0 && lang != "" && primary(parts[0]) == lang {
		parts = parts[1:]
	}
	if len(parts) < 2 || strings.Contains(parts[0], ".") || !hasLetter(parts[0]) {
		return ""
	}
	return titled(parts[0])
}
