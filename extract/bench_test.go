package extract

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// samplePage is a page of about 30 KB with 80 links, in the manner of a
// municipality's CMS.
func samplePage() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><title>Waste and recycling – Sample Borough</title>
<meta name="description" content="When bins are emptied, what goes where, and how to order a new one.">
<meta property="og:title" content="Waste and recycling"><meta property="og:type" content="article">
<meta property="article:published_time" content="2026-03-04T08:00:00+01:00">
<link rel="stylesheet" href="/site.css"><script src="/site.js" defer></script>
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebPage","name":"Waste","datePublished":"2026-03-04T08:00:00+01:00","dateModified":"2026-05-01"},
{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"name":"Home","item":"https://www.example.com/"},{"@type":"ListItem","position":2,"name":"Environment"}]}]}</script>
</head><body class="page-node has-sidebar"><a class="skip-link" href="#main">Skip to content</a><header class="site-header"><div class="logo"><a href="/">Sample Borough</a></div><nav><ul class="menu">`)
	for i := range 40 {
		fmt.Fprintf(&b, `<li class="menu-item menu-item-type-page"><a href="/section-%d/page-%d" title="Go there">Menu entry %d</a></li>`, i%7, i, i)
	}
	b.WriteString(`</ul></nav></header><nav aria-label="Breadcrumb" class="breadcrumbs"><ol><li><a href="/">Home</a></li><li><a href="/environment">Environment</a></li><li>Waste</li></ol></nav><main id="main"><article><h1>Waste and recycling</h1>`)
	for i := range 48 {
		fmt.Fprintf(&b, `<h2 id="s%d">Section number %d</h2><p class="body-text">Bins for residual waste are emptied <strong>every second week</strong>, between six in the morning and <em>three in the afternoon</em>. Households that share a yard may <a href="/environment/shared-%d">share a container</a>, and the borough’s own crews will bring it back – æ, ø and å included. </p><ul><li>Paper and cardboard</li><li>Glass&nbsp;and metal</li></ul>`, i, i, i%30)
	}
	b.WriteString(`<table><tr><th>Day</th><th>Street</th></tr><tr><td>Monday</td><td>Harbour Road</td></tr></table></article></main><aside><h2>Related</h2><ul>`)
	for i := range 10 {
		fmt.Fprintf(&b, `<li><a href="/related/%d">Related page %d</a></li>`, i, i)
	}
	b.WriteString(`</ul></aside><footer><p>Sample Borough, Town Hall Square 1</p></footer></body></html>`)
	return b.String()
}

// BenchmarkRead prints what fields, content, block hashes and content hash of a
// page cost, beside the cost of parsing it in the same run: of 30 KB and of 3 MB.
func BenchmarkRead(b *testing.B) {
	page := samplePage()
	large := strings.Replace(page, "</main>", strings.Repeat(page[strings.Index(page, "<h2"):strings.Index(page, "</article>")], 150)+"</main>", 1)
	for _, row := range []struct{ name, source string }{{"30KB", page}, {"3MB", large}} {
		b.Run(row.name, func(b *testing.B) { benchmarkRead(b, row.source) })
	}
}

func benchmarkRead(b *testing.B, source string) {
	e, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	var parse, read time.Duration
	var allocated uint64
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		start := time.Now()
		root, err := html.Parse(strings.NewReader(source))
		if err != nil {
			b.Fatal(err)
		}
		parsed, before := time.Now(), memory()
		p := &document.Page{URL: "https://www.example.com/environment/waste", Media: "text/html", Root: root, Header: http.Header{}}
		reading := time.Now()
		d, err := e.Read(p)
		if err != nil {
			b.Fatal(err)
		}
		e.Sum(p, d)
		read += time.Since(reading)
		parse += parsed.Sub(start)
		allocated += memory() - before
	}
	b.ReportMetric(float64(read)/float64(parse), "read/parse")
	b.ReportMetric(float64(read.Microseconds())/float64(b.N)/1000, "ms/read")
	b.ReportMetric(float64(allocated)/float64(b.N)/1e6, "MB/read")
}

// memory returns the bytes allocated so far.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
