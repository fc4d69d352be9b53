package crawl

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"sitesync/crawl/page"
	"sitesync/crawl/site"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
	"sitesync/internal/weburl"
)

// TestMissingIsAskedAgain: a known document that is missing is asked a second time
// when all else is done, and what the second look finds counts.
func TestMissingIsAskedAgain(t *testing.T) {
	r := newRig(t, `
		set / Home|Welcome|/a /doc.pdf /unknown
		set /a A|A
		raw /doc.pdf %PDF-1.7
		set /back Back|Here again|/behind
		times 1 status /back 404
		set /behind Behind|Behind|/farther
		set /farther Farther|Farther
		redirect /away /target
		times 1 status /away 404
		set /target Target|Target
	`)
	for _, path := range []string{"/lost", "/back", "/away"} {
		r.known[path] = document.Known{Document: true}
	}
	r.known["/hub"] = document.Known{}
	for _, concurrency := range []int{1, 16} {
		r.opts.Concurrency = concurrency
		r.script("times 1 status /back 404\ntimes 1 status /away 404")
		r.hook = func(n *night, p *document.Page) error {
			if path := n.path(p.URL); path == "/lost" && r.Count("/lost") != 2 {
				t.Errorf("%s was handed over after %d requests", path, r.Count("/lost"))
			}
			return nil
		}
		n := r.run()
		last := ""
		for _, q := range r.Requests() {
			if q.URI == "/doc.pdf" || q.URI == "/lost" {
				last = q.URI
			}
		}
		if last != "/lost" {
			t.Error("the second look came before the files")
		}
		same(t, "asked", r.asked(), "/", "/a", "/away 2", "/back 2", "/behind", "/doc.pdf", "/farther", "/hub", "/lost 2", "/target", "/unknown")
		same(t, "seen", n.seen(), "/ read", "/a read", "/away moved /target", "/back read", "/behind read", "/doc.pdf read", "/farther read",
			"/hub missing", "/lost missing", "/target read", "/unknown missing")
		if p := n.pages["/lost"]; !p.Known.Document || p.Status != http.StatusNotFound || !n.survey.Complete {
			t.Errorf("%+v, %+v", p, n.survey)
		}
	}
}

// TestTargetsAreAsked: where redirects, canonicals and refreshes lead is asked even
// when no link does, and passes scope and robots.txt like any URL.
func TestTargetsAreAsked(t *testing.T) {
	r := newRig(t, `
		set / Home|Welcome
		robots "User-agent: *\nDisallow: /private"
		redirect /r301 /t301 301
		redirect /r308 /t308#part 308
		redirect /r302 /t302 302
		redirect /r303 /t303 303
		redirect /r307 /t307 307
		redirect /r300 /t300 300
		redirect /chain /chain2
		redirect /chain2 /chain3 302
		redirect /self /self
		redirect /foreign https://elsewhere.test/
		redirect /scheme mailto:someone@example.com
		redirect /nowhere /nowhere 301
		header /nowhere Location
		redirect /barred /private
		redirect /excluded /out
		redirect /report.pdf /files/report.pdf 302
		redirect /guide.pdf /guide
		raw /files/report.pdf %PDF-1.7
		set /guide Guide|Now a page|/guide/2
		set /guide/2 Guide|Page 2
		set /canon Canonical|Text||<link rel="canonical" href="canonical">
		set /canonbad Canonical|Text||<link rel="canonical" href="ftp://x.test/">
		set /quiet Quiet|Text||<link rel="canonical" href="/never"><meta name="robots" content="noindex">
		set /refresh Refresh|Text||<meta http-equiv="refresh" content="0; url=/refreshed">
		set /canonical The one|Text
		set /out Out|Out
	`)
	r.opts.Links, r.opts.Exclude = false, []string{"/out"}
	var entries []testsite.Entry
	for _, path := range strings.Fields(`/r301 /r308 /r302 /r303 /r307 /r300 /chain /self /foreign /scheme /nowhere /barred /excluded /report.pdf /guide.pdf
		/canon /canonbad /quiet /refresh`) {
		entries = append(entries, testsite.Entry{Loc: path})
	}
	r.Sitemap(entries...)
	n := r.run()
	same(t, "seen", n.seen(), "/ read", "/barred moved /private", "/canon read /canonical", "/canonbad read", "/canonical read",
		"/chain moved /chain2", "/chain2 elsewhere /chain3", "/chain3 missing", "/excluded moved /out", "/files/report.pdf read", "/foreign moved https://elsewhere.test/",
		"/guide read", "/guide.pdf moved /guide", "/nowhere unread", "/private disallowed", "/quiet noindex", "/r300 unread",
		"/r301 moved /t301", "/r302 elsewhere /t302", "/r303 elsewhere /t303", "/r307 elsewhere /t307", "/r308 moved /t308", "/refresh moved /refreshed",
		"/refreshed missing", "/report.pdf elsewhere /files/report.pdf", "/scheme moved", "/self moved /self",
		"/t301 missing", "/t302 missing", "/t303 missing", "/t307 missing", "/t308 missing")
	holds(t, "why of /scheme", n.pages["/scheme"].Why, "its scheme is mailto")
	holds(t, "why of /nowhere", n.pages["/nowhere"].Why, "HTTP status 301 without a Location")
	if len(n.survey.Warnings) != 1 || n.survey.Warnings[0].Kind != "canonical" || n.path(n.survey.Warnings[0].URL) != "/canonbad" {
		t.Errorf("warnings: %+v", n.survey.Warnings)
	}
	for _, line := range r.asked() {
		if strings.Contains(line, " ") || line == "/private" || line == "/out" {
			t.Errorf("asked for: %s", line)
		}
	}
	r.opts.Links = true
	if n = r.run(); n.pages["/guide/2"].Seen != document.Read {
		t.Errorf("the page behind a file's redirect leads to nothing: %q", n.seen())
	}
}

// TestFilesComeLast: when every link to them is known, so that their link text is
// that of the smallest depth, then of the smallest referrer.
func TestFilesComeLast(t *testing.T) {
	link := func(href, text string) string { return fmt.Sprintf(`<p><a href="%s">%s</a></p>`, href, text) }
	r := newRig(t, "set /m M|M|/deep")
	r.HTML("/", "Home", link("/plain.pdf", "")+link("/m.docx", "From the start"), "/z", "/b", "/m")
	r.HTML("/z", "Z", link("/same.pdf", "From Z")+link("/m.docx", "From Z")+link("/known.pdf", "New text")+link("/near.pdf", "From near"))
	r.HTML("/b", "B", link("/same.pdf?", "From B")+link("/same.pdf", "Also from B")+link("/no-text.pdf", ""))
	r.HTML("/deep", "Deep", link("/same.pdf", "From the deep")+link("/a-first.pdf", "Found late")+link("/plain.pdf", "Not empty")+link("/listed.pdf", "A listed file"), "/a")
	r.HTML("/a", "A", link("/near.pdf", "From afar"))
	for _, path := range []string{"/same.pdf", "/m.docx", "/known.pdf", "/no-text.pdf", "/a-first.pdf", "/plain.pdf", "/listed.pdf", "/near.pdf"} {
		r.script("raw " + path + " %PDF-1.7")
	}
	r.Sitemap(testsite.Entry{Loc: "/listed.pdf", Lastmod: "2024-05-06"}, testsite.Entry{Loc: "/m"})
	frozen := document.First{Link: "Old text", Lastmod: 77}
	r.known["/known.pdf"] = document.Known{Document: true, First: frozen}
	for _, concurrency := range []int{1, 16} {
		r.opts.Concurrency = concurrency
		r.Reset()
		n := r.run()
		files, pages := 0, 0
		for _, q := range r.Requests() {
			switch {
			case site.IsFile(r.url(q.URI)):
				files++
			case isProbe(q.URI):
			case files > 0:
				t.Errorf("%s was asked for after %d files", q.URI, files)
			default:
				pages++
			}
		}
		if files != 8 {
			t.Errorf("%d files and %d pages", files, pages)
		}
		for path, want := range map[string]document.Link{
			"/same.pdf":    {Text: "Also from B", From: r.url("/b")},
			"/near.pdf":    {Text: "From near", From: r.url("/z")},
			"/m.docx":      {Text: "From the start", From: r.url("/")},
			"/a-first.pdf": {Text: "Found late", From: r.url("/deep")},
			"/plain.pdf":   {Text: "Not empty", From: r.url("/deep")},
			"/listed.pdf":  {Text: "A listed file", From: r.url("/deep")},
			"/no-text.pdf": {},
			"/known.pdf":   {Text: "Old text"},
			"/deep":        {}, // pages have a title of their own
		} {
			p := n.pages[path]
			if p.Link != want || p.First.Link != want.Text {
				t.Errorf("%s: link %+v, first %+v, want %+v", path, p.Link, p.First, want)
			}
		}
		if p := n.pages["/known.pdf"]; p.First != frozen {
			t.Errorf("what was frozen is now %+v", p.First)
		}
		if p := n.pages["/listed.pdf"]; p.First.Lastmod != 1714953600 || !p.InSitemap {
			t.Errorf("the listed file: %+v", p.First)
		}
	}
}

// TestLinksAreQueuedBeforeThePage: what a page leads to is on disk before the page
// counts as looked at, as is where a redirect leads.
func TestLinksAreQueuedBeforeThePage(t *testing.T) {
	r := town(t)
	r.hook = func(n *night, p *document.Page) error {
		flags, _ := n.table.Get(spool.Fingerprint(p.URL))
		if flags&spool.Sighted != 0 {
			t.Errorf("%s counts as looked at before it was handed over", p.URL)
		}
		leads := []string{p.Target, p.Canonical}
		if p.Root != nil && p.Why == "" {
			for _, link := range page.ReadLinks(p, weburl.NewCanonicalizer(nil), "").Found {
				leads = append(leads, link.URL)
			}
		}
		for _, url := range leads {
			flags, _ := n.table.Get(spool.Fingerprint(url))
			if url != "" && !site.IsAsset(url) && n.path(p.URL) != "/still" && flags&spool.Queued == 0 {
				t.Errorf("%s leads to %s, which is not queued", p.URL, url)
			}
		}
		return nil
	}
	n := r.run()
	for path, p := range n.pages {
		if flags, _ := n.table.Get(spool.Fingerprint(p.URL)); flags&spool.Sighted == 0 {
			t.Errorf("%s was handed over and does not count as looked at", path)
		}
	}
	for path, want := range map[string]bool{"/s0/p3": true, "/files/a.pdf": true, "/new": false, "/listed": false, "/behind-quiet": true} {
		if flags, _ := n.table.Get(spool.Fingerprint(r.url(path))); flags&spool.Linked != 0 != want {
			t.Errorf("%s is linked: %v, want %v", path, !want, want)
		}
	}
}

func TestIsAsset(t *testing.T) {
	for url, want := range map[string]bool{
		"https://a.test/x.png": true, "https://a.test/X.PNG": true, "https://a.test/a/site.css?v=3": true, "https://a.test/x.zip": true,
		"https://a.test/x": false, "https://a.test/": false, "https://a.test": false, "https://a.test/page.html": false,
		"https://a.test/a.png/": false, "https://a.test/view?file=x.png": false, "https://a.test/wiki/File:x.png": false,
		"https://a.test/x.pdf": false, "https://a.js": false, "https://a.test/.js": true,
	} {
		if site.IsAsset(url) != want {
			t.Errorf("%s: asset %v, want %v", url, !want, want)
		}
	}
	for url, want := range map[string]bool{
		"https://a.test/x.pdf": true, "https://a.test/x.PDF?a=b.html": true, "https://a.test/x.docx": true, "https://a.test/x.doc": false,
		"https://a.test/pdf": false, "https://a.test/?x.pdf": false,
	} {
		if site.IsFile(url) != want {
			t.Errorf("%s: file %v, want %v", url, !want, want)
		}
	}
}

// TestUnhinted: a page that forbids indexing by its header, or from a day to come on,
// keeps no hints, so that the next run reads what it says then.
func TestUnhinted(t *testing.T) {
	r := newRig(t, `
		set / Home|Welcome|/header /meta /coming /over /coming-header /foreign
		set /header A|About ants
		header /header X-Robots-Tag noindex
		set /meta B|About bees||<meta name="robots" content="noindex">
		set /coming C|About cows||<meta name="robots" content="unavailable_after: 25 Jun 2010 15:00:00 PST">
		set /over D|About dogs||<meta name="robots" content="unavailable_after: 24-Jun-10 15:00:00 PST">
		set /coming-header E|About eels
		header /coming-header X-Robots-Tag "sitesync: unavailable_after: 2010-06-26"
		set /foreign F|About foxes
		header /foreign X-Robots-Tag "googlebot: unavailable_after: 2009-06-26"
		sitemap on
	`)
	r.opts.Began = time.Date(2010, 6, 25, 12, 0, 0, 0, time.UTC)
	n := r.run()
	same(t, "seen", n.seen(), "/ read", "/coming read", "/coming-header read", "/foreign read", "/header noindex", "/meta noindex", "/over noindex")
	for path, want := range map[string]bool{"/": true, "/header": false, "/meta": true, "/coming": false, "/over": true, "/coming-header": false, "/foreign": true} {
		p := n.pages[path]
		if (p.Hints.ETag != "") != want || (p.Hints.Lastmod != 0) != want {
			t.Errorf("%s keeps the hints %+v", path, p.Hints)
		}
	}
	if why := n.pages["/over"].Why; why != "meta robots: unavailable_after: 24-Jun-10 15:00:00 PST" {
		t.Error(why)
	}
	r.remember(n)
	r.script("heal /header")
	r.opts.Began = r.opts.Began.AddDate(0, 0, 2)
	same(t, "two nights later, without what hints vouch for", r.run().seen(), "/coming noindex", "/coming-header noindex", "/header read")
}
