package field

import (
	"regexp"
	"slices"
	"strings"

	"sitesync/extract/markup"
	"sitesync/internal/weburl"
)

// manualTail matches the name of a manual at the end of a title, such as "(Harbour 5.4 API)".
var manualTail = regexp.MustCompile(`(?i)\pZ\([^()]+\b(?:API|Manual|Documentation|Reference)\)$`)

// withoutSite removes from a title the site's name, template words such as "archives", and at its end the
// name of a section. It never changes the title of a start page. A title that only names the site gives "" if
// the page has an h1 that says more. Otherwise such a title is returned unchanged.
func (v *Evidence) withoutSite(title string) string {
	if weburl.Path(v.Page.URL) == "/" {
		return title
	}
	if strings.HasSuffix(title, ")") {
		title = manualTail.ReplaceAllString(title, "")
	}
	parts := markup.PartsOf(title)
	own := slices.DeleteFunc(slices.Clone(parts), func(p markup.TitlePart) bool {
		return p.Text == "" || v.isSite(p.Text)
	})
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

// isSite reports whether name is the site's name: the host name, some of its labels, or the name in metadata.
func (v *Evidence) isSite(name string) bool {
	if v.site == nil {
		host := strings.TrimPrefix(weburl.Host(v.Page.URL), "www.")
		labels := strings.Split(host, ".")
		v.labels = labels[:len(labels)-1]
		names := []string{host, v.Found.Meta("og:site_name"), v.Found.Meta("application-name")}
		for _, one := range append(names, v.labels...) {
			v.site = append(v.site, markup.Squeezed(one))
		}
	}
	key := markup.Squeezed(name)
	isOther := func(word string) bool { return !slices.Contains(v.labels, word) }
	words := strings.Fields(strings.ToLower(name))
	return key != "" && (slices.Contains(v.site, key) || !slices.ContainsFunc(words, isOther))
}

// isAround reports whether p, the last part of a title, is a short name that contains a label of the host
// name. Such a part names a section of the site.
func (v *Evidence) isAround(p markup.TitlePart) bool {
	key := markup.Squeezed(p.Text)
	hasLabel := slices.ContainsFunc(v.labels, func(label string) bool {
		return len(label) >= leastHostName && strings.Contains(key, markup.Squeezed(label))
	})
	return hasLabel && !strings.Contains(p.Before, ":") && len(strings.Fields(p.Text)) <= maxSiteWords
}

const (
	maxSiteWords  = 4 // maximum words of a part that names a section of the site
	leastHostName = 4 // minimum bytes of a label of the host name; many words contain shorter labels
)
