package extract

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// What explain tells is what Read and Finish do: the same draft, and of each field the
// value that won, once.
func TestExplainTellsWhatReadDoes(t *testing.T) {
	var pages []*document.Page
	for _, g := range loadGolden(t) {
		pages = append(pages, g.page(t))
	}
	for _, file := range []*document.File{
		{Title: "Microsoft Word - x.doc", Blocks: []string{"The plan", "What the council has in mind for the town."}, Language: "da-DK", Modified: time.Unix(1795176000, 0)},
		{Title: "The plan", NoText: "it holds pictures alone", Created: time.Unix(1795176000, 0)},
	} {
		pages = append(pages, &document.Page{URL: testURL, Media: document.MediaPDF, File: file, Link: document.Link{Text: "A plan"}})
	}
	site := document.Profile{"https://www.example.com": document.Section{
		Titles: []string{"The site"}, Blocks: []uint64{xxhash.Sum64String("A line of the footer, which is on every page of the site.")},
		Descriptions: []uint64{xxhash.Sum64String("All about us.")},
	}.Sealed()}
	for _, source := range []string{
		`<title>The site</title><meta property="og:title" content="The site"><meta name="description" content="All about us."><main><h1>The page</h1><p>A line of the footer, which is on every page of the site.</p><p>What the page itself has to say of things, and no other.</p>`,
		`<title>The site</title><meta name="description" content="All about us."><meta property="og:description" content="About this."><p>A line of the footer, which is on every page of the site.`,
		`<title>The site</title><h2>Heading</h2>`,
	} {
		pages = append(pages, htmlPage(t, testURL, source))
	}
	for i, option := range []string{"meta", "content", "meta", "content"} {
		e, profile := newExtractor(t, Options{Description: option}), document.Profile{}
		if i > 1 {
			profile = site
		}
		for _, p := range pages {
			want, err := e.Read(p)
			if err != nil {
				t.Fatal(err)
			}
			got, attempts, err := e.Explain(p, profile)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: another draft: %v", p.URL, err)
			}
			fields := e.Finish(want, p.URL, profile).Fields
			won := map[string]string{}
			for _, a := range attempts {
				if _, before := won[a.Field]; a.Won && before {
					t.Errorf("%s: %s won twice", p.URL, a.Field)
				}
				if a.Won {
					won[a.Field] = a.Value
				}
			}
			for _, name := range []string{"Title", "Description", "Language", "Date", "Category"} {
				if won[name] != fields[name] {
					t.Errorf("%s: %s: %q won, %q it is", p.URL, name, won[name], fields[name])
				}
			}
		}
	}
}

func TestExplainTellsEverySource(t *testing.T) {
	p := htmlPage(t, testURL, `<html lang="da"><title>Page | Site</title><meta name="date" content="04/05/2026"><meta property="og:title" content="The page">
<main><h1>Page</h1><p><time datetime="2026-11-05">5 Nov</time>`)
	p.Hints.Lastmod = 1795176000
	_, attempts, err := newExtractor(t, Options{}).Explain(p, document.Profile{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []Attempt{
		{Field: "Title", Source: "h1 in title", Value: "Page", Won: true},
		{Field: "Title", Source: "og:title", Value: "The page", Won: false},
		{Field: "Title", Source: "path", Value: "Page", Won: false},
		{Field: "Date", Source: "jsonld:datePublished", Value: "", Won: false},
		{Field: "Date", Source: "meta:date", Value: "04/05/2026", Won: false}, // no day: told as it stands
		{Field: "Date", Source: "byline", Value: "2026/11/05", Won: true},
		{Field: "Date", Source: "sitemap lastmod", Value: "2026/11/20", Won: false},
		{Field: "Language", Source: "html lang", Value: "da", Won: true},
		{Field: "Language", Source: "header:Content-Language", Value: "", Won: false},
		{Field: "Category", Source: "path:1", Value: "", Won: false},
		{Field: "Description", Source: "meta:description", Value: "", Won: false},
		{Field: "Description", Source: "first sentence", Value: "", Won: false},
	} {
		if !slices.Contains(attempts, want) {
			t.Errorf("%+v is missing in %+v", want, attempts)
		}
	}
}

func TestExplainErrsAsRead(t *testing.T) {
	p := &document.Page{URL: testURL, Media: "text/html"}
	_, err := newExtractor(t, Options{}).Read(p)
	if _, attempts, told := newExtractor(t, Options{}).Explain(p, document.Profile{}); told == nil || told.Error() != err.Error() || attempts != nil {
		t.Errorf("got %v and %v, want %v", attempts, told, err)
	}
}
