package field

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
	"sitesync/internal/weburl"
)

// categoryField names the part of the site that a page belongs to.
var categoryField = defaultField{"Category", slices.Concat(
	[]source{
		{"breadcrumb", func(v *Evidence) string { return v.part(trailOf(v.Found.Crumbs)) }},
		{"jsonld:BreadcrumbList", func(v *Evidence) string { return v.part(v.linked.crumbs) }},
		{"jsonld:articleSection", func(v *Evidence) string { return v.linked.section }},
	},
	metas("category", "article:section"),
	[]source{{"path:1", func(v *Evidence) string { return pathCategory(v.Page.URL, v.lang) }}},
), clipped(maxCategory)}

// crumb is an item of a breadcrumb trail.
type crumb struct {
	name     string
	link     string  // as it stands; empty: none
	position float64 // in JSON-LD
}

// part returns the name of the first item of a trail that is neither the way to
// the site's first page nor the page itself.
func (v *Evidence) part(trail []crumb) string {
	linked := slices.ContainsFunc(trail, func(c crumb) bool { return c.link != "" })
	for len(trail) > 0 && v.isHome(trail[0]) {
		trail = trail[1:]
	}
	if len(trail) == 0 || len(trail) == 1 && v.isItself(trail[0], linked) {
		return ""
	}
	return trail[0].name
}

// isHome knows the site's first page, or that of a language, by the site's name, its
// address, or a usual name of it.
func (v *Evidence) isHome(c crumb) bool {
	name := strings.ToLower(strings.Trim(c.name, " :"))
	if name == "" || strings.EqualFold(name, v.Found.Meta("og:site_name")) || markup.WordOf(name)&markup.Home != 0 {
		return true
	}
	address := rooted(c.link)
	if address == "" || strings.Contains(address, "?") || strings.Contains(c.link, "://") && weburl.Host(c.link) != weburl.Host(v.Page.URL) {
		return false
	}
	parts := segments(address)
	return len(parts) == 0 || len(parts) == 1 && isLanguage(parts[0], v.lang)
}

// isItself reports whether the last item of a trail is the page: by its name, its
// address, or as the one without a link among others that have one.
func (v *Evidence) isItself(last crumb, othersLinked bool) bool {
	switch {
	case slices.ContainsFunc(v.titles, func(title string) bool { return strings.EqualFold(title, last.name) }):
		return true
	case last.link == "":
		return othersLinked
	}
	address := rooted(last.link)
	return strings.HasPrefix(last.link, "#") || address != "" && strings.TrimSuffix(address, "/") == strings.TrimSuffix(rooted(v.Page.URL), "/")
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

// segments returns the parts of a URL's path that are not empty, decoded.
func segments(address string) (parts []string) {
	for part := range strings.FieldsFuncSeq(weburl.Path(address), func(r rune) bool { return r == '/' }) {
		if decoded, err := url.PathUnescape(part); err == nil {
			part = decoded
		}
		parts = append(parts, part)
	}
	return parts
}

// maxCrumbs tells a trail from a part of the page that is named after it.
const maxCrumbs = 12

// trailOf returns the items of the first breadcrumb trail that has some.
func trailOf(candidates []*html.Node) []crumb {
	for _, n := range candidates {
		if items := crumbsOf(n); len(items) > 1 && len(items) <= maxCrumbs {
			return items
		}
	}
	return nil
}

// crumbsOf returns the texts of a trail's list items, else of its links. An item
// may be empty (a picture of a house); a separator doesn't count.
func crumbsOf(trail *html.Node) (crumbs []crumb) {
	items, links := []*html.Node{}, []*html.Node{}
	for n := range trail.Descendants() {
		if n.DataAtom == atom.Li || markup.Attr(n, "itemprop") == "itemListElement" {
			items = append(items, n)
		}
		if n.DataAtom == atom.A {
			links = append(links, n)
		}
	}
	if len(items) < 2 {
		items = links
	}
	for _, n := range items {
		c, link, linked := crumb{name: strings.Trim(markup.TextOf(n, maxCategory), " /|>»›→·•-–")}, n, false
		if n.DataAtom != atom.A {
			link = firstLink(n)
		}
		if link != nil && markup.AttrsOf(link).Linked {
			c.link, linked = strings.TrimSpace(markup.Attr(link, "href")), true
		}
		if c.name == "" && n.DataAtom != atom.A && !linked {
			continue
		}
		crumbs = append(crumbs, c)
		if len(crumbs) > maxCrumbs {
			break
		}
	}
	return crumbs
}

// firstLink returns the first link under root.
func firstLink(root *html.Node) *html.Node {
	for n := range root.Descendants() {
		if n.DataAtom == atom.A {
			return n
		}
	}
	return nil
}

// isLanguage reports whether a folder is named after the language of the page, or after one
// that no other folder is named after ("de", "pt-br").
func isLanguage(folder, lang string) bool {
	tag, isTag := primarySubtag(folder), len(folder) == 2 || len(folder) == 5
	return tag != "" && tag == lang || isTag && slices.Contains(markup.Listed("folder"), tag)
}

// pathCategory titles the first part of a path of two parts or more. The folder of a
// language is no category, nor is a number.
func pathCategory(url, lang string) string {
	parts := segments(url)
	if len(parts) > 0 && isLanguage(parts[0], lang) {
		parts = parts[1:]
	}
	if len(parts) < 2 || strings.Contains(parts[0], ".") || !markup.HasLetter(parts[0]) {
		return ""
	}
	return titled(parts[0])
}
