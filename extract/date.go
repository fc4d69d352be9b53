package extract

import (
	"slices"
	"strings"
	"time"
)

// dayLayout is the form of a date field, specification section 2.3.
const dayLayout = "2006/01/02"

// firstGuessed is the first year that is believed of a date that nobody calls the
// page's: nothing was published on the web before.
const firstGuessed = "1990"

// dateField is the day the page was published, in Options.Location; where nothing
// says that, the day it was changed. A missing date stays missing.
var dateField = defaultField{"Date", slices.Concat(
	[]source{{"jsonld:datePublished", func(v *view) string { return v.day(v.linked.published) }}},
	metas(
		"article:published_time", "article:published", "og:published_time",
		"datepublished", "pubdate", "publishdate", "publish_date", "publication_date", "citation_publication_date",
		"dcterms.issued", "dc.date.issued", "dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "date",
		"sailthru.date", "parsely-pub-date",
	),
	[]source{
		{"microdata:datePublished", func(v *view) string {
			return v.marked(func(_ *view, s *stamp) bool { return s.published })
		}},
		{"time[datetime]", func(v *view) string { return guessed(v.marked((*view).isByline)) }},
		{"path", func(v *view) string {
			if v.linked.event {
				return ""
			}
			return dayInPath(v.page.URL)
		}},
		{"jsonld:dateModified", func(v *view) string { return v.day(v.linked.modified) }},
	},
	metas("article:modified_time", "article:modified", "og:updated_time", "dcterms.modified", "dc.date.modified", "last-modified"),
	[]source{
		{"microdata:dateModified", func(v *view) string {
			return v.marked(func(_ *view, s *stamp) bool { return s.modified })
		}},
		{"sitemap lastmod", func(v *view) string { return lastmodDay(v.page.Hints.Lastmod, v.zone()) }},
	},
), func(v *view, value string) string { return dayOf(value, v.zone()) }}

// day returns the first of the values that names a day, else the first.
func (v *view) day(values []string) string {
	for _, value := range values {
		if day := dayOf(value, v.zone()); day != "" {
			return day
		}
	}
	return firstOf(values...)
}

// lastmodDay is the day of the sitemap's lastmod; a hint, not the page's word.
func lastmodDay(unix int64, loc *time.Location) string {
	if unix == 0 {
		return ""
	}
	return formatDay(time.Unix(unix, 0).In(loc))
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
		if i+2 < len(parts) && len(part) == 4 {
			if day := guessed(dayOf(strings.Join(parts[i:i+3], "-"), time.UTC)); day != "" {
				return day
			}
		}
		if len(part) > 10 && part[10] == '-' {
			if day := guessed(dayOf(part[:10], time.UTC)); day != "" {
				return day
			}
		}
	}
	return ""
}
