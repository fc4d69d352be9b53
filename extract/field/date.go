package field

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
	"sitesync/extract/rule"
)

const (
	firstGuessed = "1990" // year of a date that nobody calls the page's: nothing was published on the web before
	maxByline    = 120    // bytes of a block in which a date stands for the page; running text mentions dates
)

// dateField is the day the page was published, in the owner's zone; where nothing
// says that, the day it was changed. A missing date stays missing.
var dateField = defaultField{"Date", slices.Concat(
	[]source{{"jsonld:datePublished", func(v *Evidence) string { return v.firstDay(v.linked.published) }}},
	metas(
		"article:published_time", "article:published", "og:published_time",
		"datepublished", "pubdate", "publishdate", "publish_date", "publication_date", "citation_publication_date",
		"dcterms.issued", "dc.date.issued", "dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "date",
		"sailthru.date", "parsely-pub-date",
	),
	[]source{
		{"microdata:datePublished", func(v *Evidence) string { return v.marked("datePublished") }},
		{"time[datetime]", func(v *Evidence) string { return guessed(v.marked("")) }},
		{"path", func(v *Evidence) string {
			if v.linked.event {
				return ""
			}
			return dayInPath(v.Page.URL)
		}},
		{"jsonld:dateModified", func(v *Evidence) string { return v.firstDay(v.linked.modified) }},
	},
	metas("article:modified_time", "article:modified", "og:updated_time", "dcterms.modified", "dc.date.modified", "last-modified"),
	[]source{
		{"microdata:dateModified", func(v *Evidence) string { return v.marked("dateModified") }},
		sitemapDate,
	},
), func(v *Evidence, value string) string { return rule.DayOf(value, v.Zone) }}

// fileDate is the day a file was made, or else changed, by its own word.
var fileDate = defaultField{"Date", []source{
	{"meta:created", func(v *Evidence) string { return rule.FormatDay(v.File.Created.In(v.Zone)) }},
	{"meta:modified", func(v *Evidence) string { return rule.FormatDay(v.File.Modified.In(v.Zone)) }},
	{"path", func(v *Evidence) string { return dayInPath(v.Page.URL) }},
	sitemapDate,
}, clipped(len(rule.DayLayout))}

// sitemapDate is a hint, not the page's word.
var sitemapDate = source{"sitemap lastmod", func(v *Evidence) string {
	if v.Page.Hints.Lastmod == 0 {
		return ""
	}
	return rule.FormatDay(time.Unix(v.Page.Hints.Lastmod, 0).In(v.Zone))
}}

// firstDay returns the first of the values that names a day, else the first.
func (v *Evidence) firstDay(values []string) string {
	for _, value := range values {
		if day := rule.DayOf(value, v.Zone); day != "" {
			return day
		}
	}
	return cmp.Or(values...)
}

func guessed(day string) string {
	if day < firstGuessed {
		return ""
	}
	return day
}

// dayInPath reads /2026/11/20/ and /2026-11-20-title.
func dayInPath(url string) string {
	parts := segments(url)
	for i, part := range parts {
		written := ""
		switch {
		case i+2 < len(parts) && len(part) == 4:
			written = strings.Join(parts[i:i+3], "-")
		case len(part) > 10 && part[10] == '-':
			written = part[:10]
		}
		if day := guessed(rule.DayOf(written, time.UTC)); day != "" {
			return day
		}
	}
	return ""
}

// marked returns the first day of the elements with that itemprop; without, of those
// that stand where a page names its own date. More than two different days are those of
// other things, and none of them is the page's.
func (v *Evidence) marked(itemprop string) string {
	var days []string
	for i := range v.Found.Dates {
		d := &v.Found.Dates[i]
		own := markup.Attr(d.Node, "itemprop")
		loose := own != "datePublished" && own != "dateModified"
		if itemprop != "" && own != itemprop || itemprop == "" && !(loose && v.isByline(d)) || isOthers(d.Node, loose) {
			continue
		}
		written := cmp.Or(markup.Attr(d.Node, "datetime"), markup.Attr(d.Node, "content"))
		if written == "" {
			written = markup.TextOf(d.Node, 64)
		}
		if day := rule.DayOf(written, v.Zone); day != "" && !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	if len(days) == 0 || len(days) > 2 {
		return ""
	}
	return days[0]
}

// isByline reports whether a loose date stands where a page names its own: in the
// content, in a short block, under the page's heading and no other.
func (v *Evidence) isByline(d *markup.Date) bool {
	if v.linked.event || d.Block < 0 || d.Size > maxByline {
		return false
	}
	heads := 0
	for _, h := range v.Found.Heads {
		if h.Block > d.Block || h.Block < 0 {
			continue
		}
		heads++
		if heads > 1 || h.Node.DataAtom != atom.H1 && (markup.IsLinked(h.Node) || v.Found.Articles > 1) {
			return false
		}
	}
	return heads > 0 || v.Found.Articles <= 1
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
			if loose && !listed && firstLink(p, 101) != nil {
				return true
			}
			listed = true
		}
		if hasOthersName(markup.Attr(p, "class"), loose) || hasOthersName(markup.Attr(p, "id"), loose) {
			return true
		}
	}
	return false
}

// hasOthersName knows the names that comments have in class and id, and for a loose
// date those of events.
func hasOthersName(names string, loose bool) bool {
	for name := range strings.FieldsSeq(strings.ToLower(names)) {
		said := markup.WordOf(name)
		if said&markup.Comment != 0 || loose && (said&markup.Event != 0 || markup.BeginsAny(name, "events")) {
			return true
		}
	}
	return false
}
