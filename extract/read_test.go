package extract

import (
	"bytes"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"sitesync/extract/content"
	"sitesync/internal/document"
)

// far is a body whose mark of a PDF ends behind the first KiB.
var far = append(bytes.Repeat([]byte(" "), 1020), "%PDF-"...)

func TestFiles(t *testing.T) {
	pdf := []byte("%PDF-1.7\n...")
	docx := []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Join(strings.Split("EncryptedPackage", ""), "\x00"))
	table := []struct {
		name  string
		page  document.Page
		title string
		field map[string]string
	}{
		{"pdf", document.Page{URL: "https://www.example.com/f/plan-2026.pdf", Media: "application/pdf", Body: pdf, Link: document.Link{Text: " The\u00a0plan "}},
			"The plan", map[string]string{"Description": "The plan"}},
		{"no link text", document.Page{URL: "https://www.example.com/f/local_plan-%C3%B8st.PDF?v=2", Media: "application/pdf", Body: pdf},
			"Local plan øst", nil},
		{"docx", document.Page{URL: "https://www.example.com/f?id=1", Media: document.MediaDOCX, Body: docx, Link: document.Link{Text: "Form"}},
			"Form", map[string]string{"Description": "Form"}},
		{"named in the header", document.Page{URL: "https://www.example.com/f.ashx?id=1", Media: "application/pdf", Body: pdf,
			Header: http.Header{"Content-Disposition": {`attachment; filename="local_plan 42.pdf"`}}}, "Local plan 42", nil},
		{"a mark that ends at the first KiB", document.Page{URL: "https://www.example.com/f.pdf", Media: "application/pdf", Body: far[1:]}, "F", nil},
		{"headers and hints", document.Page{URL: "https://www.example.com/f.pdf", Media: "application/pdf", Body: pdf,
			Header: http.Header{"Content-Language": {"da-DK"}}, Hints: document.Hints{Lastmod: 1795176000}},
			"F", map[string]string{"Language": "da", "Date": "2026/11/20"}},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			e := newExtractor(t, Options{})
			d, err := e.Read(&row.page)
			if err != nil {
				t.Fatal(err)
			}
			doc := e.Finish(d, row.page.URL, document.Profile{})
			want := map[string]string{"Url": row.page.URL, "Title": row.title}
			for name, value := range row.field {
				want[name] = value
			}
			if !reflect.DeepEqual(doc.Fields, want) || doc.Type != document.FileContent {
				t.Errorf("got %s %q, want %q", doc.Type, doc.Fields, want)
			}
			if !slices.Equal(d.Warn, []string{WarnFileText}) {
				t.Errorf("draft %+v", d)
			}
			if e.Sum(&row.page, d) != document.HashOf(row.page.Body) {
				t.Error("the content hash is not the file's")
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	parse := func(source string) *html.Node { return htmlPage(t, testURL, source).Root }
	noise := strings.Repeat("\x01\x02\x03 binary \x89\xff\xfe", 20)
	table := []struct {
		name string
		page document.Page
		want error
	}{
		{"no tree", document.Page{Media: "text/html"}, content.ErrEmpty},
		{"white space", document.Page{Media: "text/html", Root: parse(" \n <!-- c --> \x00")}, content.ErrEmpty},
		{"head alone", document.Page{Media: "text/html", Root: parse("<title>x</title>")}, content.ErrEmpty},
		{"binary text", document.Page{Media: "text/html", Root: parse(noise)}, content.ErrBinary},
		{"PNG", document.Page{Media: "text/html", Root: parse("x"), Body: []byte("\x89PNG\x0d\x0a\x1a\x0a\x00\x00")}, content.ErrBinary},
		{"PDF that is HTML", document.Page{Media: "application/pdf", Body: []byte("<!doctype html><p>Log in")}, errMislabelled},
		{"PDF with a mark past the first KiB", document.Page{Media: "application/pdf", Body: far}, errMislabelled},
		{"DOCX that is nothing", document.Page{Media: document.MediaDOCX}, errMislabelled},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			row.page.URL = testURL
			d, err := newExtractor(t, Options{}).Read(&row.page)
			if !errors.Is(err, row.want) || !strings.Contains(err.Error(), testURL) || !reflect.DeepEqual(d, document.Draft{}) {
				t.Errorf("got %+v, %v", d, err)
			}
		})
	}
}

func TestUnsupported(t *testing.T) {
	for _, media := range []string{"image/png", "application/json", "application/octet-stream", ""} {
		_, err := newExtractor(t, Options{}).Read(&document.Page{URL: testURL, Media: media})
		if err == nil || !strings.Contains(err.Error(), "media type "+strconv.Quote(media)) {
			t.Errorf("%q: got %v", media, err)
		}
	}
}

func TestEmptyShell(t *testing.T) {
	table := []struct {
		name, source string
		shell        bool
	}{
		{"script in the head", `<head><script type=module src="/app.js"></script></head><body></body>`, true},
		{"noscript", `<div id="root"></div><noscript>Turn JavaScript on.</noscript><script>app()</script>`, true},
		{"frame alone", `<nav>Menu</nav><div id="app"></div><footer>Address</footer><script>app()</script>`, true},
		{"pictures", `<img src="a.png">`, false},
		{"data only", `<img><script type="application/ld+json">{}</script>`, false},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			e := newExtractor(t, Options{})
			p := htmlPage(t, testURL, row.source)
			d, err := e.Read(p)
			if err != nil || slices.Contains(d.Warn, WarnEmptyShell) != row.shell {
				t.Errorf("warnings %q, %v", d.Warn, err)
			}
			if empty := len(d.Blocks) == 0; empty != e.Sum(p, d).IsZero() {
				t.Error("no content and a content hash, or the other way round")
			}
		})
	}
}

func TestSumIsOfTheMainText(t *testing.T) {
	e := newExtractor(t, Options{})
	sum := func(source string) document.Hash {
		p := htmlPage(t, testURL, source)
		d, err := e.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		return e.Sum(p, d)
	}
	first := sum("<title>A</title><nav>x</nav><p>One</p><p>Two</p>")
	if first != sum("<title>B</title><div>One</div>\n Two") {
		t.Error("the same text has two hashes")
	}
	if first == sum("<title>A</title><p>One Two</p>") {
		t.Error("other blocks have the same hash")
	}
	if first != document.HashOf("One\nTwo") {
		t.Error("the hash is not of the Content field")
	}
}

// One extractor, many goroutines, the same drafts, and no page changed.
func TestReadIsAFunction(t *testing.T) {
	e := newExtractor(t, Options{Content: "main, .content", Exclude: []string{".ad"}})
	var pages []*document.Page
	var want []document.Draft
	var trees []string
	for _, sample := range loadGolden(t) {
		p := sample.page(t)
		pages, trees = append(pages, p), append(trees, render(t, p.Root))
		d, err := e.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, d)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				for i, p := range pages {
					if d, err := e.Read(p); err != nil || !reflect.DeepEqual(d, want[i]) {
						t.Errorf("page %d gives another draft: %v", i, err)
					}
				}
			}
		})
	}
	wg.Wait()
	for i, p := range pages {
		if render(t, p.Root) != trees[i] {
			t.Errorf("page %d was changed", i)
		}
	}
}

// A draft must not change with what the extractor's pooled buffers hold next.
func TestDraftOwnsItsText(t *testing.T) {
	e := newExtractor(t, Options{})
	d, err := e.Read(htmlPage(t, testURL, "<p>The first page's text"))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := e.Read(htmlPage(t, testURL, "<p>"+strings.Repeat("x", 200))); err != nil {
			t.Fatal(err)
		}
	}
	if d.Blocks[0].Text != "The first page's text" {
		t.Errorf("got %q", d.Blocks[0].Text)
	}
}
