package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"

	"sitesync/extract"
	"sitesync/extract/profile"
	"sitesync/internal/document"
)

const site = "https://www.example.com"

// draftOf makes a draft whose first line is its title.
func draftOf(lines ...string) document.Draft {
	d := document.Draft{Type: document.PageContent, Fields: map[string]string{}, Titles: lines[:1]}
	for _, line := range lines {
		d.Blocks = append(d.Blocks, document.Block{Hash: xxhash.Sum64String(line), Text: line})
	}
	return d
}

// unlike is a line of prose that no other page has.
func unlike(i int) string {
	return fmt.Sprintf("%d is what this page is about, and page number %d says so in a sentence that is long enough to be text of its own.", i, i)
}

// sightingOf is what a run notes of a page whose draft is the at-th.
func sightingOf(url string, d document.Draft, at int, old document.Profile) *document.Sighting {
	held, _ := profile.Held(d, url, old)
	var lines []string
	for _, b := range d.Blocks {
		lines = append(lines, b.Text)
	}
	return &document.Sighting{URL: url, Seen: document.Read, Draft: int64(at) + 1, Held: held, Content: document.HashOf(strings.Join(lines, "\n"))}
}

// lessons offers drafts as the pages /0, /1, ..., and learns.
func lessons(t *testing.T, drafts []document.Draft, old document.Profile) (document.Profile, []document.Warning) {
	t.Helper()
	l := profile.NewLearner(old)
	for i, d := range drafts {
		l.Offer(sightingOf(fmt.Sprintf("%s/%d", site, i), d, i, old))
	}
	return learn(t, l, drafts, 0)
}

func many(n int, page func(i int) document.Draft) (drafts []document.Draft) {
	for i := range n {
		drafts = append(drafts, page(i))
	}
	return drafts
}

// TestProfileContent: what repeats leaves a page, but never what could be its content.
func TestProfileContent(t *testing.T) {
	const menu, footer, doorway = "The menu of the site", "Town hall, open from nine to four", "We deliver to every house in this town, and the next day it is there, whatever the weather may be."
	usual := func(i int) document.Draft { return draftOf(fmt.Sprint("Page ", i), menu, unlike(i), footer) }
	for name, c := range map[string]struct {
		drafts []document.Draft
		page   document.Draft
		want   []string // lines that stay, of page
	}{
		"boilerplate goes":            {many(20, usual), usual(3), []string{"Page 3", unlike(3)}},
		"few pages teach nothing":     {many(7, usual), usual(3), []string{"Page 3", menu, unlike(3), footer}},
		"as many as it takes":         {many(8, usual), usual(3), []string{"Page 3", unlike(3)}},
		"half of the pages teach not": {append(many(10, usual), many(10, func(i int) document.Draft { return draftOf("Other", unlike(100+i)) })...), usual(3), []string{"Page 3", menu, unlike(3), footer}},
		"the only content is kept":    {many(20, usual), draftOf(menu, "*", footer), []string{menu, "*", footer}},
		"a line of the footer is content, where the page says it too": {
			many(20, usual), draftOf("Contact", menu, footer, footer), []string{"Contact", footer}},
		"what stands twice on all pages goes twice": {
			many(20, func(i int) document.Draft { return draftOf(fmt.Sprint(i), menu, unlike(i), menu) }), draftOf("9", menu, unlike(9), menu), []string{"9", unlike(9)}},
		"pages that differ in a number alone stay whole": {
			many(50, func(i int) document.Draft { return draftOf(fmt.Sprint("House number ", i), doorway, footer) }),
			draftOf("House number 7", doorway, footer), []string{"House number 7", doorway, footer}},
		"pages all but equal, beside others, lose the boilerplate alone": {
			append(many(30, func(i int) document.Draft { return draftOf(fmt.Sprint("House number ", i), doorway, footer) }), many(12, usual)...),
			draftOf("House number 7", doorway, footer), []string{"House number 7", doorway}},
		"copies of a page teach nothing": {
			many(50, func(int) document.Draft { return usual(1) }), usual(1), []string{"Page 1", menu, unlike(1), footer}},
		"files teach nothing and stay whole": {
			many(20, func(i int) document.Draft { d := usual(i); d.Type = document.FileContent; return d }), usual(3), []string{"Page 3", menu, unlike(3), footer}},
		"the end of an endless page counts": {
			many(9, func(i int) document.Draft {
				return draftOf(slices.Concat([]string{fmt.Sprint(i), menu}, lines(3000, i), []string{footer})...)
			}), usual(3), []string{"Page 3", unlike(3)}},
	} {
		e := newExtractor(t)
		known, warnings := lessons(t, c.drafts, nil)
		doc := e.Finish(c.page, site+"/9", known)
		if got := strings.Split(doc.Fields["Content"], "\n"); !slices.Equal(got, c.want) || len(warnings) > 0 {
			t.Errorf("%s: content %q, want %q; warnings %v", name, got, c.want, warnings)
		}
		c.page.Type = document.FileContent
		if file := e.Finish(c.page, site+"/9", known); strings.Count(file.Fields["Content"], "\n")+1 != len(c.page.Blocks) {
			t.Errorf("%s: a file's content is %q", name, file.Fields["Content"])
		}
	}
}

// TestProfileByPlace: what stands in the main part from its title on is the page's, and code anywhere,
// whatever other pages say. What stands above, beside or in a doubtful part is judged by likeness.
func TestProfileByPlace(t *testing.T) {
	const told, more = "The harbour opens at six and closes when the last boat is in.", "Ropes are stored in the shed."
	for name, c := range map[string]struct {
		page string // $ stands for what each page has alone
		want []string
	}{
		"versions that drift": {"<main><p>Read before you sail</p><h1>Start</h1><p>$</p><p>" + told + "</p><h2>Ropes</h2><p>" + more + "</p></main>",
			[]string{"Start", "$", told, "Ropes", more}},
		"an article": {"<p>Call us</p><article><h1>Start</h1><p>$</p><p>" + told + "</p></article>", []string{"Start", "$", told}},
		"a main part without a title": {"<div><h1>Start</h1></div><div role=main><p>" + told + "</p><p>$</p></div>",
			[]string{told, "$"}},
		"a container named after the text": {"<p>Call us</p><div class=entry-content><h1>Start</h1><p>" + told + "</p><p>$</p></div><p>" + more + "</p>",
			[]string{"Start", told, "$"}},
		"nothing is marked": {"<h1>Start</h1><p>" + told + "</p><p>$</p><p>" + more + "</p>", []string{"$"}},
		"code": {"<div><p>$</p><p>" + told + "</p><pre>def load():\n    return {\n    }\n</pre></div>",
			[]string{"$", "def load():", "return {", "}"}},
		"widgets and lists of links": {"<main><h1>Start</h1><p>$</p><p>" + told + "</p><div class=share-tools>Tell your friends</div>" +
			"<ul><li><a href=/a>Boats</a></li><li><a href=/b>Sails</a></li></ul></main>", []string{"Start", "$", told}},
	} {
		e := newExtractor(t)
		drafts := many(12, func(i int) document.Draft {
			root, err := html.Parse(strings.NewReader("<title>Harbour</title>" + strings.ReplaceAll(c.page, "$", unlike(i))))
			if err != nil {
				t.Fatal(err)
			}
			d, err := e.Read(&document.Page{URL: site + "/x", Media: "text/html", Root: root})
			if err != nil {
				t.Fatal(err)
			}
			d.Blocks, err = document.UnpackBlocks(d.Blocks.Pack())
			if err != nil {
				t.Fatal(err)
			}
			return d
		})
		known, _ := lessons(t, drafts, nil)
		got := strings.Split(e.Finish(drafts[3], site+"/3", known).Fields["Content"], "\n")
		for i := range c.want {
			c.want[i] = strings.ReplaceAll(c.want[i], "$", unlike(3))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: content %q, want %q", name, got, c.want)
		}
	}
}

func lines(n, page int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("line %d of page %d", i, page))
	}
	return lines
}

// TestProfileFields: titles and descriptions lose what is the site's.
func TestProfileFields(t *testing.T) {
	named := func(form string) func(i int) document.Draft {
		return func(i int) document.Draft {
			d := draftOf("x", unlike(i))
			d.Titles = strings.Split(strings.ReplaceAll(form, "%d", fmt.Sprint(i)), ",")
			d.Fields["Description"] = "Made by us"
			return d
		}
	}
	for _, c := range []struct{ form, titles, want string }{
		{"Bin %d – Sample Borough", "Waste – Sample Borough", "Waste"},
		{"Bin %d | Waste | Sample Borough", "Glass | Waste | Sample Borough", "Glass"},
		{"Bin %d | Waste | Sample Borough", "Roads | Sample Borough", "Roads"},
		{"Sample Borough: bin %d", "Sample Borough: waste", "waste"},
		{"Brand | bin %d | Shop", "Brand | glass | Shop", "glass"},
		{"Bin %d – Sample Borough", "Sample Borough", "Sample Borough"},
		{"Bin %d – Sample Borough", "– Sample Borough", "– Sample Borough"},
		{"Sample Borough,Bin %d – Sample Borough", "Sample Borough,Waste – Sample Borough", "Waste"},
		{"Sample Borough,Bin %d", "Sample Borough", "Sample Borough"},
		{"Bin %d (Sample 5.46 Guide)", "Waste (Sample 5.46 Guide)", "Waste"},
		{"Bin %d (Sample 5.46 Guide)", "Waste (of glass)", "Waste (of glass)"},
		{"Bin-%d-Borough", "Waste-7-Borough", "Waste-7-Borough"},
		{"Bin %d", "Bin 7 – Sample Borough", "Bin 7 – Sample Borough"},
	} {
		e := newExtractor(t)
		known, _ := lessons(t, many(12, named(c.form)), nil)
		d := draftOf("x", unlike(5))
		d.Titles, d.Fields["Description"] = strings.Split(c.titles, ","), "Made by us"
		doc := e.Finish(d, site+"/x", known)
		if got := doc.Fields["Title"]; got != c.want {
			t.Errorf("site of %q: %q is titled %q, want %q", c.form, c.titles, got, c.want)
		}
		if got := doc.Fields["Description"]; got != unlike(5) {
			t.Errorf("description %q, want the first sentence", got)
		}
		d.Fields["Description"] = "Its own"
		if got := e.Finish(d, site+"/x", known).Fields["Description"]; got != "Its own" {
			t.Errorf("description %q, want the page's own", got)
		}
	}
}

func newExtractor(t *testing.T) *extract.Extractor {
	t.Helper()
	e, err := extract.New(extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// learn ends a lesson in which so many more pages of the site's root did not change.
func learn(t testing.TB, learner *profile.Learner, drafts []document.Draft, kept int) (document.Profile, []document.Warning) {
	t.Helper()
	for range kept {
		learner.Keep("https://www.example.com/kept")
	}
	learned, warnings, err := learner.Learn(
		func(string) bool { return true },
		func(at int64) (document.Draft, error) { return drafts[at-1], nil })
	if err != nil {
		t.Fatal(err)
	}
	return learned, warnings
}
