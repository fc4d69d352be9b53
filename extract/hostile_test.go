package extract

import (
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
	"sitesync/internal/document"
)

// nest builds a tree as deep as asked, past what the parser lets through.
func nest(depth int, tag string, text string) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	n := root
	for _, name := range append([]string{"html", "body"}, make([]string, depth)...) {
		if name == "" {
			name = tag
		}
		child := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
		n.AppendChild(child)
		n = child
	}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: text})
	return root
}

func TestDeepTrees(t *testing.T) {
	for _, tag := range []string{"div", "span", "td", "blockquote", "main", "article", "form", "x-y"} {
		for depth, o := range map[int]Options{600: {}, 100_000: {}, 99_999: {Content: ".content", Exclude: []string{"b"}}} {
			e := newExtractor(t, o)
			d, err := e.Read(&document.Page{URL: testURL, Media: "text/html", Root: nest(depth, tag, "Text")})
			if err != nil {
				t.Fatalf("%d × %s: %v", depth, tag, err)
			}
			if len(d.Blocks) != 1 || d.Blocks[0].Text != "Text" {
				t.Errorf("%d × %s: got %+v", depth, tag, d.Blocks)
			}
		}
	}
}

func TestManyEmptyTags(t *testing.T) {
	root := htmlPage(t, testURL, "<p>Text</p>").Root
	body := root.FirstChild.LastChild
	for range 1_000_000 {
		body.AppendChild(&html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P})
	}
	e := newExtractor(t, Options{})
	d, grown, err := measured(e, &document.Page{URL: testURL, Media: "text/html", Root: root})
	if err != nil || len(d.Blocks) != 1 || grown > 1<<20 {
		t.Errorf("a million empty elements took %d bytes and gave %d blocks, %v", grown, len(d.Blocks), err)
	}
}

// measured reads a page, and returns how many bytes that allocated.
func measured(e *Extractor, p *document.Page) (d document.Draft, grown uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err = e.Read(p)
	runtime.ReadMemStats(&after)
	return d, after.TotalAlloc - before.TotalAlloc, err
}

// TestNamesAroundDates: each date of a page is asked for the names around it, which may be
// giants, and for its text, which may be that of all others.
func TestNamesAroundDates(t *testing.T) {
	names, dates := strings.Repeat("Abcdefgh ", 100_000), strings.Repeat("<p>1 May 2020</p>", 256)
	for name, source := range map[string]string{
		"class": `<div class="` + names + `">` + dates, "ID": `<div id="` + names + `">` + dates, "deep": strings.Repeat(`<div class="`+names[:2000]+`">`, 450) + dates,
		"text": strings.Repeat("<time>", 256) + names,
	} {
		t.Run(name, func(t *testing.T) {
			if _, grown, err := measured(newExtractor(t, Options{}), htmlPage(t, testURL, source)); err != nil || grown > 100<<20 {
				t.Errorf("it took %d MB, %v", grown>>20, err)
			}
		})
	}
}

func TestGiants(t *testing.T) {
	script := strings.Repeat("var a = 1;\n", 100_000)
	table := []struct{ name, source string }{
		{"inline script", "<script>" + strings.Repeat(script, 10) + "</script><p>Text</p>"},
		{"JSON-LD", `<script type="application/ld+json">[` + script + `</script><p>Text</p>`},
		{"attribute", `<p class="` + script + `" style="` + script + `">Text</p>`},
		{"comment", "<!--" + script + "--><p>Text</p>"},
		{"metas", strings.Repeat(`<meta name="a" content="b">`, 20_000) + "<p>Text</p>"},
		{"trails", strings.Repeat(`<ol class="breadcrumb"><li><a href="/">a</a></ol>`, 20_000) + "<p>Text</p>"},
		{"headings", "<p>Text</p>" + strings.Repeat(`<h1></h1>`, 20_000)},
		{"times", "<p>Text</p>" + strings.Repeat(`<time datetime="2026-11-20"></time>`, 20_000)},
		{"NUL bytes", "<p>Te\x00xt</p>"},
		{"broken UTF-8", "<p>Text\xff\xc3</p>"},
		{"comments that open", strings.Repeat("<!--noindex-->", 20_000) + "<p>Text</p>"},
		{"comments that close", "<p>Text</p>" + strings.Repeat("<!--noindex-->x<!--/noindex-->", 20_000)},
		{"openers", strings.Repeat(`<i aria-controls="a b c"></i>`, 20_000) + "<p>Text</p>"},
		{"boxes", "<p>Text</p>" + strings.Repeat("<aside></aside><!--x-->", 20_000)},
		{"doubtful boxes in boxes", "<div>" + strings.Repeat(`<div class="pager">`, 200) + strings.Repeat(`<ul><li><a href="/x">x</a></ul>`, 5_000) + strings.Repeat("</div>", 200) + "</div><p>Text</p>"},
		{"noscript", "<noscript>" + strings.Repeat("<b><i><td>", 200_000) + "</noscript><p>Text</p>"},
		{"noscripts", strings.Repeat("<noscript>"+script[:900]+"</noscript>", 2_000) + "<p>Text</p>"},
		{"hidden segments", strings.Repeat(`<div hidden id="S:0"></div>`, 20_000) + "<p>Text</p>"},
		{"dropped boxes", strings.Repeat(`<div class="pager"><article><p>x</p></article></div>`, 20_000) + "<p>Text</p>"},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			doc := readDocument(t, Options{}, testURL, row.source)
			if got := doc.Fields["Content"]; got != "Text" {
				t.Errorf("got %d bytes of content: %.40q", len(got), got)
			}
		})
	}
}

func TestLongFieldsAreCut(t *testing.T) {
	long := strings.Repeat("å", 100_000)
	doc := readDocument(t, Options{}, testURL, `<title>`+long+`</title><meta name=description content="`+long+`"><meta name=category content="`+long+`"><h1>`+long+`</h1>`)
	for name, most := range map[string]int{"Title": maxTitle, "Description": maxDescription, "Category": maxCategory} {
		if got := len(doc.Fields[name]); got == 0 || got > most {
			t.Errorf("%s has %d bytes", name, got)
		}
	}
}

// FuzzRead holds what the package promises of any bytes at all.
func FuzzRead(f *testing.F) {
	f.Add([]byte("<h1>a</h1><p>\xff\x00\u0085\u2028</p><script type=application/ld+json>{\"datePublished\":\"2026-11-20\"}</script>"), "https://www.example.com/2026/11/20/%C3%B8%zz")
	f.Add([]byte("<meta property=og:type content=article><main><h1>a</h1><button aria-controls=b>b</button><div id=b hidden>c</div><!--noindex--><p>d<!--/noindex--><div class=comments><a href=#x>e</a><a>f"), "")
	f.Add([]byte("<div id=app></div><noscript><main><h1>a</h1>"+strings.Repeat("<p>b &amp; c <noscript>d</noscript>", 100)+"</noscript><div hidden id=S:0>e</div>"), "")
	f.Add([]byte("<div class=related><article>x</article></div><frameset><svg><title>t</title><main>x"), "")
	for _, sample := range loadGolden(f) {
		f.Add([]byte(sample.html), sample.URL)
	}
	plain, ruled := newExtractor(f, Options{}), newExtractor(f, Options{Content: "div", Exclude: []string{"p + p"}, Description: "content"})
	f.Fuzz(func(t *testing.T, source []byte, url string) {
		root, err := html.Parse(strings.NewReader(string(source)))
		if err != nil {
			return
		}
		for _, e := range []*Extractor{plain, ruled} {
			p := &document.Page{URL: url, Media: "text/html", Root: root}
			d, err := e.Read(p)
			if err != nil {
				continue
			}
			again, _ := e.Read(p)
			if one, two := e.Finish(d, "id", document.Profile{}), e.Finish(again, "id", document.Profile{}); one.Hash() != two.Hash() {
				t.Fatalf("two readings differ: %q and %q", one, two)
			} else {
				checkFields(t, one)
			}
			checkSubset(t, root, d.Blocks)
			for _, b := range d.Blocks {
				if b.Text == "" || b.Text != markup.Clean(b.Text) {
					t.Errorf("block %q is not clean", b.Text)
				}
			}
		}
	})
}

// checkSubset holds that content has no character that the page has not.
func checkSubset(t *testing.T, root *html.Node, blocks []document.Block) {
	t.Helper()
	have := make(map[rune]int)
	count := func(root *html.Node) (noscripts []string) {
		for n := range root.Descendants() {
			if n.Type != html.TextNode {
				continue
			}
			for _, r := range n.Data {
				have[r]++
			}
			if n.Parent.DataAtom == atom.Noscript {
				noscripts = append(noscripts, n.Data)
			}
		}
		return noscripts
	}
	for _, source := range count(root) {
		instead, err := html.ParseWithOptions(strings.NewReader(source), html.ParseOptionEnableScripting(false))
		if err != nil {
			t.Fatal(err)
		}
		count(instead)
	}
	for _, b := range blocks {
		for _, r := range b.Text {
			if have[r]--; have[r] < 0 && r != ' ' {
				t.Fatalf("%q of block %q is not in the page", r, b.Text)
			}
		}
	}
}

func checkFields(t *testing.T, doc document.Document) {
	t.Helper()
	for name, value := range doc.Fields {
		if value == "" || !utf8.ValidString(value) {
			t.Errorf("%s is empty or no UTF-8: %q", name, value)
		}
		for _, r := range value {
			if unicode.IsControl(r) && (r != '\n' || name != "Content" && name != "Description") {
				t.Errorf("%s holds %U", name, r)
			}
		}
	}
}
