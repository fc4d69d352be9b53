package site

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// The last run, and the one before.
const (
	before = 1_800_000_000
	now    = before + 24*60*60
)

const host = "https://www.example.com"

// known is one URL of a small site.
type known struct {
	page document.SitePage
	rec  *document.Record
	held bool

	unread bool // nothing is known of its page
}

func fingerprint(url string) uint64 { return xxhash.Sum64String(url) }

// places are in a map.
type places map[uint64]uint64

func (p places) SetValue(fingerprint, value uint64)      { p[fingerprint] = value }
func (p places) Get(fingerprint uint64) (uint16, uint64) { return 0, p[fingerprint] }

// doc returns an indexed page that links to others.
func doc(path, title string, links ...string) *known {
	return &known{
		page: document.SitePage{
			URL: host + path, Seen: document.Read, Status: 200, Type: document.PageContent, Links: linksTo(links...), Looked: now,
			Says: document.Says{Title: title, Description: "about " + path, Length: 100, Text: fingerprint(path)},
		},
		rec: &document.Record{ID: host + path, Type: document.PageContent, Push: document.PushOK},
	}
}

// look returns a URL that has no document.
func look(path string, seen document.Seen, status int, target string) *known {
	if target != "" {
		target = host + target
	}
	return &known{page: document.SitePage{URL: host + path, Seen: seen, Status: status, Target: target}, rec: &document.Record{ID: host + path}}
}

// because gives the reason for what was seen; listed has a sitemap list it in a run, without a record.
func because(why string) func(*known) { return func(k *known) { k.page.Why = why } }

func listed(run int64) func(*known) {
	return func(k *known) { k.page.Listed, k.page.Looked, k.rec = true, run, nil }
}

func linksTo(paths ...string) []byte {
	var links []uint64
	for _, path := range paths {
		links = append(links, fingerprint(host+path))
	}
	return document.PackLinks(links)
}

// with changes a URL.
func (k *known) with(change func(*known)) *known { change(k); return k }

func build(all ...*known) *Site {
	slices.SortFunc(all, func(a, b *known) int { return strings.Compare(a.page.URL, b.page.URL) })
	b := NewBuilder("run", now, places{})
	for _, k := range all {
		page := &k.page
		if k.unread {
			page = nil
		}
		b.Add(fingerprint(k.page.URL), page, k.rec, k.held)
	}
	return b.Site(true)
}

// told returns the faults of a site in short: kind, path, and the paths of its pages.
func told(s *Site) (lines []string) {
	for _, f := range s.Faults {
		line := string(f.Kind) + " " + strings.TrimPrefix(f.URL, host)
		for _, page := range f.Pages {
			line += " " + strings.TrimPrefix(page, host)
		}
		if f.New {
			line = "new " + line
		}
		lines = append(lines, line)
	}
	return lines
}

func start(links ...string) *known {
	return doc("/", "Home", links...).with(func(k *known) { k.page.Start = true })
}

// TestFaults: each fault is found, with the pages it concerns, and nothing on a site that is
// well.
func TestFaults(t *testing.T) {
	fresh := func(k *known) { k.page.Since = now }
	for name, test := range map[string]struct {
		site []*known
		want []string
	}{
		"a site that is well": {[]*known{start("/a", "/b"), doc("/a", "A", "/"), doc("/b", "B", "/a")}, nil},
		"broken links, new ones first": {
			[]*known{start("/a", "/gone", "/x"), doc("/a", "A", "/gone"), look("/gone", document.Gone, 410, ""), look("/x", document.Missing, 404, "").with(fresh)},
			[]string{"new broken-links /x /", "broken-links /gone / /a"},
		},
		"what nothing links to is no broken link": {[]*known{start(), look("/gone", document.Gone, 410, "")}, nil},
		"a page whose delete is held is broken all the same": {
			[]*known{start("/a"), doc("/a", "A").with(func(k *known) { k.held, k.page.Seen, k.page.Status = true, document.Missing, 404 })}, []string{"broken-links /a /"},
		},
		"a page that could not be read": {
			[]*known{start("/a"), look("/a", document.Unread, 503, ""), look("/b", document.Unread, 0, "").with(fresh)},
			[]string{"new failed-pages /b", "failed-pages /a /", "new left-out-by-reason /a /a /b"},
		},
		"redirect chains": {
			[]*known{
				start("/1"), look("/1", document.Moved, 301, "/2"), look("/2", document.Elsewhere, 302, "/a"), doc("/a", "A"),
				look("/c", document.Moved, 301, "/d"), look("/d", document.Moved, 301, "/c"), look("/e", document.Moved, 301, "/no"), look("/no", document.Missing, 404, ""),
			},
			[]string{"redirect-chains /1 /2 /a", "redirect-chains /c /d /c", "redirect-chains /d /c /d", "redirect-chains /e /no", "links-to-redirects /1 /"},
		},
		"a redirect to nowhere": {[]*known{start(), look("/1", document.Elsewhere, 302, "")}, []string{"redirect-chains /1"}},
		"titles and descriptions": {
			[]*known{
				start("/a", "/b", "/c", "/d"), doc("/a", "Same"), doc("/b", "Same").with(func(k *known) { k.page.TitleSince = now }), doc("/c", ""),
				doc("/d", "D").with(func(k *known) { k.page.Says.Description = "about /a" }), doc("/e", "E", "/e").with(func(k *known) { k.page.Says.Description = "" }),
				doc("/f.pdf", "Home").with(func(k *known) { k.page.Says.Description, k.rec.Type = "", document.FileContent }),
			},
			[]string{"new duplicate-titles /a /a /b", "duplicate-titles / / /f.pdf", "missing-titles /c", "missing-descriptions /e", "duplicate-descriptions /a /a /d"},
		},
		"texts": {
			[]*known{
				start("/a", "/b"), doc("/a", "A").with(func(k *known) { k.page.Says.Text = 7 }), doc("/b", "B").with(func(k *known) { k.page.Says.Text = 7 }),
				doc("/f", "F").with(func(k *known) { k.page.Says.Length, k.page.Says.Text = 0, 0 }),
				doc("/scan.pdf", "S").with(func(k *known) {
					k.page.Says.Length, k.page.Says.Text, k.page.Says.NoText, k.rec.Type = 0, 0, "it holds pictures alone", document.FileContent
				}),
			},
			[]string{"same-text /a /a /b", "without-text /f", "without-text /scan.pdf"},
		},
		"canonicals": {
			[]*known{
				start("/a", "/b", "/c"), doc("/a", "A").with(func(k *known) { k.page.Canonical = host + "/gone" }), look("/gone", document.Missing, 404, ""),
				doc("/b", "B").with(func(k *known) { k.page.Canonical = host + "/c" }), doc("/c", "C").with(func(k *known) { k.page.Canonical = "https://elsewhere.example/" }),
			},
			[]string{"canonical-conflicts /a", "canonical-conflicts /b", "canonical-conflicts /c"},
		},
		"sitemap against links": {
			[]*known{
				start("/a", "/b", "/f.pdf").with(func(k *known) { k.rec.Listed = true }), doc("/a", "A").with(fresh), doc("/b", "B").with(func(k *known) { k.rec.Listed = true }),
				doc("/c", "C").with(func(k *known) { k.rec.Listed = true }), doc("/f.pdf", "F").with(func(k *known) { k.rec.Type = document.FileContent }),
				look("/n", document.NoIndex, 200, "").with(func(k *known) { k.rec.Listed = true }).with(fresh),
			},
			[]string{"new wrong-in-the-sitemap /n", "new left-out-by-reason /n /n", "not-linked /c"},
		},
		"what a sitemap lists and what makes no document": {
			[]*known{
				start("/x.png", "/y.png"), look("/x.png", document.LeftOut, 0, "").with(because("its name")), look("/y.png", document.LeftOut, 0, "").with(because("its name")).with(listed(now)),
				look("/z", document.LeftOut, 200, "").with(because("its type")).with(listed(before)), look("/d", document.Disallowed, 0, "").with(because("Disallow")).with(listed(now)),
				look("/e", document.OutOfScope, 0, "").with(because("exclude")).with(listed(now)), look("/f", document.Unread, 503, "").with(because("503")).with(listed(now)),
				look("/t", document.Elsewhere, 302, "/").with(listed(now)), look("/c", document.Elsewhere, 302, "/c").with(listed(now)), look("/m", document.Missing, 404, "").with(listed(now)),
				look("/o", document.OtherHost, 0, "").with(because("its host")).with(listed(now)), look("/p", document.OtherHost, 0, "").with(because("its host")).with(listed(before)),
			},
			[]string{
				"failed-pages /f", "redirect-chains /c /c",
				"wrong-in-the-sitemap /c", "wrong-in-the-sitemap /d", "wrong-in-the-sitemap /e", "wrong-in-the-sitemap /f", "wrong-in-the-sitemap /m", "wrong-in-the-sitemap /o",
				"wrong-in-the-sitemap /t", "wrong-in-the-sitemap /y.png",
				"left-out-by-reason /o /o /p", "left-out-by-reason /x.png /x.png /y.png", "left-out-by-reason /d /d", "left-out-by-reason /e /e", "left-out-by-reason /f /f", "left-out-by-reason /z /z",
			},
		},
		"a site whose links are not known":        {[]*known{start().with(func(k *known) { k.rec.Listed = true }), doc("/c", "C").with(func(k *known) { k.rec.Listed = true })}, nil},
		"a site of which a page was not read yet": {[]*known{start("/a"), doc("/a", "A").with(func(k *known) { k.rec.Listed = true }), doc("/b", "B").with(func(k *known) { k.rec.Listed = true }), doc("/c", "").with(func(k *known) { k.unread = true })}, nil},
		"a redirect": {[]*known{start("/r"), look("/r", document.Moved, 301, "/4"), doc("/4", "4")}, []string{"links-to-redirects /r /"}},
	} {
		if got := told(build(test.site...)); !slices.Equal(got, test.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, test.want)
		}
	}
}

// TestManyPages: a fault names so many pages and counts the others.
func TestManyPages(t *testing.T) {
	all := []*known{start(), look("/x", document.Missing, 404, "")}
	for i := range MaxPages + 7 {
		all = append(all, doc(fmt.Sprintf("/p%02d", i), fmt.Sprint(i), "/x"))
	}
	s := build(all...)
	if f := s.Faults[0]; len(f.Pages) != MaxPages || f.More != 7 || !strings.HasSuffix(f.Text, "27 pages link to it") {
		t.Errorf("%+v", f)
	}
	if c := s.Counts[0]; c != (Count{Kind: BrokenLink, Faults: 1}) {
		t.Errorf("%+v", c)
	}
}

// TestStatus: a URL stands as what waits for the owner, else as the service said, else as it
// was seen; without facts the record tells.
func TestStatus(t *testing.T) {
	seen := func(s document.Seen) *document.SitePage { return &document.SitePage{Seen: s} }
	ok := &document.Record{Push: document.PushOK}
	for _, row := range []struct {
		page *document.SitePage
		rec  *document.Record
		held bool
		want Status
	}{
		{seen(document.Read), ok, false, Indexed},
		{seen(document.Missing), ok, true, Held},
		{nil, ok, false, Indexed},
		{seen(document.Read), &document.Record{Push: document.PushDoubt}, false, InDoubt},
		{seen(document.Read), &document.Record{Push: document.PushRefused, Strikes: 1}, false, Refused},
		{nil, &document.Record{Push: document.PushRefused, Strikes: document.MaxStrikes}, false, Parked},
		{seen(document.Read), &document.Record{Canonical: "x"}, false, Folded},
		{seen(document.Read), &document.Record{Date: "2020/01/01"}, false, Expired},
		{seen(document.Moved), &document.Record{}, false, Redirect},
		{seen(document.Elsewhere), ok, false, Redirect},
		{seen(document.NoIndex), nil, false, NoIndex},
		{nil, &document.Record{Looks: []document.Look{{Seen: document.NoIndex}}}, false, NoIndex},
		{seen(document.Missing), nil, false, Missing},
		{nil, &document.Record{Led: 4}, false, Missing},
		{seen(document.Gone), &document.Record{Led: 4}, false, Gone},
		{seen(document.Unread), ok, false, Failed},
		{nil, &document.Record{Push: document.PushOK, Since: "run"}, false, Failed},
		{seen(document.OutOfScope), ok, false, Excluded},
		{seen(document.Disallowed), nil, false, Disallowed},
		{seen(document.LeftOut), nil, false, LeftOut},
		{seen(document.Read), nil, false, Other},
	} {
		if got := statusOf(lookOf(row.page, row.rec), row.rec, row.held); got != row.want {
			t.Errorf("%+v, %+v, held %t: %s, want %s", row.page, row.rec, row.held, got, row.want)
		}
		if !slices.Contains(Statuses[:], row.want) {
			t.Errorf("%s is no status that is told", row.want)
		}
	}
}

// TestLinksIn: links in count pages, and the first of these leads there.
func TestLinksIn(t *testing.T) {
	s := build(start("/a", "/b"), doc("/a", "A", "/b", "/b", "/"), doc("/b", "B", "/c"), doc("/c", "C"), doc("/alone", "Alone", "/c"))
	want := map[string]int{"/": 1, "/a": 1, "/b": 2, "/c": 2}
	for i := range s.Pages {
		if p := &s.Pages[i]; p.LinksIn != want[strings.TrimPrefix(p.URL, host)] {
			t.Errorf("%s: links in %d", p.URL, p.LinksIn)
		}
	}
	if s.Pages[4].From != host+"/alone" {
		t.Errorf("found on %s", s.Pages[4].From)
	}
}
