package field

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
	"sitesync/extract/rule"
	"sitesync/internal/weburl"
)

const (
	earliestNow  = "2026/11/26" // days up to this one never count as future, even if the clock is wrong
	firstGuessed = "1990"       // a date in a page's text before this year is not the date of the page
	maxWritten   = 120          // maximum bytes of the text of one date
	maxAround    = 50
)

// dateField is the day, in the configured time zone, on which the page was published or, failing that,
// changed. article:modified_time is not used, because programs write it on every page.
var dateField = defaultField{"Date", slices.Concat(
	[]source{{"jsonld:datePublished", func(v *Evidence) string { return v.linked.published }}},
	metas(
		"article:published_time", "article:published", "og:published_time", "og:article:published_time",
		"datepublished", "pubdate", "publishdate", "publish_date", "og:publish_date", "published", "published-date",
		"publication_date", "citation_publication_date", "citation_online_date", "citation_date",
		"bepress_citation_date", "dc:date", "prism.publicationdate", "dcterms.issued", "dc.date.issued",
		"dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "date", "sailthru.date", "parsely-pub-date",
	),
	[]source{
		{"microdata:datePublished", func(v *Evidence) string { return v.marked("datePublished") }},
		{"byline", (*Evidence).byline},
		{"path", func(v *Evidence) string { return dayInPath(v.Page.URL) }},
	},
	metas("dcterms.modified", "dc.date.modified"),
	[]source{sitemapDate},
), (*Evidence).readDay}

var fileDate = defaultField{"Date", []source{
	{"meta:created", func(v *Evidence) string { return rule.FormatDay(v.File.Created.In(v.Zone)) }},
	{"meta:modified", func(v *Evidence) string { return rule.FormatDay(v.File.Modified.In(v.Zone)) }},
	{"path", func(v *Evidence) string { return dayInPath(v.Page.URL) }},
	sitemapDate,
}, (*Evidence).readDay}

// sitemapDate is tried last, because the page itself does not confirm it.
var sitemapDate = source{"sitemap lastmod", func(v *Evidence) string {
	if v.Page.Hints.Lastmod == 0 {
		return ""
	}
	return rule.FormatDay(time.Unix(v.Page.Hints.Lastmod, 0).In(v.Zone))
}}

// past returns day, or "" if day is in the future. Tomorrow is allowed, because of time zones.
func (v *Evidence) past(day string) string {
	if !v.Now.IsZero() && day > max(earliestNow, rule.FormatDay(v.Now.AddDate(0, 0, 1))) {
		return ""
	}
	return day
}

// pathDay matches a day in a URL's path, in the forms /2026/11/20/, /2026-11-20-title and /20261120_title.
var pathDay = regexp.MustCompile(`/((?:199|20[0-9])[0-9])` +
	`(?:/([0-9]{1,2})/([0-9]{1,2})/|[-_/]?([0-9]{2})[-_/]?([0-9]{2})(?:[^0-9]|$))`)

func dayInPath(url string) string {
	for _, m := range pathDay.FindAllStringSubmatch(weburl.Path(url), 3) {
		if day := rule.DayOf(m[1]+"-"+m[2]+m[4]+"-"+m[3]+m[5], time.UTC, ""); day != "" {
			return day
		}
	}
	return ""
}

// marked returns the first day of the elements with this itemprop, or "" if they have more than two days.
func (v *Evidence) marked(itemprop string) string {
	var days []string
	for i := range v.Found.Dates {
		n := v.Found.Dates[i].Node
		if n.Type != html.ElementNode || markup.Attr(n, "itemprop") != itemprop || isOthers(n, false) {
			continue
		}
		if day := v.dayOf(n); day != "" && !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	return firstOf(days, 2)
}

func (v *Evidence) dayOf(n *html.Node) string {
	for _, name := range [...]string{"datetime", "content", "title"} {
		if day := v.readDay(markup.Attr(n, name)); day != "" {
			return day
		}
	}
	return v.readDay(markup.TextOf(n, 64))
}

func (v *Evidence) readDay(value string) string {
	if value == "" || len(value) > maxWritten {
		return ""
	}
	day := rule.DayOf(value, v.Zone, dayInPath(v.Page.URL))
	if day == "" {
		day, _ = rule.Written(markup.Clean(value), "")
	}
	return v.past(day)
}

// isOthers reports whether the date in n belongs not to the page but to a comment, to a microdata item in an
// aside, or to an item such as a product. If events is set, the date of an event is not the page's either.
func isOthers(n *html.Node, events bool) bool {
	if !isPageType(itemType(n)) {
		return true
	}
	item := false
	for p, i := n, 0; p != nil && i < maxAround; p, i = p.Parent, i+1 {
		item = item || isItem(p)
		if item && p.DataAtom == atom.Aside {
			return true
		}
		for name := range strings.FieldsSeq(strings.ToLower(markup.Names(p))) {
			said := markup.WordOf(name)
			if said&markup.Comment != 0 || events && (said&markup.Event != 0 || markup.BeginsAny(name, "events")) {
				return true
			}
		}
	}
	return false
}
