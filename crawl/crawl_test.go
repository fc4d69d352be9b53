package crawl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
	"sitesync/internal/weburl"
)

// town is a site with something of everything. Its pages link to each other in
// many ways.
func town(t *testing.T) *rig {
	r := newRig(t, `
		set / Home|Welcome|/s0 /s1 /s2 /s3 /moved /login /gone /lost /plan.png /secret/x
		set /gone Gone|Off
		status /gone 410
		status /broken 500
		redirect /moved /new 308
		redirect /login /s1 302
		redirect /loop-a /loop-b
		redirect /loop-b /loop-a
		set /new New|Here now|/s0 /new#top
		set /quiet Quiet|No index|/behind-quiet|<meta name="robots" content="noindex">
		set /still Still|No links|/never|<meta name="robots" content="nofollow">
		set /behind-quiet Behind|Found on a page that is not indexed
		set /never Never|Nobody leads here
		set /listed Listed|In the sitemap alone|/s3
		raw /files/a.pdf %PDF-1.7 a
		raw /files/b.docx PK b
		raw /empty ""
		robots "User-agent: *\nDisallow: /secret/"
	`)
	r.Sitemap(testsite.Entry{Loc: "/", Lastmod: "2024-01-02"}, testsite.Entry{Loc: "/listed", Lastmod: "2024-01-03"}, testsite.Entry{Loc: "/s1", Lastmod: ""}, testsite.Entry{Loc: "/files/b.docx", Lastmod: "2024-01-04"})
	for i := range 4 {
		links := []string{"/", "/quiet", "/still", "/empty", "/loop-a", "/broken", "/files/a.pdf", fmt.Sprintf("/s%d", (i+1)%4), "/print?of=" + fmt.Sprint(i%2)}
		for j := range 6 {
			page := fmt.Sprintf("/s%d/p%d", i, j)
			links = append(links, page, page+"#part", page+"?")
			r.HTML(page, page, "<p>"+page+"</p>", "/s0", "/files/b.docx", fmt.Sprintf("/s%d/p%d", (i+1)%4, j), "/deep/"+fmt.Sprint(j%3))
		}
		r.HTML(fmt.Sprintf("/s%d", i), "Section", fmt.Sprintf("<p>Section %d</p>", i), links...)
	}
	for i := range 3 {
		r.HTML(fmt.Sprintf("/deep/%d", i), "Deep", fmt.Sprintf("<p>Deep %d</p>", i), fmt.Sprintf("/deep/%d", (i+1)%3), "/s0/p0")
		r.script(fmt.Sprintf(`set /print?of=%d Print|Print %d||<link rel="canonical" href="/s%d/p0">`, i, i, i))
	}
	return r
}

// TestEveryURLIsAskedOnce: whatever the concurrency, the same URLs are asked once
// each, and the same pages are handed over.
func TestEveryURLIsAskedOnce(t *testing.T) {
	r := town(t)
	var asked, whole []string
	for _, concurrency := range []int{1, 16, 4} {
		r.opts.Concurrency = concurrency
		n := r.run()
		urls, pages := r.asked(), n.whole()
		if asked == nil {
			asked, whole = urls, pages
		}
		same(t, fmt.Sprint("asked with ", concurrency), urls, asked...)
		same(t, fmt.Sprint("pages with ", concurrency), pages, whole...)
		if h := n.host(); !n.survey.Complete || !h.Covered || h.State != document.HostOK || h.Sitemap != 4 || h.Unread != 2 {
			t.Errorf("survey: %+v", n.survey)
		}
		if n.survey.Fetched != len(asked) || n.host().Asked != len(asked) || n.survey.Discovered != len(asked)+1 {
			t.Errorf("fetched %d and discovered %d of %d", n.survey.Fetched, n.survey.Discovered, len(asked))
		}
	}
	for _, path := range asked {
		if strings.Contains(path, " ") {
			t.Errorf("asked more than once: %s", path)
		}
	}
	for _, path := range []string{"/plan.png", "/never", "/secret/x"} {
		if slices.Contains(asked, path) {
			t.Errorf("%s was asked for", path)
		}
	}
}

// TestWhatIsSeen: each kind of answer, by name.
func TestWhatIsSeen(t *testing.T) {
	n := town(t).run()
	got := slices.DeleteFunc(n.seen(), func(line string) bool { return strings.HasSuffix(line, " read") })
	same(t, "seen", got, "/broken unread", "/empty unread", "/gone gone", "/login elsewhere /s1", "/loop-a moved /loop-b", "/loop-b moved /loop-a",
		"/lost missing", "/moved moved /new", "/print?of=0 read /s0/p0", "/print?of=1 read /s1/p0", "/quiet noindex", "/secret/x disallowed")
	for path, why := range map[string]string{
		"/broken": "HTTP status 500 Internal Server Error", "/empty": "the body is empty", "/secret/x": "robots.txt: Disallow: /secret/",
		"/quiet": "meta robots: noindex", "/print?of=1": "rel=canonical", "/moved": "",
	} {
		if got := n.pages[path].Why; got != why {
			t.Errorf("%s: why %q, want %q", path, got, why)
		}
	}
}

// TestOnly: nothing else is asked, and what was read leaves no hints, since its
// links were not followed.
func TestOnly(t *testing.T) {
	r := town(t)
	r.remember(r.run())
	if err := r.Edit("/s0/p1", "<p>", "<p>Edited. "); err != nil {
		t.Fatal(err)
	}
	r.HTML("/new/page", "New", "<p>Nothing leads here</p>", "/new/other")
	r.Reset()
	r.opts.Only = func(url string) bool {
		return strings.HasPrefix(weburl.Target(url), "/s0/") || strings.HasPrefix(weburl.Target(url), "/new/page")
	}
	r.opts.OnlyURLs = []string{r.origin + "/new/page"}
	n := r.run()
	same(t, "asked", r.asked(), "/new/page", "/s0/p0", "/s0/p1", "/s0/p2", "/s0/p3", "/s0/p4", "/s0/p5")
	same(t, "seen", n.seen(), "/new/page read", "/s0/p0 kept", "/s0/p1 read", "/s0/p2 kept", "/s0/p3 kept", "/s0/p4 kept", "/s0/p5 kept")
	for path, want := range map[string]bool{"/new/other": true, "/s0/p1": true, "/s3": false} {
		if flags, _ := n.table.Get(spool.Fingerprint(r.url(path))); flags&spool.Queued != 0 != want {
			t.Errorf("%s is known to be of the site: %v, want %v", path, !want, want)
		}
	}
	for path, p := range n.pages {
		if kept := p.Hints != (document.Hints{}); kept != (p.Seen == document.Kept) {
			t.Errorf("%s: %s with hints %+v", path, p.Seen, p.Hints)
		}
	}
}

// TestCancel: a run ends at once while pages are awaited, and what the cancellation
// broke is not handed over.
func TestCancel(t *testing.T) {
	for name, fault := range map[string]string{"before the header": "hold /b", "in the body": "stall /b", "at robots.txt": "hold /robots.txt", "at a sitemap": "stall /sitemap.xml"} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome|/a /b\nset /a A|A\nset /b B|B\nsitemap on\n"+fault)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error)
			var n *night
			go func() {
				var err error
				n, err = r.try(ctx, t.TempDir())
				done <- err
			}()
			if err := r.Await(ctx, strings.Fields(fault)[1], 1); err != nil {
				t.Fatal(err)
			}
			cancel()
			select {
			case err := <-done:
				if !errors.Is(err, context.Canceled) {
					t.Errorf("the run ended with %v", err)
				}
			case <-time.After(20 * time.Second): // a second is promised; machines may be slow
				t.Fatal("the run goes on")
			}
			if p, ok := n.pages["/b"]; ok {
				t.Errorf("/b was handed over as %s: %s", p.Seen, p.Why)
			}
		})
	}
}
