package extract

import (
	"slices"
	"strings"
	"time"

	"sitesync/internal/document"
)

// dayLayout is the form of a date field, specification section 2.3.
const dayLayout = "2006/01/02"

// date finds the day the page was published, in Options.Location, by the first
// source that gives one: JSON-LD, meta elements, the text's own markup, the
// address, and the sitemap's lastmod last. A missing date stays missing.
func (e *Extractor) date(p *document.Page, f *findings, l *linked, content []span) string {
	loc := e.options.Location
	for _, values := range [...][]string{l.published, l.modified, metaDates(f)} {
		for _, value := range values {
			if day := dayOf(value, loc); day != "" {
				return day
			}
		}
	}
	return firstOf(f.markedDay(content, loc), dayInPath(p.URL), lastmodDay(p.Hints.Lastmod, loc))
}

// lastmodDay is the day of the sitemap's lastmod; a hint, not the page's word.
func lastmodDay(unix int64, loc *time.Location) string {
	if unix == 0 {
		return ""
	}
	return formatDay(time.Unix(unix, 0).In(loc))
}

func metaDates(f *findings) []string {
	return []string{
		f.meta("article:published_time", "article:published", "og:published_time"),
		f.meta("datepublished", "pubdate", "publishdate", "publish_date", "publication_date", "citation_publication_date"),
		f.meta("dcterms.issued", "dc.date.issued", "dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "date"),
		f.meta("sailthru.date", "parsely-pub-date"),
		f.meta("article:modified_time", "dcterms.modified", "dc.date.modified"),
	}
}

// markedDay returns the day that the markup of the text gives: itemprop first,
// then time elements in the content. More than two different days are those of
// other things, and none of them is the page's.
func (f *findings) markedDay(content []span, loc *time.Location) string {
	var published, modified, timed []string
	for _, s := range f.dates {
		day := dayOf(s.value, loc)
		switch {
		case day == "":
		case s.published:
			published = addNew(published, day)
		case s.modified:
			modified = addNew(modified, day)
		case covers(content, s.block):
			timed = addNew(timed, day)
		}
	}
	for _, days := range [...][]string{published, modified, timed} {
		if len(days) == 1 || len(days) == 2 {
			return days[0]
		}
	}
	return ""
}

func addNew(list []string, value string) []string {
	if slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

func covers(ranges []span, block int) bool {
	for _, r := range ranges {
		if r.from <= block && block < r.to {
			return true
		}
	}
	return false
}

// dayInPath reads /2026/11/20/ and /2026-11-20-title.
func dayInPath(url string) string {
	parts := segments(url)
	for i, part := range parts {
		if i+2 < len(parts) && len(part) == 4 {
			if day := dayOf(strings.Join(parts[i:i+3], "-"), time.UTC); day != "" {
				return day
			}
		}
		if len(part) > 10 && part[10] == '-' {
			if day := dayOf(part[:10], time.UTC); day != "" {
				return day
			}
		}
	}
	return ""
}
