package extract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/rule"
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
		{"css:title", "Item 7 - Shop"},
		{"css:.price", "kr. 1.234,50|kr. 99,-"},
		{"css:.address", "Street 1 1000 City"},
		{"css:.price, h1", "Item 7|kr. 1.234,50|kr. 99,-"},
		{"css:time@datetime", "2024-03-04T23:30:00Z"},
		{"css:.doc@href", "https://www.example.com/shop/files/a%20b.pdf"},
		{"css:.mail@href", "mailto:a@b.example"},
		{"css:.bad@href", "http://["},
		{"css:.hero@src", "https://www.example.com/7.png"},
		{"css:.hero@alt", "Seven"},
		{`css:[title="x@y"]`, "File"},
		{"css:h1@alt", ""},
		{"css:.empty", ""},
		{"css:.none", ""},
		{"meta:author", "Ann Smith|Bo"},
		{"meta:AUTHOR", "Ann Smith|Bo"},
		{"meta:article:tag", "a|b"},
		{"meta:empty", ""},
		{"meta:created", ""},
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
		{"jsonld:Recipe/name", ""},
		{"microdata:price", "99.95|5"},
		{"microdata:Offer/price", "99.95"},
		{"microdata:Person/jobTitle", "Carl"},
		{"microdata:availability", "https://schema.org/InStock"},
		{"microdata:Thing/name", ""},
		{"header:x-section", "Books|Media"},
		{"header:Latin", "bger"},
		{"header:None", ""},
		{"path:1", "shop"},
		{"path:3", "bøger"},
		{"path:-1", "Item-7.html"},
		{"path:5", ""},
		{"path:-5", ""},
		{"url:/v([0-9]+)/", "2"},
		{"url:id=9", "id=9"},
		{"url:(zz)|id", ""},
		{"url:nothing", ""},
		{"breadcrumb:2", "Bøger"},
		{"breadcrumb:-1", "Item 7"},
		{"breadcrumb:4", ""},
		{"link-text", "The seventh item"},
		{"const:News", "News"},
	}
	for _, row := range table {
		t.Run(row.source, func(t *testing.T) {
			e := newExtractor(t, Options{Multi: "join:|", Fields: []Field{{Name: "X", From: []string{row.source}}}})
			d, err := e.Read(richSource(t))
			if got := d.Ruled["X"]; got != row.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, row.want)
			}
		})
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
		{"first of several", "css:.list", "", "", nil, "b"},
		{"joined by extract.multi", "css:.list", "", "join:; ", nil, "b; A; b"},
		{"all", "css:.list", "all:, ", "", nil, "b, A, b"},
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
		{"date that fits no layout", "css:.when", "date:MMMM D, YYYY", "", nil, ""},
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
		t.Run(row.name, func(t *testing.T) {
			f := Field{Name: "X", From: []string{row.from}, Map: row.table}
			if row.transforms != "" {
				f.Transform = strings.Split(row.transforms, ";")
			}
			e := newExtractor(t, Options{Multi: row.multi, Fields: []Field{f}, Location: time.FixedZone("", 3600)})
			d, err := e.Read(richSource(t))
			if got := d.Ruled["X"]; got != row.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, row.want)
			}
		})
	}
}

func in(part string) Where {
	return Where{Patterns: []string{part}, Match: func(url string) bool { return strings.Contains(url, part) }}
}

// Rules win over the defaults, earlier rules over later ones, and what gives
// nothing changes nothing.
func TestRulesAndDefaults(t *testing.T) {
	fields := func(fields ...Field) Options { return Options{Fields: fields, Description: "content"} }
	table := []struct {
		name    string
		options Options
		field   string
		want    string
	}{
		{"title", fields(Field{Name: "Title", From: []string{"css:title"}}), "Title", "Item 7 - Shop"},
		{"title that is not there", fields(Field{Name: "Title", From: []string{"css:h6"}}), "Title", "Item 7"},
		{"description over content", fields(Field{Name: "Description", From: []string{"css:.ask"}}), "Description", "on request"},
		{"date is a day", fields(Field{Name: "Date", From: []string{"css:.when", "css:time@datetime"}}), "Date", "2024/03/04"},
		{"date by layout is a day", fields(Field{Name: "Date", From: []string{"css:.when"}, Transform: []string{"date:D. MMMM YYYY"}}), "Date", "2024/03/03"},
		{"content", fields(Field{Name: "Content", From: []string{"css:.price"}, Transform: []string{"all:\n\n"}}), "Content", "kr. 1.234,50\nkr. 99,-"},
		{"first source", fields(Field{Name: "X", From: []string{"css:.none", "path:1", "const:no"}}), "X", "shop"},
		{"first rule", fields(Field{Name: "X", From: []string{"const:a"}}, Field{Name: "X", From: []string{"const:b"}}), "X", "a"},
		{"a rule for elsewhere", fields(Field{Name: "X", From: []string{"const:a"}, Where: in("/news/")}, Field{Name: "X", From: []string{"const:b"}, Where: in("/shop/")}), "X", "b"},
		{"the second gives what is required", fields(Field{Name: "X", From: []string{"css:h6"}, Required: true}, Field{Name: "X", From: []string{"const:b"}}), "X", "b"},
		{"required elsewhere", fields(Field{Name: "X", From: []string{"css:h6"}, Required: true, Where: in("/news/")}), "X", ""},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			e := newExtractor(t, row.options)
			p := richSource(t)
			d, err := e.Read(p)
			if err != nil {
				t.Fatal(err)
			}
			doc := e.Finish(d, p.URL, Profile{})
			if got := doc.Fields[row.field]; got != row.want {
				t.Errorf("got %q, want %q", got, row.want)
			}
			if row.field == "Content" && e.Sum(p, d) != document.HashOf(row.want) {
				t.Error("the content hash is of another content")
			}
		})
	}
}

func TestRequiredFieldMissing(t *testing.T) {
	e := newExtractor(t, Options{Fields: []Field{{Name: "Title", From: []string{"css:h6"}, Required: true}}})
	_, err := e.Read(richSource(t))
	for _, part := range []string{richURL, `extract.field "Title" is required`, "mend the page"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want %q in it", err, part)
		}
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

func TestFaultsOfRules(t *testing.T) {
	_, err := New(Options{Content: "main >", Fields: []Field{
		{Name: "Id", From: []string{"css:h1", "h1"}},
		{Name: "Price", From: []string{"path:0"}, Transform: []string{"trim", "up"}},
		{Name: "price", From: []string{"path:1"}},
	}})
	want := []string{`extract.content: `, `extract.field[0].name: "Id" must be another name`, `extract.field[0].from[1]: "h1" must begin with css:`,
		`extract.field[1].from[0]: "path:0" must count`, `extract.field[1].transform[1]: "up" must be trim`, `extract.field[2].name: "price" must be written as before, "Price"`}
	for _, part := range want {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want %q in it", err, part)
		}
	}
}

// The fingerprint of a URL moves with the rules for it, and with no others.
func TestFingerprintOfRules(t *testing.T) {
	const here, there = "https://www.example.com/shop/a", "https://www.example.com/news/a"
	base := Field{Name: "X", From: []string{"path:1"}, Where: in("/shop/")}
	changes := map[string]func(f *Field, o *Options){
		"name":      func(f *Field, _ *Options) { f.Name = "Y" },
		"from":      func(f *Field, _ *Options) { f.From = []string{"path:2"} },
		"transform": func(f *Field, _ *Options) { f.Transform = []string{"map"} },
		"map":       func(f *Field, _ *Options) { f.Map = map[string]string{"a": "b"} },
		"required":  func(f *Field, _ *Options) { f.Required = true },
		"multi":     func(_ *Field, o *Options) { o.Multi = "join:; " },
		"where":     func(f *Field, _ *Options) { f.Where = in("/none/") },
		"twice":     func(f *Field, o *Options) { o.Fields = append(o.Fields, *f) },
	}
	plain := newExtractor(t, Options{})
	before := newExtractor(t, Options{Fields: []Field{base}})
	if plain.Fingerprint(there) != before.Fingerprint(there) || plain.Fingerprint(here) == before.Fingerprint(here) {
		t.Error("a new rule moves another URL's fingerprint, or not its own")
	}
	for name, change := range changes {
		field, o := base, Options{}
		change(&field, &o)
		o.Fields = append(o.Fields, field)
		after := newExtractor(t, o)
		if after.Fingerprint(here) == before.Fingerprint(here) || after.Fingerprint(there) != before.Fingerprint(there) {
			t.Errorf("%s: the wrong fingerprints move", name)
		}
	}
	p := richSource(t)
	if d, err := before.Read(p); err != nil || d.Rules != before.Fingerprint(p.URL) {
		t.Errorf("the draft has another fingerprint than its URL: %v", err)
	}
}

// For explain every source is tried; what wins is what Read takes.
func TestRuleTrace(t *testing.T) {
	e := newExtractor(t, Options{Fields: []Field{
		{Name: "X", From: []string{"css:h6", "path:1", "const:c"}},
		{Name: "X", From: []string{"const:d"}},
		{Name: "Title", From: []string{"css:.price"}, Transform: []string{"number"}},
	}})
	trace := []Attempt{{"Title", "h1", "Item 7", true}, {"Category", "breadcrumb", "Bøger", true}}
	p := richSource(t)
	var d document.Draft
	if err := e.rule(&d, &evidence{page: p, found: &findings{}, linked: &linked{}, trace: &trace}); err != nil {
		t.Fatal(err)
	}
	want := []Attempt{
		{"Title", "h1", "Item 7", false}, {"Category", "breadcrumb", "Bøger", true},
		{"X", "css:h6", "", false}, {"X", "path:1", "shop", true}, {"X", "const:c", "c", false}, {"X", "const:d", "d", false},
		{"Title", "css:.price", "1234.50", true},
	}
	if got := fmt.Sprint(trace); got != fmt.Sprint(want) || fmt.Sprint(d.Ruled) != "map[Title:1234.50 X:shop]" {
		t.Errorf("got %s and %v", got, d.Ruled)
	}
}

// No page makes a rule take more than its bounds.
func TestRuleBounds(t *testing.T) {
	many := strings.Repeat("<p class=x>"+strings.Repeat("y", 2*maxValue)+"</p>", 3) + strings.Repeat("<i>z</i>", 1000)
	deep := `<script type="application/ld+json">{"name":` + strings.Repeat("[", 3000) + `"n"` + strings.Repeat("]", 3000) + `,"many":[` + strings.Repeat(`1,`, 5000) + `1]}</script>`
	table := []struct {
		from, transform string
		least, most     int
	}{
		{"css:.x", "all:", 3 * maxValue, 3 * maxValue},
		{"css:i", "all:", maxValues, maxValues},
		{"css:.x", "replace:/y/yyyyyyyyyy/", maxValue, maxValue},
		{"jsonld:name", "first", 0, 0},
		{"jsonld:many", "all:", maxValues, maxValues},
	}
	for _, row := range table {
		e := newExtractor(t, Options{Fields: []Field{{Name: "X", From: []string{row.from}, Transform: []string{row.transform}}}})
		d, err := e.Read(htmlPage(t, testURL, deep+many))
		if n := len(d.Ruled["X"]); n < row.least || n > row.most || err != nil {
			t.Errorf("%s: %d bytes, %v", row.from, n, err)
		}
	}
}

// FuzzRule holds that what parses is written back as it was read and can be
// evaluated, and that no value comes out with what a field may not hold.
func FuzzRule(f *testing.F) {
	for _, seed := range [][2]string{
		{"css:p, [itemprop=price]@content", "all:, "}, {"jsonld:Product/offers.price", "number"}, {"microdata:Person/name", "max:3"},
		{"css:.when", "date:D. MMMM YYYY|YYYY-MM-DD"}, {"url:/v([0-9]+)/", "replace:/2/$0$$/"}, {"const:a\x00b\nc", "trim"}, {"header:x-section", "map"},
		{"path:-1", "lower"}, {"breadcrumb:1", "first"}, {"link-text", "date"}, {"og:image", "replace:#^#$0\x1b#"},
	} {
		f.Add(seed[0], seed[1])
	}
	p := richSource(f)
	f.Fuzz(func(t *testing.T, source, transform string) {
		s, err := rule.ParseSource(source)
		tr, trErr := rule.ParseTransform(transform)
		if err == nil && s.String() != source || trErr == nil && tr.String() != transform {
			t.Fatalf("%q and %q are written back as %q and %q", source, transform, s, tr)
		}
		e, newErr := New(Options{Multi: "join:|", Fields: []Field{{Name: "X", From: []string{source}, Transform: []string{transform}, Map: map[string]string{"2": "two"}}}})
		if (newErr == nil) != (err == nil && trErr == nil) {
			t.Fatalf("New says %v, the parsers %v and %v", newErr, err, trErr)
		}
		if newErr != nil {
			return
		}
		d, err := e.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		value := d.Ruled["X"]
		for line := range strings.SplitSeq(value, "\n") {
			if clean(line) != line {
				t.Errorf("the value is not clean: %q", value)
			}
		}
		if again, _ := e.Read(p); again.Ruled["X"] != value {
			t.Errorf("another value the second time: %q, %q", value, again.Ruled["X"])
		}
	})
}
