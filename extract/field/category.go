package field

import (
	"net/url"
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
	"sitesync/internal/weburl"
)

var categoryField = defaultField{"Category", slices.Concat(
	[]source{
		{"breadcrumb", func(v *Evidence) string { return v.part(trailOf(v.Found.Crumbs)) }},
		{"jsonld:BreadcrumbList", func(v *Evidence) string { return v.part(v.linked.crumbs) }},
		{"jsonld:articleSection", func(v *Evidence) string { return v.linked.section }},
	},
	metas("category", "article:section"),
	[]source{{"path:1", func(v *Evidence) string { return pathCategory(v.Page.URL, v.lang) }}},
), clipped(maxCategory)}

// crumb is an item of a breadcrumb trail, the list of links to parent pages.
type crumb struct {
	name     string
	link     string
	position float64
}

// part returns the first item of a breadcrumb trail that is neither the site's home page nor the page itself.
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

// isHome reports whether an item is the home page of the site or of one language, by its name or its address.
func (v *Evidence) isHome(c crumb) bool {
	name := strings.ToLower(strings.Trim(c.name, " :"))
	if name == "" || strings.EqualFold(name, v.Found.Meta("og:site_name")) || markup.WordOf(name)&markup.Home != 0 {
		return true
	}
	address := rooted(c.link)
	isForeign := strings.Contains(c.link, "://") && weburl.Host(c.link) != weburl.Host(v.Page.URL)
	if address == "" || isForeign || strings.Contains(address, "?") {
		return false
	}
	parts := segments(address)
	return len(parts) == 0 || len(parts) == 1 && isLanguage(parts[0], v.lang)
}

// isItself reports whether the item is the page itself: by name, by URL, or as the only item without a link.
func (v *Evidence) isItself(item crumb, othersLinked bool) bool {
	switch {
	case slices.ContainsFunc(v.titles, func(title string) bool { return strings.EqualFold(title, item.name) }):
		return true
	case item.link == "":
		return othersLinked
	}
	address, own := rooted(item.link), rooted(v.Page.URL)
	isOwn := address != "" && strings.TrimSuffix(address, "/") == strings.TrimSuffix(own, "/")
	return isOwn || strings.HasPrefix(item.link, "#")
}

// rooted returns the path and query of a link, or "" if the link is relative to the page.
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

func segments(address string) (parts []string) {
	for part := range strings.FieldsFuncSeq(weburl.Path(address), func(r rune) bool { return r == '/' }) {
		if decoded, err := url.PathUnescape(part); err == nil {
			part = decoded
		}
		parts = append(parts, part)
	}
	return parts
}

const maxCrumbs = 12

func trailOf(candidates []*html.Node) []crumb {
	for _, n := range candidates {
		if items := crumbsOf(n); len(items) > 1 && len(items) <= maxCrumbs {
			return items
		}
	}
	return nil
}

var (
	trailItems = cascadia.MustCompile("li, [itemprop=itemListElement]")
	trailLinks = cascadia.MustCompile("a")
)

// crumbsOf returns the list items of a trail, or its links if it has fewer than two list items. It skips
// items without text or link, which are separators. A linked picture, such as a house, is an item.
func crumbsOf(trail *html.Node) (crumbs []crumb) {
	items := cascadia.QueryAll(trail, trailItems)
	if len(items) < 2 {
		items = cascadia.QueryAll(trail, trailLinks)
	}
	for _, n := range items {
		c, link, linked := crumb{name: strings.Trim(markup.TextOf(n, maxCategory), " /|>»›→·•-–")}, n, false
		if n.DataAtom != atom.A {
			link = cascadia.Query(n, trailLinks)
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

// isLanguage reports whether a folder is named after lang, the page's language. A folder such as "de" or
// "pt-br" counts for any page, because few folders of another kind have such names.
func isLanguage(folder, lang string) bool {
	tag, isTag := primarySubtag(folder), len(folder) == 2 || len(folder) == 5
	return tag != "" && tag == lang || isTag && slices.Contains(markup.Listed("folder"), tag)
}

// pathCategory returns a URL's first folder as words. It returns "" if the URL has no folder, or if the
// folder has a point or no letter. A language folder is skipped.
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
