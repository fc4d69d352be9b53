package extract

import (
	"strings"
	"testing"
	"time"
)

// TestDateOfThePage holds that a date is the page's, or none: what each row shows is
// what sites do.
func TestDateOfThePage(t *testing.T) {
	const dated = "https://www.example.com/2026/11/20/page"
	const article = `<main><h1>Page</h1>`
	long := strings.Repeat("<p>A paragraph of the page that is long enough to be one.</p>", 40)
	ld := func(json string) string { return `<script type="application/ld+json">` + json + `</script>` }
	table := []struct {
		name, url, source string
		lastmod           int64
		want              string
	}{
		// Published before modified, modified before lastmod.
		{"published meta before JSON-LD modified", testURL, ld(`{"@type":"Article","dateModified":"2026-11-02"}`) + `<meta property="article:published_time" content="2026-11-01">`, 1795176000, "2026/11/01"},
		{"the address before what was modified", dated, ld(`{"@type":"Article","dateModified":"2026-11-21"}`), 1795176000, "2026/11/20"},
		{"what programs write on every page", testURL, `<meta property="article:modified_time" content="2026-11-03"><meta property="og:updated_time" content="2026-11-03">` + ld(`{"@type":"WebPage","datePublished":"2026-11-02"}`), 0, ""},
		{"a start page", "https://www.example.com/", ld(`{"@type":"Article","datePublished":"2026-11-01"}`) + article, 1795176000, ""},
		{"modified before lastmod", testURL, `<meta name="dcterms.modified" content="2026-11-03">`, 1795176000, "2026/11/03"},
		{"itemprop modified", testURL, article + `<p><time itemprop="dateModified" datetime="2026-11-04">4 Nov</time>`, 1795176000, "2026/11/04"},
		{"lastmod last", testURL, article + `<p>Text`, 1795176000, "2026/11/20"},
		// JSON-LD of other things.
		{"the site", testURL, ld(`{"@type":"WebSite","datePublished":"2019-01-01"}`), 0, ""},
		{"a review of a product beside the page", testURL, ld(`{"@graph":[{"@type":"Review","datePublished":"2026-11-01"},{"@type":"Article","datePublished":"2026-11-02"}]}`), 0, "2026/11/02"},
		{"a type as an address", testURL, ld(`{"@type":"https://schema.org/NewsArticle","datePublished":"2026-11-01"}`), 0, "2026/11/01"},
		{"forum posting", testURL, ld(`{"@type":"DiscussionForumPosting","datePublished":"2026-11-01"}`), 0, "2026/11/01"},
		{"a question", testURL, ld(`{"@type":"QAPage","mainEntity":{"@type":"Question","datePublished":"2026-11-01"}}`), 0, "2026/11/01"},
		// The future, which is two days after the run at the earliest.
		{"the future before the heading's", testURL, `<meta property="article:published_time" content="2099-03-09">` + article + `<p class="date">9 March 2024`, 0, "2024/03/09"},
		{"the future by the heading", testURL, article + `<p class="date">9 March 2027</p><p>Published 9 March 2024`, 0, "2024/03/09"},
		{"the future alone", "https://www.example.com/2026/12/26/page", `<time itemprop="datePublished" datetime="2026-12-26">`, 1798243200, ""},
		{"tomorrow", "https://www.example.com/2026/12/25/page", `<p>x`, 0, "2026/12/25"},
		// Event pages.
		{"an event's time element", testURL, ld(`{"@type":"MusicEvent"}`) + article + `<p><time datetime="2026-12-24T19:30">24 Dec</time>`, 0, ""},
		{"an event list by name", testURL, article + `<div class="tribe-events-list"><p><time datetime="2026-12-24">24 Dec</time></div>`, 0, ""},
		// Microdata.
		{"itemprop of a page type", testURL, article + `<div itemscope itemtype="https://schema.org/BlogPosting"><span itemprop="datePublished" content="2026-11-04">x</span></div>`, 0, "2026/11/04"},
		{"itemprop of a review", testURL, article + `<div itemscope itemtype="http://schema.org/Review"><meta itemprop="datePublished" content="2026-11-04"></div>`, 0, ""},
		{"itemprop on a page named after an event", testURL, `<body class="event-page">` + article + `<p itemprop="datePublished" content="2026-11-04">x`, 0, "2026/11/04"},
		{"itemprop in an aside", testURL, article + `<aside class="meta"><time itemprop="datePublished" datetime="2023-10-18T11:45:00+02:00">18. Okt 2023</time></aside>`, 0, "2023/10/18"},
		{"itemprop of a teaser in an aside", testURL, article + `<aside><div itemscope itemtype="https://schema.org/Article"><time itemprop="datePublished" datetime="2023-10-18">18. Okt</time></div></aside>`, 0, ""},
		{"a question's", testURL, article + `<div itemscope itemtype="https://schema.org/Question"><time itemprop="dateCreated" datetime="2014-02-04 13:02:51Z">12 years ago</time></div>`, 0, "2014/02/04"},
		{"an answer's", testURL, article + `<div itemscope itemtype="https://schema.org/Answer"><time itemprop="dateCreated" datetime="2014-02-04 13:02:51Z">12 years ago</time></div>`, 0, ""},
		// Loose time elements.
		{"byline in a list", testURL, article + `<ul><li><time datetime="2026-11-05">5 Nov</time><li>By <a href="/jane">Jane</a></ul>`, 0, "2026/11/05"},
		{"a comment's", testURL, article + `<p>Text</p><ol class="comment-list"><li><p><time datetime="2026-11-05">5 Nov</time></ol>`, 0, ""},
		{"in running text", testURL, article + `<p>The council has decided that the hearing begins on <time datetime="2026-12-05">5 December</time> and goes on for four weeks, during which everybody can write to it.`, 0, ""},
		{"under another heading", testURL, article + `<h2>Next meeting</h2><p><time datetime="2026-12-05">5 December</time>`, 0, ""},
		{"teaser", testURL, `<main><h2><a href="/n">News</a></h2><p><time datetime="2026-11-05">5 Nov</time>`, 0, ""},
		{"a list of links to the day and the thread", testURL, article + `<ul><li><a href="/t/1"><time datetime="2026-11-05">5 Nov 2026</time></a><li><a href="/t/1#1">#1</a></ul>`, 0, "2026/11/05"},
		{"several articles", testURL, `<main><article><p><time datetime="2026-11-05">5 Nov</time><p>One</article><article><p>Two</article>`, 0, ""},
		{"before the web", testURL, article + `<p><time datetime="1914-07-28">28 July 1914</time>`, 0, ""},
		{"before the web, as the page says", testURL, `<meta name="dcterms.issued" content="1914-07-28">`, 0, "1914/07/28"},
		{"before the web in the address", "https://www.example.com/1969/07/20/moon", "<p>x", 0, ""},
		// What is no date.
		{"ambiguous order", testURL, `<meta name="date" content="04/05/2026">`, 0, ""},
		// As people write it, by the heading.
		{"after the author", testURL, article + `<p>By Jane Doe • November 5th, 2026 · 3 min`, 0, "2026/11/05"},
		{"above the heading", testURL, `<main><div class="date">5. nov. 2026</div><h1>Page</h1>`, 0, "2026/11/05"},
		{"above it, without a name", testURL, `<main><div>5. nov. 2026</div><h1>Page</h1>`, 0, ""},
		{"published before updated", testURL, article + `<p>Updated: 7 Nov 2026</p><p>Published: 5 Nov 2026</p>`, 0, "2026/11/05"},
		{"in Hebrew", testURL, article + `<p>עודכן: 7 בנובמבר 2026</p><p>פורסם ב-5 בנובמבר 2026</p>`, 0, "2026/11/05"},
		{"in Vietnamese", testURL, article + `<p>Ngày đăng: 5 tháng 11, 2026</p>`, 0, "2026/11/05"},
		{"in Croatian", testURL, article + `<p>Objavljeno: 5. listopada 2026.</p>`, 0, "2026/10/05"},
		{"updated alone", testURL, article + `<p>Last updated 7 Nov 2026</p>`, 0, "2026/11/07"},
		{"under a subtitle", testURL, article + `<h2>The council wants to know what people think of it</h2><p class="date">2026年11月5日</p>`, 0, "2026/11/05"},
		{"alone in a name of its own", testURL, article + `<p><span class="entry-date">5.11.2026</span> The council has decided that the hearing begins at once and goes on for four weeks, during which everybody can write to it.`, 0, "2026/11/05"},
		{"a deadline", testURL, article + `<p>Deadline: 15 March 2027`, 0, ""},
		{"a deadline as an element", testURL, article + `<p>Tilmelding senest <time datetime="2027-03-15">15. marts</time>`, 0, ""},
		{"until when it holds", testURL, article + `<p>Published 5 November 2026, valid until 15 March 2027`, 0, "2026/11/05"},
		{"order told by the language", testURL, `<html lang="fr">` + article + `<p class="date">04/05/2026`, 0, "2026/05/04"},
		{"order in doubt", testURL, `<html lang="en">` + article + `<p class="date">04/05/2026`, 0, ""},
		{"one order alone", testURL, `<html lang="en">` + article + `<p class="date">11/25/2026`, 0, "2026/11/25"},
		{"hAtom", testURL, article + `<p><abbr class="published" title="2026-11-05T23:30:00-08:00">two weeks ago</abbr>`, 0, "2026/11/05"},
		{"pubdate", testURL, article + `<p><time pubdate>5 November 2026</time>`, 0, "2026/11/05"},
		{"permalink", testURL, article + `<p>By Jane on <a href="/page" rel="bookmark"><time datetime="2026-11-05">5 Nov</time><time datetime="2026-11-06">6 Nov</time></a>`, 0, "2026/11/05"},
		{"a link that says the day alone", testURL, article + `<p><a href="/2026/11/">5 November 2026</a>`, 0, "2026/11/05"},
		{"the footer of the article", testURL, `<main><article><h1>Page</h1><p>Text</p><footer>Posted on <time datetime="2026-11-05">5 Nov</time></footer></article>`, 0, "2026/11/05"},
		{"published, far down", testURL, article + long + `<p>Published on 5 November 2026</p>`, 0, "2026/11/05"},
		{"changed, far down", testURL, article + long + `<p>Last updated 5 November 2026</p>`, 0, ""},
		{"changed, in the page's footer", testURL, article + `<p>Text</p></main><footer>Page last updated: <time datetime="2026-11-05">5 Nov</time></footer>`, 0, ""},
		{"a list's first", testURL, article + `<div class="card"><span class="date">5 November 2026</span><h3><a href="/n">News</a></h3></div>`, 0, ""},
		{"reviews", testURL, article + long + `<p class="date">5 November 2026</p><p class="date">6 November 2026</p>`, 0, ""},
		{"JSON-LD for people", testURL, ld(`{"@type":"Article","datePublished":"Thu, 11/26/2026 - 11:38"}`), 0, "2026/11/26"},
		// Addresses.
		{"address in digits", "https://www.example.com/20261105/page", `<p>x`, 0, "2026/11/05"},
		{"address with a number", "https://www.example.com/20269905/page", `<p>x`, 0, ""},
		// Zones.
		{"the address says the site's day", "https://www.example.com/2026/11/20/page", `<meta property="article:published_time" content="2026-11-20T23:30:00Z">`, 0, "2026/11/20"},
		{"the address says another day", "https://www.example.com/2026/11/18/page", `<meta property="article:published_time" content="2026-11-20T23:30:00Z">`, 0, "2026/11/21"},
		{"lastmod in the zone", testURL, "<p>x", 1795217400, "2026/11/21"}, // 23:30 UTC
	}
	zone, now := time.FixedZone("two hours east", 2*60*60), time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	for _, row := range table {
		p := htmlPage(t, row.url, row.source+"<img>")
		p.Hints.Lastmod = row.lastmod
		checkField(t, row.name, Options{Location: zone, Now: now}, p, "Date", row.want)
	}
}

// Of a page that is all dates the first are looked at.
func TestDatesAreBounded(t *testing.T) {
	for count, want := range map[int]string{100: "2026/11/05", 300: ""} {
		source := strings.Repeat("<p>Read on 1.1.2026</p>", count) + `<h1>Page</h1><p class="date">5.11.2026</p>`
		if got := readDocument(t, Options{}, testURL, source).Fields["Date"]; got != want {
			t.Errorf("%d others: got %q, want %q", count, got, want)
		}
	}
}
