package cli_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"sitesync/internal/testsite"
)

// modelPage is one address of a model's site: what an owner did to it, whatever
// trouble hides tonight.
type modelPage struct {
	edition int    // of its text: no two texts have the same, except copies
	version int    // of its ETag, Last-Modified and lastmod; an edit that lies leaves it as it is
	is      string // "live", "missing", "gone", "hidden" (noindex), "moved", "away" (temporarily), "copy" or "mistaken" (their canonical is to)
	to      string // path
	linked  bool
	listed  bool
	thin    bool
	lied    bool // the last edit left its version
	shunned bool // it once looked as if it did not exist: found anew when a page that leads to it is read
}

// modelSite is the truth about a site, and how it is put on a test site.
type modelSite struct {
	site    *testsite.Site
	pages   map[string]*modelPage
	mapped  bool // it has a sitemap
	edition int
	version int
	moves   int
	set     []string // paths that are on the test site
	faulty  []string // patterns that have faults there
	closed  []string // folders that robots.txt closed on some night
}

func newModelSite(site *testsite.Site, pages int, mapped bool) *modelSite {
	m := &modelSite{site: site, pages: map[string]*modelPage{}, mapped: mapped}
	m.add("/")
	for i := range pages {
		m.add(pathOf(i))
	}
	return m
}

// pathOf returns the address of a site's ith page: in one of three folders, and a few
// with a query.
func pathOf(i int) string {
	if i%8 == 7 {
		return fmt.Sprintf("/item?id=%d", i)
	}
	return fmt.Sprintf("/s%d/p%d.html", i%3, i)
}

func (m *modelSite) add(path string) *modelPage {
	p := &modelPage{is: "live", linked: true, listed: true}
	m.pages[path] = p
	m.write(p)
	return p
}

// write gives a page a new text.
func (m *modelSite) write(p *modelPage) {
	m.edition++
	p.edition = m.edition
	m.touch(p)
}

func (m *modelSite) touch(p *modelPage) {
	m.version++
	p.version, p.lied = m.version, false
}

func (m *modelSite) paths() []string { return slices.Sorted(maps.Keys(m.pages)) }

// pick returns one of the pages of a kind, by a number that was drawn; "" when there
// is none. The start page is none of them.
func (m *modelSite) pick(n int, kinds ...string) string {
	var fit []string
	for _, path := range m.paths() {
		if path != "/" && slices.Contains(kinds, m.pages[path].is) {
			fit = append(fit, path)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return fit[n%len(fit)]
}

// prose is a text of some 200 bytes which names its edition.
func prose(edition int) string {
	words := []string{"harbour", "council", "bicycle", "library", "orchard", "railway", "theatre", "meadow", "kitchen", "lantern", "gravel"}
	var b strings.Builder
	fmt.Fprintf(&b, "This is edition %d of what the town has to say", edition)
	for i := range 18 {
		b.WriteString(" " + words[(edition*7+i*(edition%5+1))%len(words)])
	}
	return b.String() + "."
}

func (m *modelSite) body(path string, t trouble) string {
	p := m.pages[path]
	title, text, head := "The page "+path, prose(p.edition), ""
	switch {
	case t.kind == sameBody && path != "/":
		title, text = "A notice", prose(sameEdition)
	case p.thin, t.kind == thinAll && path != "/":
		text = fmt.Sprintf("edition %d", p.edition)
	}
	if p.is == "hidden" || t.kind == noindexAll {
		head += `<meta name="robots" content="noindex">`
	}
	switch {
	case t.kind == canonicalAll && path != "/":
		head += `<link rel="canonical" href="/">`
	case p.is == "copy" || p.is == "mistaken":
		head += fmt.Sprintf(`<link rel="canonical" href=%q>`, p.to)
	}
	var links []string
	for _, other := range m.paths() {
		if path == "/" && other != "/" && m.pages[other].linked {
			links = append(links, other)
		}
	}
	return testsite.Markup{Title: title, Head: head, Main: "<p>" + text + "</p>", Links: links}.String()
}

// show puts the site as it stands on the test site, with tonight's trouble.
func (m *modelSite) show(t trouble) {
	for _, pattern := range m.faulty {
		m.site.Heal(pattern)
	}
	for _, path := range m.set {
		m.site.Remove(path)
	}
	m.faulty, m.set = nil, []string{"/robots.txt", "/sitemap.xml"}
	m.site.Soft404(t.kind == soft404)
	m.site.Reset()
	for _, path := range m.paths() {
		m.pages[path].shunned = m.pages[path].shunned || t.kind == lostAll
		if m.pages[path].is != "missing" {
			m.set = append(m.set, path)
			m.site.Set(path, m.page(path, t))
		}
	}
	if m.mapped {
		m.site.Sitemap(m.entries(t)...)
	}
	if t.kind != robotsLost {
		m.site.Robots("User-agent: *\nDisallow: /never/")
	}
	t.strike(m)
}

// page returns what stands at a path. What trouble shows has validators of its own.
func (m *modelSite) page(path string, t trouble) testsite.Page {
	p := m.pages[path]
	switch {
	case p.is == "gone":
		return testsite.Page{Status: http.StatusGone}
	case p.is == "moved":
		return testsite.Page{Status: http.StatusMovedPermanently, Header: map[string]string{"Location": p.to}}
	case p.is == "away":
		return testsite.Page{Status: http.StatusFound, Header: map[string]string{"Location": p.to}}
	case t.kind == frontAll && path != "/":
		return testsite.Page{Status: http.StatusMovedPermanently, Header: map[string]string{"Location": "/"}}
	}
	return testsite.Page{
		Body: m.body(path, t), Modified: p.modified(t),
		Header: map[string]string{"ETag": fmt.Sprintf(`"%d-%s"`, p.version, t.shown())},
	}
}

func (p *modelPage) modified(t trouble) time.Time {
	at := time.Date(2024, time.January, 1, p.version, 0, 0, 0, time.UTC)
	if t.shown() != "" {
		return at.Add(time.Minute)
	}
	return at
}

// entries lists what the sitemap holds; a cut one keeps a fifth.
func (m *modelSite) entries(t trouble) (entries []testsite.Entry) {
	for _, path := range m.paths() {
		if p := m.pages[path]; p.listed {
			entries = append(entries, testsite.Entry{Loc: path, Lastmod: p.modified(t).Format(time.RFC3339)})
		}
	}
	if t.kind == sitemapCut {
		entries = entries[:len(entries)/5]
	}
	return entries
}

// clear takes the site off the test site.
func (m *modelSite) clear() {
	m.pages, m.mapped = map[string]*modelPage{}, false
	m.show(trouble{})
	for _, path := range m.set {
		m.site.Remove(path)
	}
}
