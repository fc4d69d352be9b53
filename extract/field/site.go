package field

import (
	"regexp"
	"slices"
	"strings"

	"sitesync/extract/markup"
	"sitesync/internal/weburl"
)

// manualTail is the name of the manual that a title is in: "(Harbour 5.4 API)".
var manualTail = regexp.MustCompile(`(?i)\pZ\([^()]+\b(?:API|Manual|Documentation|Reference)\)$`)

// withoutSite returns a title without the parts that name the site or are a program's own
// words, and without those at its end that name what the page is in. A title of such parts
// alone is empty where a h1 has a better one, and stays where none has. A start page keeps
// the name of its site.
func (v *Evidence) withoutSite(title string) string {
	if weburl.Path(v.Page.URL) == "/" {
		return title
	}
	if strings.HasSuffix(title, ")") {
		title = manualTail.ReplaceAllString(title, "")
	}
	parts := markup.PartsOf(title)
	own := slices.DeleteFunc(slices.Clone(parts), func(p markup.TitlePart) bool { return p.Text == "" || v.isSite(p.Text) })
	isProgram := func(p markup.TitlePart) bool {
		return slices.Contains(markup.Listed("template"), strings.ToLower(p.Text))
	}
	if said := slices.DeleteFunc(slices.Clone(own), isProgram); len(said) > 0 {
		own = said
	}
	if len(own) == 0 && v.heading(func(h markup.Head) bool { return isOwnH1(h) && !v.isSite(h.Text) }) != "" {
		return ""
	}
	for len(own) > 1 && v.isAround(own[len(own)-1]) {
		own = own[:len(own)-1]
	}
	if len(own) == 0 || len(own) == len(parts) {
		return title
	}
	var b strings.Builder
	for i, p := range own {
		if i > 0 {
			b.WriteString(p.Before)
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// isSite reports whether a name is the site's: as the page calls it, or as its host.
func (v *Evidence) isSite(name string) bool {
	if v.site == nil {
		host := strings.TrimPrefix(weburl.Host(v.Page.URL), "www.")
		labels := strings.Split(host, ".")
		v.labels = labels[:len(labels)-1]
		for _, one := range append([]string{host, v.Found.Meta("og:site_name"), v.Found.Meta("application-name")}, v.labels...) {
			v.site = append(v.site, markup.Squeezed(one))
		}
	}
	key := markup.Squeezed(name)
	return key != "" && (slices.Contains(v.site, key) ||
		!slices.ContainsFunc(strings.Fields(strings.ToLower(name)), func(word string) bool { return !slices.Contains(v.labels, word) }))
}

// isAround reports whether the last part of a title names what the page is in: a few words with
// the name of the host.
func (v *Evidence) isAround(p markup.TitlePart) bool {
	key := markup.Squeezed(p.Text)
	return !strings.Contains(p.Before, ":") && len(strings.Fields(p.Text)) <= maxSiteWords && slices.ContainsFunc(v.labels, func(label string) bool {
		return len(label) >= leastHostName && strings.Contains(key, markup.Squeezed(label))
	})
}

// What may name the site beside the name of its host.
const (
	maxSiteWords  = 4
	leastHostName = 4 // bytes; shorter ones are in many words
)

// trail returns the breadcrumb trail that the page shows, else the one in its JSON-LD.
func (v *Evidence) trail() []crumb {
	if trail := trailOf(v.Found.Crumbs); trail != nil {
		return trail
	}
	return v.linked.crumbs
}
