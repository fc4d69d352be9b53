package extract

import (
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/internal/weburl"
)

// categoryField names the part of the site that a page belongs to.
var categoryField = defaultField{"Category", slices.Concat(
	[]source{
		{"breadcrumb", func(v *view) string { return v.part(v.Extractor.trail(v.found.crumbs)) }},
		{"jsonld:BreadcrumbList", func(v *view) string { return v.part(v.linked.crumbs) }},
		{"jsonld:articleSection", func(v *view) string { return v.linked.section }},
	},
	metas("category", "article:section"),
	[]source{{"path:1", func(v *view) string { return pathCategory(v.page.URL, v.lang) }}},
), clipped(maxCategory)}

// crumb is an item of a breadcrumb trail.
type crumb struct {
	name string
	link string // as it stands; empty: none
}

// part returns the name of the first item of a trail that is neither the way to
// the site's first page nor the page itself.
func (v *view) part(trail []crumb) string {
	linked := slices.ContainsFunc(trail, crumb.isLinked)
	for len(trail) > 0 && v.isHome(trail[0]) {
		trail = trail[1:]
	}
	if last := len(trail) - 1; last >= 0 && v.isItself(trail[last], linked) {
		trail = trail[:last]
	}
	if len(trail) == 0 {
		return ""
	}
	return trail[0].name
}

func names(trail []crumb) []string {
	names := make([]string, len(trail))
	for i, c := range trail {
		names[i] = c.name
	}
	return names
}

func (c crumb) isLinked() bool { return c.link != "" }

// isHome knows the site's first page, or that of a language, by its address, the
// site's name, or what it is usually called.
func (v *view) isHome(c crumb) bool {
	name := strings.ToLower(strings.Trim(c.name, " :"))
	if name == "" || strings.EqualFold(name, v.found.meta("og:site_name")) {
		return true
	}
	if v.isFrontAddress(c.link) {
		return true
	}
	switch name {
	case "home", "homepage", "front page", "start", "forside", "forsiden", "hjem", "til forsiden", "startsida", "hem", "startsiden", "startseite",
		"startpagina", "accueil", "inicio", "início", "etusivu", "strona główna", "domů", "kezdőlap", "acasă", "главная", "αρχική",
		"you are here", "du er her", "du är här", "sie sind hier", "sie befinden sich hier", "vous êtes ici":
		return true
	}
	return false
}

// isFrontAddress reports whether a link leads to the first page of the page's host:
// to its root, or to the folder of a language.
func (v *view) isFrontAddress(link string) bool {
	address := rooted(link)
	if address == "" || strings.Contains(address, "?") || strings.Contains(link, "://") && weburl.Host(link) != weburl.Host(v.page.URL) {
		return false
	}
	parts := segments(address)
	return len(parts) == 0 || len(parts) == 1 && v.lang != "" && primary(parts[0]) == v.lang
}

// isItself reports whether the last item of a trail is the page: by its name, its
// address, or as the one without a link among others that have one.
func (v *view) isItself(last crumb, othersLinked bool) bool {
	switch {
	case slices.ContainsFunc(v.titles, func(title string) bool { return strings.EqualFold(title, last.name) }):
		return true
	case !last.isLinked():
		return othersLinked
	}
	address := rooted(last.link)
	return strings.HasPrefix(last.link, "#") || address != "" && strings.TrimSuffix(address, "/") == strings.TrimSuffix(rooted(v.page.URL), "/")
}

// rooted returns the path and query of a link; empty where they hang on the page's
// own.
func rooted(link string) string {
	link, _, _ = strings.Cut(link, "#")
	if _, rest, found := strings.Cut(link, "://"); found {
		_, path, _ := strings.Cut(rest, "/")
		return "/" + path
	}
	if strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "//") {
		return link
	}
	return ""
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
func (e *Extractor) trail(candidates []*html.Node) []crumb {
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
func (e *Extractor) items(trail *goquery.Document) []crumb {
	items := trail.FindMatcher(e.crumbs)
	if items.Length() < 2 {
		items = trail.FindMatcher(e.links)
	}
	var crumbs []crumb
	for i, n := range items.Nodes {
		name := strings.Trim(textOf(n, maxCategory), " /|>»›→·•-–")
		link, linked := items.Eq(i).FindMatcher(e.links).Attr("href")
		if n.DataAtom == atom.A {
			link, linked = items.Eq(i).Attr("href")
		}
		if name == "" && n.DataAtom != atom.A && !linked {
			continue
		}
		if crumbs = append(crumbs, crumb{name, strings.TrimSpace(link)}); len(crumbs) > maxCrumbs {
			break
		}
	}
	return crumbs
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
