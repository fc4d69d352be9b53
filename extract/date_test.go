package extract

import (
	"testing"
	"time"
)

// TestDateOfThePage holds that a date is the page's, or none: what each row shows is
// what sites do.
func TestDateOfThePage(t *testing.T) {
	const dated = "https://www.example.com/2026/11/20/page"
	const article = `<main><h1>Page</h1>`
	ld := func(json string) string { return `<script type="application/ld+json">` + json + `</script>` }
	table := []struct {
		name, url, source string
		lastmod           int64
		want              string
	}{
		// Published before modified, modified before lastmod.
		{"published meta before JSON-LD modified", testURL, ld(`{"@type":"Article","dateModified":"2026-11-02"}`) + `<meta property="article:published_time" content="2026-11-01">`, 1795176000, "2026/11/01"},
		{"the address before what was modified", dated, ld(`{"@type":"Article","dateModified":"2026-11-21"}`), 1795176000, "2026/11/20"},
		{"JSON-LD modified before meta", testURL, `<meta property="article:modified_time" content="2026-11-03">` + ld(`{"@type":"WebPage","dateModified":"2026-11-02"}`), 0, "2026/11/02"},
		{"modified before lastmod", testURL, `<meta name="dcterms.modified" content="2026-11-03">`, 1795176000, "2026/11/03"},
		{"itemprop modified", testURL, article + `<p><time itemprop="dateModified" datetime="2026-11-04">4 Nov</time>`, 1795176000, "2026/11/04"},
		{"lastmod last", testURL, article + `<p>Text`, 1795176000, "2026/11/20"},
		// JSON-LD of other things.
		{"product", testURL, ld(`{"@type":"Product","datePublished":"2026-11-01","offers":{"validFrom":"2026-11-01"}}`), 0, ""},
		{"event's start", testURL, ld(`{"@type":"Event","startDate":"2026-12-24","datePublished":"2026-11-01"}`), 0, ""},
		{"review", testURL, ld(`{"@type":"Review","datePublished":"2026-11-01"}`), 0, ""},
		{"a film", testURL, ld(`{"@graph":[{"@type":"Movie","datePublished":"1999-03-31"}]}`), 0, ""},
		{"the site", testURL, ld(`{"@type":"WebSite","datePublished":"2019-01-01"}`), 0, ""},
		{"a review of a product beside the page", testURL, ld(`{"@graph":[{"@type":"Review","datePublished":"2026-11-01"},{"@type":"WebPage","datePublished":"2026-11-02"}]}`), 0, "2026/11/02"},
		{"a type as an address", testURL, ld(`{"@type":"https://schema.org/NewsArticle","datePublished":"2026-11-01"}`), 0, "2026/11/01"},
		{"the first that is a day", testURL, ld(`[{"@type":"WebPage","datePublished":"soon"},{"@type":"Article","datePublished":"2026-11-01"}]`), 0, "2026/11/01"},
		{"forum posting", testURL, ld(`{"@type":"DiscussionForumPosting","datePublished":"2026-11-01"}`), 0, "2026/11/01"},
		// Event pages.
		{"an event's time element", testURL, ld(`{"@type":"MusicEvent"}`) + article + `<p><time datetime="2026-12-24T19:30">24 Dec</time>`, 0, ""},
		{"an event's address", dated, ld(`{"@type":"Event"}`) + article + `<p>Text`, 0, ""},
		{"an event by microdata", testURL, article + `<div itemscope itemtype="https://schema.org/Event"><time itemprop="startDate" datetime="2026-12-24">24 Dec</time></div>`, 0, ""},
		{"an event by name", testURL, article + `<p class="event-date"><time datetime="2026-12-24">24 Dec</time>`, 0, ""},
		{"an event list by name", testURL, article + `<div class="tribe-events-list"><p><time datetime="2026-12-24">24 Dec</time></div>`, 0, ""},
		{"event meta", testURL, `<meta property="event:start_time" content="2026-12-24T19:30Z">` + article, 0, ""},
		// Microdata.
		{"itemprop of a page type", testURL, article + `<div itemscope itemtype="https://schema.org/BlogPosting"><span itemprop="datePublished" content="2026-11-04">x</span></div>`, 0, "2026/11/04"},
		{"itemprop of a comment", testURL, article + `<div itemscope itemtype="https://schema.org/Comment"><time itemprop="datePublished" datetime="2026-11-04">x</time></div>`, 0, ""},
		{"itemprop of a review", testURL, article + `<div itemscope itemtype="http://schema.org/Review"><meta itemprop="datePublished" content="2026-11-04"></div>`, 0, ""},
		{"itemprop on a page named after an event", testURL, `<body class="event-page">` + article + `<p itemprop="datePublished" content="2026-11-04">x`, 0, "2026/11/04"},
		{"itemprop without a type", testURL, article + `<time itemprop="datePublished">2026-11-04</time>`, 0, "2026/11/04"},
		// Loose time elements.
		{"byline", testURL, article + `<p>By Jane Doe, <time datetime="2026-11-05">5 Nov</time>`, 0, "2026/11/05"},
		{"byline in a list", testURL, article + `<ul><li><time datetime="2026-11-05">5 Nov</time><li>By <a href="/jane">Jane</a></ul>`, 0, "2026/11/05"},
		{"byline above the heading", testURL, `<main><p><time datetime="2026-11-05">5 Nov</time></p><h1>Page</h1><p>Text`, 0, "2026/11/05"},
		{"a comment's", testURL, article + `<p>Text</p><ol class="comment-list"><li><p><time datetime="2026-11-05">5 Nov</time></ol>`, 0, ""},
		{"in running text", testURL, article + `<p>The council has decided that the hearing begins on <time datetime="2026-12-05">5 December</time> and goes on for four weeks, during which everybody can write to it.`, 0, ""},
		{"under another heading", testURL, article + `<h2>Next meeting</h2><p><time datetime="2026-12-05">5 December</time>`, 0, ""},
		{"teaser", testURL, `<main><h2><a href="/n">News</a></h2><p><time datetime="2026-11-05">5 Nov</time>`, 0, ""},
		{"teaser in a list", testURL, article + `<ul><li><time datetime="2026-11-05">5 Nov</time> <a href="/n">News</a></ul>`, 0, ""},
		{"teaser that is a link", testURL, article + `<a href="/n"><p>News <time datetime="2026-11-05">5 Nov</time></a>`, 0, ""},
		{"several articles", testURL, `<main><article><p><time datetime="2026-11-05">5 Nov</time><p>One</article><article><p>Two</article>`, 0, ""},
		{"timetable", testURL, article + `<table><tr><td><time datetime="2026-12-05">5 Dec</time><td>Aarhus</table>`, 0, ""},
		{"before the web", testURL, article + `<p><time datetime="1914-07-28">28 July 1914</time>`, 0, ""},
		{"before the web, as the page says", testURL, `<meta name="dcterms.issued" content="1914-07-28">`, 0, "1914/07/28"},
		{"before the web in the address", "https://www.example.com/1969/07/20/moon", "<p>x", 0, ""},
		{"month alone", testURL, article + `<p><time datetime="2026-11">Nov 2026</time>`, 0, ""},
		{"hour alone", testURL, article + `<p><time datetime="19:30">half past seven</time>`, 0, ""},
		{"duration", testURL, article + `<p><time datetime="PT40M">40 min</time>`, 0, ""},
		// What is no date.
		{"no date at all", testURL, `<meta property="article:published_time" content="1970-01-01T00:00:00Z">`, 0, ""},
		{"ambiguous order", testURL, `<meta name="date" content="04/05/2026">`, 0, ""},
		{"copyright", testURL, `<p>Copyright 2026</p>`, 0, ""},
		{"name of a month", testURL, article + `<p>5 November 2026`, 0, ""},
		// The configured zone.
		{"moment in the zone", testURL, `<meta property="article:published_time" content="2026-11-20T23:30:00Z">`, 0, "2026/11/21"},
		{"lastmod in the zone", testURL, "<p>x", 1795217400, "2026/11/21"}, // 23:30 UTC
	}
	zone := time.FixedZone("two hours east", 2*60*60)
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			p := htmlPage(t, row.url, row.source+"<img>")
			p.Hints.Lastmod = row.lastmod
			d, err := newExtractor(t, Options{Location: zone}).Read(p)
			if got := d.Fields["Date"]; got != row.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, row.want)
			}
		})
	}
}
