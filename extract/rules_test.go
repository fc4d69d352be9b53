package extract

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
)

const richURL = "https://www.example.com/shop/v2/b%C3%B8ger/Item-7.html?id=9"

const richPage = `<html lang="da"><head><title>Item 7 - Shop</title><base href="/shop/">
<meta name="Author" content=" Ann   Smith "><meta name="author" content="Bo"><meta name="empty" content=" ">
<meta property="og:image" content="https://cdn.example.com/7.jpg"><meta property="article:tag" content="a"><meta property="article:tag" content="b">
<script type="application/ld+json">{"@graph":[
 {"@type":"WebSite","@id":"#site","name":"Shop"},
 {"@type":["Thing","https://schema.org/Product"],"name":"Item &amp; 7","sku":12345678901,"rating":4.50,"new":true,"gone":null,
  "author":{"@id":"#ann"},"brand":"Acme","weight":{"@value":"2 kg"},
  "offers":[{"price":"1.234,50","seller":[{"name":"X"},{"name":"Y"}]},{"price":99}]},
 {"@type":"Person","@id":"#ann","name":"Ann","knows":{"@id":"#nobody"}},
 {"@type":"BreadcrumbList","itemListElement":[{"position":1,"name":"Home"},{"position":2,"name":"Linked"}]}]}</script></head>
<body><ol class="breadcrumb"><li><a href="/">Hjem</a></li><li><a href="/b">Bøger</a></li><li>Item 7</li></ol>
<main><h1>Item 7</h1><p class="price">kr. 1.234,50</p><p class="price">kr. 99,-</p><p class="ask">on request</p>
<p class="when">Udgivet 3. marts 2024 kl. 12</p><time datetime="2024-03-04T23:30:00Z">in March</time>
<p class="address">Street 1<br>1000 City<span hidden>secret</span></p><p class="list">b</p><p class="list">A</p><p class="list"> b </p>
<a class="doc" href="files/a b.pdf" title="x@y">File</a><a class="mail" href="mailto:a@b.example">Mail</a><img class="hero" src="../7.png" alt="Seven"><a class="bad" href="http://[">Bad</a>
<div itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="99.95">99</span><link itemprop="availability" href="https://schema.org/InStock"></div>
<div itemscope itemtype="https://schema.org/Person"><span itemprop="name jobTitle">Carl</span><data itemprop="price" value="5">five</data></div>
<p class="empty"> </p></main></body></html>`

func richSource(t testing.TB) *document.Page {
	p := htmlPage(t, richURL, richPage)
	p.Header = http.Header{"X-Section": {"Books", "Media"}, "Latin": {"b\xf8ger\x00"}}
	p.Link.Text = "The  seventh item"
	return p
}

func TestRuleSources(t *testing.T) {
	table := []struct{ source, want string }{
		{"css:h1", "Item 7"},
		{"css:.address", "Street 1 1000 City"},
		{"css:.doc@href", "https://www.example.com/shop/files/a%20b.pdf"},
		{"css:.bad@href", "http://["},
		{"css:.hero@src", "https://www.example.com/7.png"},
		{`css:[title="x@y"]`, "File"},
		{"css:.empty", ""},
		{"meta:author", "Ann Smith|Bo"},
		{"meta:AUTHOR", "Ann Smith|Bo"},
		{"meta:article:tag", "a|b"},
		{"og:image", "https://cdn.example.com/7.jpg"},
		{"jsonld:name", "Shop|Item & 7|Ann"},
		{"jsonld:Product/name", "Item & 7"},
		{"jsonld:Thing/@type", "Thing|https://schema.org/Product"},
		{"jsonld:Product/author.name", "Ann"},
		{"jsonld:Product/author", ""},
		{"jsonld:Product/brand.name", ""},
		{"jsonld:Person/knows.name", ""},
		{"jsonld:offers.price", "1.234,50|99"},
		{"jsonld:offers.seller", "X|Y"},
		{"jsonld:offers.seller.name", "X|Y"},
		{"jsonld:sku", "12345678901"},
		{"jsonld:rating", "4.5"},
		{"jsonld:new", "true"},
		{"jsonld:gone", ""},
		{"jsonld:weight", "2 kg"},
		{"microdata:price", "99.95|5"},
		{"microdata:Offer/price", "99.95"},
		{"microdata:Person/jobTitle", "Carl"},
		{"microdata:availability", "https://schema.org/InStock"},
		{"header:x-section", "Books|Media"},
		{"header:Latin", "bger"},
		{"path:3", "bøger"},
		{"path:-1", "Item-7.html"},
		{"path:5", ""},
		{"path:-5", ""},
		{"url:/v([0-9]+)/", "2"},
		{"url:id=9", "id=9"},
		{"url:(zz)|id", ""},
		{"breadcrumb:2", "Bøger"},
		{"breadcrumb:-1", "Item 7"},
		{"link-text", "The seventh item"},
		{"const:News", "News"},
	}
	for _, row := range table {
		checkField(t, row.source, Options{Multi: "join:|", Fields: []Field{{Name: "X", From: []string{row.source}}}}, richSource(t), "X", row.want)
	}
}

func TestRuleTransforms(t *testing.T) {
	vocabulary := map[string]string{"b": "Bees", "gone": ""}
	rest := map[string]string{"A": "Ants", "*": "Rest"}
	table := []struct {
		name, from, transforms, multi string
		table                         map[string]string
		want                          string
	}{
		{"joined by extract.multi", "css:.list", "", "join:; ", nil, "b; A; b"},
		{"all on lines", "css:.list", "all:\n", "", nil, "b\nA\nb"},
		{"first before join", "css:.list", "first", "join:; ", nil, "b"},
		{"lower", "css:.list", "lower;all: ", "", nil, "b a b"},
		{"trim after replace", "css:.price", `replace:/[0-9.,-]+$//;trim`, "", nil, "kr."},
		{"replace that leaves nothing", "css:.list", "replace:/b//", "", nil, "A"},
		{"replace with control characters", "css:h1", "replace:/ /\x00\t\x1b/", "", nil, "Item 7"},
		{"nothing but a line break", "const:x", "replace:/x/\x00\n\x00/", "", nil, ""},
		{"number", "css:.price", "number;all: ", "", nil, "1234.50 99"},
		{"number that is none", "css:.ask", "number", "", nil, ""},
		{"date by layout", "css:.when", "date:YYYY-MM-DD|D. MMMM YYYY", "", nil, "2024/03/03"},
		{"date in the zone", "css:time@datetime", "date", "", nil, "2024/03/05"},
		{"date before its time", "const:3 May 1066", "date:D MMMM YYYY", "", nil, ""},
		{"date without layout", "css:.when", "date", "", nil, ""},
		{"map", "css:.list", "map;all: ", "", vocabulary, "Bees A Bees"},
		{"map to a default", "css:.list", "map;all: ", "", rest, "Rest Ants Rest"},
		{"map to nothing", "const:gone", "map", "", vocabulary, ""},
		{"max on a rune", "path:3", "max:2", "", nil, "b"},
		{"in this order", "css:.list", "all:-;max:3;replace:/-/+/", "", nil, "b+A"},
	}
	for _, row := range table {
		f := Field{Name: "X", From: []string{row.from}, Map: row.table}
		if row.transforms != "" {
			f.Transform = strings.Split(row.transforms, ";")
		}
		checkField(t, row.name, Options{Multi: row.multi, Fields: []Field{f}, Location: time.FixedZone("", 3600)}, richSource(t), "X", row.want)
	}
}

func TestRulesOfFiles(t *testing.T) {
	created := time.Date(2024, 3, 4, 23, 30, 0, 0, time.UTC)
	table := []struct{ source, want string }{
		{"meta:title", "A plan"}, {"meta:Author", "Ann"}, {"meta:language", "da-DK"}, {"meta:created", "2024-03-04T23:30:00Z"}, {"meta:modified", ""},
		{"meta:other", ""}, {"css:h1", ""}, {"jsonld:name", ""}, {"microdata:name", ""}, {"breadcrumb:1", ""}, {"og:title", ""},
		{"link-text", "The plan"}, {"path:-1", "plan.pdf"}, {"header:X-Owner", "Roads"}, {"const:x", "x"},
	}
	for _, row := range table {
		for _, file := range []*document.File{{Title: "A plan", Author: "Ann", Language: "da-DK", Created: created}, nil} {
			p := &document.Page{URL: "https://www.example.com/plan.pdf", Media: "application/pdf", Body: []byte("%PDF-1.4\n"), Header: http.Header{"X-Owner": {"Roads"}}, File: file}
			p.Link.Text = "The plan"
			d, err := newExtractor(t, Options{Fields: []Field{{Name: "X", From: []string{row.source}}}}).Read(p)
			want := row.want
			if file == nil && strings.HasPrefix(row.source, "meta:") {
				want = ""
			}
			if got := d.Ruled["X"]; got != want || err != nil {
				t.Errorf("%s: got %q, %v, want %q", row.source, got, err, want)
			}
		}
	}
}
