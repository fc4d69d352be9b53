package extract

import (
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/document"
)

func TestTitle(t *testing.T) {
	const site = `<meta property="og:site_name" content="Site">`
	table := []struct{ name, title, og, body, want string }{
		{"suffix", "Page - Site", "", "<h1>Page</h1>", "Page"},
		{"suffix and colon", "Page: Site", "", "<h1>Page</h1>", "Page"},
		{"two suffixes", "Page » News » Site", "", "<h1>Page</h1>", "Page"},
		{"another case", "PAGE – Site", "", "<h1>Page</h1>", "Page"},
		{"hyphen in a word", "Page-turner", "", "<h1>Page</h1>", "Page-turner"},
		{"longer word", "Pages of note", "", "<h1>Page</h1>", "Pages of note"},
		{"h1 is the site's name", "Page | Site", "", "<h1>Site</h1><main><h2>Page</h2></main>", "Page"},
		{"h1 is the site's name and a link", "Site: Page", "", `<h1><a href="/">Site</a></h1><h2>Page</h2>`, "Page"},
		{"h1 is the site's name in a link", "Page", "", `<a href="/"><h1>Site</h1></a><p>x`, "Page"},
		{"og:title and no relation", "Other", "Page", "<h1>Third</h1>", "Page"},
		{"no title, a linked h1", "", "Page", `<h1><a href="/">Site</a></h1><p>x`, "Page"},
		{"h1 with markup", "Page two - Site", "", "<h1>Page\n <em>two</em><svg><title>i</title></svg></h1>", "Page two"},
		{"h1 that may break", "Pagetwo - Site", "", "<h1>Page<wbr>two</h1>", "Pagetwo"},
		{"a manual in brackets", "Page (Site 7.2 API)", "", "<h1>Class Leaf</h1>", "Page"},
		{"a manual's own name", "Manual (PDF)", "", "<p>Text", "Manual (PDF)"},
		{"empty h1 first", "Page - Site", "", "<h1><img></h1><h1>Page</h1>", "Page"},
		{"hidden h1", "Page", "", "<h1 hidden>No</h1>", "Page"},
		{"h1 in nav", "Page - Site", "", "<nav><h1>Page</h1></nav><p>x", "Page - Site"},
		{"no title, no h1", "", "", "<h2>Page</h2><p>Text", "Page"},
		{"nothing but the address", "", "", "<p>Text", "Opening hours"},
		// The site's name, from the first page on.
		{"og:site_name", "Page | Site", "Page - Site", site + "<p>Text", "Page"},
		{"site first", "Site: Page", "", site + "<p>Text", "Page"},
		{"site between", "News – Site – Page 2", "", site + "<p>Text", "News – Page 2"},
		{"application-name", "Page ~ Site", "", `<meta name="application-name" content="site"><p>Text`, "Page"},
		{"host and domain", "Page - example.com", "", "<p>Text", "Page"},
		{"host and more", "Page | Example Help Centre", "", "<p>Text", "Page"},
		{"host in a long part", "Page | Why example companies grow so fast", "", "<p>Text", "Page | Why example companies grow so fast"},
		{"host in the page's name", "Example pages", "", "<p>Text", "Example pages"},
		{"another name", "Page | Other", "", site + "<p>Text", "Page | Other"},
		{"the page ends its trail", "News | Page", "", `<ol class="breadcrumb"><li><a href="/">Home</a><li><a href="/n">News</a><li>Page</ol><p>Text`, "News | Page"},
		{"a program's word in the h1", "Page Archives", "", "<h1>Category: Page</h1>", "Page"},
		{"a program's word as the page's name", "Collection | Site", "", site + "<p>Text", "Collection"},
		{"a program's words", "Blog Archive » Page", "", "<p>Text", "Page"},
		{"scripts without spaces", "页面_新闻-网站", "", `<meta property="og:site_name" content="网站"><p>Text`, "页面_新闻"},
		{"underscore in a name", "file_name", "", "<p>Text", "file_name"},
		{"the site alone", "Site", "Site", site + "<h1>Page</h1>", "Page"},
		{"the site alone, and no h1", "Site", "Site", site + "<p>Text", "Site"},
		{"the site's h1", "Page - Site", "", site + "<h1>Site</h1><p>Text", "Page"},
		// The h1 against titles for search engines.
		{"h1 for readers", "Cheap pages: the guide | Site", "Cheap pages", "<h1>The guide to pages</h1>", "The guide to pages"},
		{"h1 for readers, and the site", "The guide: cheap pages", "", site + "<h1>The guide to pages – Site</h1>", "The guide to pages"},
		{"h1 of another matter", "Cheap pages", "", "<h1>We care for you</h1>", "Cheap pages"},
	}
	for _, row := range table {
		head := "<title>" + row.title + "</title>"
		if row.og != "" {
			head += `<meta property="og:title" content="` + row.og + `">`
		}
		checkField(t, row.name, Options{}, htmlPage(t, "https://www.example.com/opening-hours.html", head+"<body><div></div>"+row.body), "Title", row.want)
	}
	start := `<title>Example | What we do</title><meta property="og:site_name" content="Example"><p>Text`
	checkField(t, "the start page", Options{}, htmlPage(t, "https://www.example.com/", start), "Title", "Example | What we do")
}

// A title that all pages share names none of them.
func TestTitleOfTheSite(t *testing.T) {
	known := document.Profile{"https://www.example.com": document.Section{Titles: []string{"Contents", "Source code"}}}
	e := newExtractor(t, Options{})
	for _, row := range []struct{ url, body, want string }{
		{"/src/c3.html", "<p>Text", "C3"},
		{"/src/c3.html", "<h2>Boats</h2><p>Text", "Boats"},
		{"/src/c3.html", "<h1>Source code</h1><h2>Boats</h2><p>Text", "Boats"},
		{"/src/c3.html", "<h2>Contents</h2><p>Text", "C3"},
		{"/", "<h2>Boats</h2><p>Text", "Source code"},
	} {
		url := "https://www.example.com" + row.url
		d, err := e.Read(htmlPage(t, url, "<title>Source code</title><body>"+row.body))
		if got := e.Finish(d, url, known).Fields["Title"]; got != row.want || err != nil {
			t.Errorf("%s with %s: got %q, %v, want %q", row.url, row.body, got, err, row.want)
		}
	}
}

func TestDescription(t *testing.T) {
	long := strings.Repeat("word ", 100)
	table := []struct{ name, option, source, want string }{
		{"meta", "", `<meta name="Description" content=" What  it is. "><p>Text</p>`, "What it is."},
		{"og", "meta", `<meta property="og:description" content="What it is."><meta name=description content=" "><img>`, "What it is."},
		{"prose", "", `<title>T</title><h1>T</h1><p>Menu</p><p>This is a sentence that is long enough to be one.</p>`, "This is a sentence that is long enough to be one."},
		{"no prose", "", `<title>T</title><p>Just a few words without end</p><table><tr><th>Name<th>Type<th>Default value of the option</table>`, ""},
		{"a banner", "", `<title>T</title><h1>T</h1><p>You are viewing the manual of an older version (3.2). Here is the latest one.</p><p>Boats pay their fee at the office of the harbour.</p>`, "Boats pay their fee at the office of the harbour."},
		{"what stands above the title", "", `<title>T</title><p>This manual is printed on paper that was made of other manuals.</p><h1>T</h1><p>Boats pay their fee at the office of the harbour.</p>`, "Boats pay their fee at the office of the harbour."},
		{"the title below", "", `<title>T</title><p>Boats pay their fee at the office of the harbour.</p><h1>T</h1><p>Menu</p>`, "Boats pay their fee at the office of the harbour."},
		{"lines that are cut", "", "<title>T</title><pre>The protocol that this document describes is used by the\nharbour to tell boats where they are to go to. It is\nold.</pre><p>Boats pay their fee at the office of the harbour.</p>", "Boats pay their fee at the office of the harbour."},
		{"code", "", "<title>T</title><pre>// Fee returns what a boat pays for a day. It errs never.\nfunc Fee(b Boat) (fee int) { return 2 * b.Length }:\n# It is not for boats that are longer.</pre>", ""},
		{"a licence", "", `<title>T</title><p>Copyright 2026 The Harbour Office. All rights reserved.</p><p>Licensed under the Harbour Licence, version 2.0. See there.</p><p>Boats pay their fee at the office of the harbour.</p>`, "Boats pay their fee at the office of the harbour."},
		{"title again", "", `<title>T</title><p>T</p>`, ""},
		{"whole sentences", "", `<p>` + strings.Repeat("This sentence is here again and again. ", 20), strings.TrimSpace(strings.Repeat("This sentence is here again and again. ", 7))},
		{"no sentence ends", "", `<p>Long ` + long + `.`, "Long " + strings.TrimSpace(strings.Repeat("word ", 58)) + "…"},
		{"content", "content", `<meta name=description content="Meta"><p>One</p><p>Two</p>`, "One\nTwo"},
		{"content, but none", "content", `<meta name=description content="Meta"><img>`, "Meta"},
	}
	for _, row := range table {
		checkField(t, row.name, Options{Description: row.option}, htmlPage(t, testURL, row.source), "Description", row.want)
	}
}

func TestLanguage(t *testing.T) {
	table := []struct{ name, source, header, want string }{
		{"region", `<html lang="en-GB">`, "", "en"},
		{"case and underscore", `<html lang="DA_dk">`, "", "da"},
		{"xml:lang", `<html xml:lang="sv">`, "", "sv"},
		{"attribute before header", `<html lang="da">`, "en", "da"},
		{"template left over", `<html lang="{{ lang }}">`, "en", "en"},
		{"header", `<html>`, "de-AT", "de"},
		{"header with two", `<html>`, "de, en", ""},
		{"meta", `<html><meta http-equiv="Content-Language" content="nb">`, "", "nb"},
		{"og:locale", `<html><meta property="og:locale" content="fr_FR">`, "", "fr"},
	}
	for _, row := range table {
		p := htmlPage(t, testURL, row.source+"<p>Text")
		p.Header.Set("Content-Language", row.header)
		checkField(t, row.name, Options{}, p, "Language", row.want)
	}
}

func TestDate(t *testing.T) {
	const linked = `<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2026-11-01","dateModified":"2026-11-02"}</script>`
	const meta = `<meta property="article:published_time" content="2026-11-03T10:00:00Z">`
	const itemprop = `<p itemprop="datePublished" content="2026-11-04">4 Nov</p>`
	const timed = `<p><time datetime="2026-11-05">5 Nov</time></p>`
	const dated = "https://www.example.com/2026/11/20/page"
	times := func(days ...string) string {
		return `<p><time datetime="` + strings.Join(days, `">d</time></p><p><time datetime="`) + `">d</time></p>`
	}
	table := []struct {
		name, url, source string
		lastmod           int64
		want              string
	}{
		{"JSON-LD", dated, linked + meta + itemprop, 1, "2026/11/01"},
		{"meta", dated, meta + itemprop + timed, 1, "2026/11/03"},
		{"itemprop", dated, timed + itemprop, 1, "2026/11/04"},
		{"time", dated, timed, 1, "2026/11/05"},
		{"path", dated, "<p>x", 1, "2026/11/20"},
		{"path with dashes", "https://www.example.com/news/2026-11-20-flood", "<p>x", 1, "2026/11/20"},
		{"path without a day", "https://www.example.com/2026/11/page", "<p>x", 0, ""},
		{"path, no such day", "https://www.example.com/2026/02/30/page", "<p>x", 0, ""},
		{"unusable source is passed over", testURL, `<meta name=date content="last week">` + timed, 0, "2026/11/05"},
		{"time in boilerplate", testURL, "<aside>" + timed + "</aside><div class=pager>" + timed + "</div><p>x", 0, ""},
		{"time outside the content", testURL, timed + "<main><p>Text of the page that is the main part.</p></main>", 0, ""},
		{"many moments of two days", testURL, times("2026-11-06T10:00", "2026-11-06T11:00", "2026-11-06T12:00", "2026-11-07"), 0, "2026/11/06"},
		{"a list of other things", testURL, times("2026-11-06", "2026-11-07", "2026-11-08"), 0, ""},
	}
	for _, row := range table {
		p := htmlPage(t, row.url, row.source+"<img>")
		p.Hints.Lastmod = row.lastmod
		checkField(t, row.name, Options{}, p, "Date", row.want)
	}
}

func TestCategory(t *testing.T) {
	const url = "https://www.example.com/waste-water/page"
	const trail = `<ol class="breadcrumb"><li><a href="/">Home</a></li><li class="separator">/</li><li><a href="/n">News &amp; events</a> »</li><li>Page</li></ol><p>Text`
	const linked = `<script type="application/ld+json">{"@graph":[{"@type":"Article","articleSection":["Sport","x"]},{"@type":"BreadcrumbList","itemListElement":[{"position":2,"item":{"name":"Culture"}},{"position":1,"name":"Home"}]}]}</script>`
	const section = `<script type="application/ld+json">{"@type":"Article","articleSection":["Sport &amp; play","x"]}</script>`
	const meta = `<meta property="article:section" content="Health">`
	table := []struct{ name, url, source, want string }{
		{"trail", url, linked + trail, "News & events"},
		{"trail of links", url, `<p id="breadcrumbs"><span><a href="/">Home</a> » <a href="/n">News</a> » <b>Page</b></span></p><p>Text`, "News"},
		{"home is a picture", url, `<nav aria-label="Breadcrumb"><ul><li><a href="/"><img></a><li><a>News</a><li>Page</ul></nav><p>Text`, "News"},
		{"microdata", url, `<div itemscope itemtype="https://schema.org/BreadcrumbList"><span itemprop="itemListElement">Home</span> <span itemprop="itemListElement">News</span></div><p>Text`, "News"},
		{"a wrapper named after its trail", url, `<div class="with-breadcrumb"><ul class="menu"><li>No<li>Neither</ul>` + trail + `<h1>Page</h1></div>`, "News & events"},
		{"JSON-LD trail", url, linked + meta, "Culture"},
		{"JSON-LD section", url, section + meta, "Sport & play"},
		{"meta category first", url, meta + `<meta name=category content=Roads>`, "Roads"},
		{"path with the language", "https://www.example.com/da/waste-water/page", `<html lang="da"><p>Text`, "Waste water"},
		{"path of language and page", "https://www.example.com/da/page", `<html lang="da"><p>Text`, ""},
		{"path of another language", "https://www.example.com/de/page", `<html lang="en"><p>Text`, ""},
		{"path of another language and more", "https://www.example.com/pt-br/waste-water/page", `<html lang="en"><p>Text`, "Waste water"},
		{"path of a department", "https://www.example.com/it/page", `<html lang="en"><p>Text`, "It"},
		{"path of words that begin like a language", "https://www.example.com/de-luxe/page", "<p>Text", "De luxe"},
		{"path of numbers", "https://www.example.com/2026/page", "<p>Text", ""},
		{"path of a program", "https://www.example.com/index.php/page", "<p>Text", ""},
		{"query", "https://www.example.com/?a=/b/c", "<p>Text", ""},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, row.url, row.source+"<img>"), "Category", row.want)
	}
}

// TestCategoryOfATrail holds that neither the way to the first page nor the page
// itself is taken for its category.
func TestCategoryOfATrail(t *testing.T) {
	const url = "https://www.example.com/p/page"
	trail := func(items string) string { return `<ol class="breadcrumb">` + items + `</ol>` }
	ld := func(items string) string {
		return `<script type="application/ld+json">{"@type":"BreadcrumbList","itemListElement":[` + items + `]}</script>`
	}
	table := []struct{ name, source, want string }{
		{"home by its word", trail(`<li><a href="/forside">Forside</a><li><a href="/n">News</a><li>Page`), "News"},
		{"home by its address", trail(`<li><a href="https://www.example.com/">Sample Borough</a><li><a href="/n">News</a><li>Page`), "News"},
		{"home of a language", `<html lang="da">` + trail(`<li><a href="/da/">Kommunen</a><li><a href="/n">News</a><li>Page`), "News"},
		{"home of another language", `<html lang="da">` + trail(`<li><a href="/de/">Gemeinde</a><li><a href="/n">News</a><li>Page`), "News"},
		{"home by the site's name", `<meta property="og:site_name" content="Sample Borough">` + trail(`<li><a href="/welcome">Sample borough</a><li><a href="/n">News</a><li>Page`), "News"},
		{"you are here", trail(`<li>You are here:<li><a href="/">Home</a><li><a href="/n">News</a><li>Page`), "News"},
		{"no home", trail(`<li><a href="/n">News</a><li><a href="/n/2026">2026</a><li>Page`), "News"},
		{"home and page by its name", trail(`<li>Home<li>Page`) + `<h1>Page</h1>`, "P"},
		{"home and page by its address", trail(`<li><a href="/">Home</a><li><a href="/p/page/">Here</a>`), "P"},
		{"home and page by a fragment", trail(`<li><a href="/">Home</a><li><a href="#">Here</a>`), "P"},
		{"addresses that differ in their query", trail(`<li><a href="/?id=1">Welcome</a><li><a href="/p/page?id=2">News</a>`), "Welcome"},
		{"another host's first page", trail(`<li><a href="https://shop.example.com/">Shop</a><li><a href="/n">News</a><li>Page`), "Shop"},
		{"JSON-LD, page without an address", ld(`{"position":1,"name":"Home","item":"https://www.example.com/"},{"position":2,"name":"Something"}`), "P"},
		{"JSON-LD, addresses in objects", ld(`{"position":1,"item":{"@id":"https://www.example.com/","name":"Welcome"}},{"position":2,"item":{"@id":"/n","name":"News"}}`), "News"},
	}
	for _, row := range table {
		checkField(t, row.name, Options{}, htmlPage(t, url, row.source+"<p>Text"), "Category", row.want)
	}
}

func TestFinishLeavesTheDraftAlone(t *testing.T) {
	e := newExtractor(t, Options{})
	d := document.Draft{Type: document.PageContent, Fields: map[string]string{"Date": "2026/11/20"}, Titles: []string{"A", "B"},
		Blocks: []document.Block{{Text: "One"}, {Text: "Two"}}}
	doc := e.Finish(d, testURL, document.Profile{})
	want := map[string]string{"Date": "2026/11/20", "Title": "A", "Content": "One\nTwo", "Url": testURL}
	if len(doc.Fields) != len(want) || len(d.Fields) != 1 || doc.ID != testURL || doc.Type != document.PageContent {
		t.Errorf("document %+v, draft %+v", doc, d)
	}
	for name, value := range want {
		if doc.Fields[name] != value {
			t.Errorf("%s: got %q, want %q", name, doc.Fields[name], value)
		}
	}
}

func TestHeadersMayBeNil(t *testing.T) {
	for _, header := range []http.Header{nil, {"Content-Language": nil}} {
		p := htmlPage(t, testURL, "<p>Text")
		p.Header = header
		checkField(t, "", Options{}, p, "Content", "Text")
	}
}
