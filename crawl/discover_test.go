package crawl

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
)

// TestConditionalRequests: validators are sent only for a record that allows it, on
// a host whose every link the last run followed by today's rules.
func TestConditionalRequests(t *testing.T) {
	const script = `
		set / Home|Welcome|/a /b /c
		set /a A|A
		set /b B|B
		set /c C|C
		robots "User-agent: *\nDisallow: /private"
	`
	for name, c := range map[string]struct {
		change func(*rig)
		want   int // of four pages
	}{
		"as it was":             {func(*rig) {}, 4},
		"more at a time":        {func(r *rig) { r.opts.Concurrency = 9 }, 4},
		"one must be read":      {func(r *rig) { r.known["/a"] = document.Known{Document: true, Hints: r.known["/a"].Hints, Skip: true} }, 3},
		"no earlier run":        {func(r *rig) { clear(r.hosts) }, 0},
		"an unfinished run":     {func(r *rig) { r.hosts[r.origin] = document.HostMemory{} }, 0},
		"another include":       {func(r *rig) { r.opts.Include = []string{"/**"} }, 0},
		"another exclude":       {func(r *rig) { r.opts.Exclude = []string{"/x"} }, 0},
		"another parameter":     {func(r *rig) { r.opts.IgnoreParams = []string{"x"} }, 0},
		"another depth":         {func(r *rig) { r.opts.MaxDepth = 9 }, 0},
		"links no longer":       {func(r *rig) { r.opts.Links = false }, 0},
		"another start":         {func(r *rig) { r.opts.Start = append(r.opts.Start, r.origin+"/c") }, 0},
		"another robots.txt":    {func(r *rig) { r.Robots("User-agent: *\nDisallow: /else") }, 0},
		"another comment":       {func(r *rig) { r.Robots("# Made today\nUser-agent: *\nDisallow: /private\nCrawl-delay: 0") }, 4},
		"another group":         {func(r *rig) { r.Robots("User-agent: *\nDisallow: /private\nUser-agent: other\nDisallow: /") }, 4},
		"another agent":         {func(r *rig) { r.opts.UserAgent = "othersync/1" }, 0},
		"another version":       {func(r *rig) { r.opts.UserAgent = "sitesync/2" }, 4},
		"robots.txt ignored":    {func(r *rig) { r.opts.IgnoreRobots = true }, 0},
		"robots.txt taken away": {func(r *rig) { r.Remove("/robots.txt") }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, script)
			r.remember(r.run())
			r.Reset()
			c.change(r)
			n := r.run()
			conditional := 0
			for _, q := range r.Requests() {
				if tag := q.Header.Get("If-None-Match"); tag != "" {
					conditional++
					if tag != r.known[q.URI].Hints.ETag || q.Header.Get("If-Modified-Since") != r.known[q.URI].Hints.LastModified {
						t.Errorf("%s: asked with %v", q.URI, q.Header)
					}
				}
			}
			if conditional != c.want || n.survey.NotModified != c.want || n.survey.Fetched != 4-c.want {
				t.Errorf("%d conditional requests, want %d; survey %+v", conditional, c.want, n.survey)
			}
			for path, p := range n.pages {
				if kept := p.Status == http.StatusNotModified; kept != (p.Seen == document.Kept) || kept && p.Hints != r.known[path].Hints || p.Claim != document.ClaimValidator {
					t.Errorf("%s: %s with status %d, claim %d, hints %+v", path, p.Seen, p.Status, p.Claim, p.Hints)
				}
			}
		})
	}
}

// TestNotModified: the directives of a 304 are heard; its hints are not, for no
// content came with them.
func TestNotModified(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/a /b /c\nset /a A|A\nset /b B|B\nset /c C|C")
	r.remember(r.run())
	r.script(`header /a X-Robots-Tag "otherbot: nofollow, sitesync: noindex"`)
	r.script(`header /b X-Robots-Tag "otherbot: noindex"`)
	r.Fault("/c", func(_ *http.Request, a *testsite.Answer) {
		a.Status, a.Body = http.StatusNotModified, nil
		a.Header.Set("ETag", `W/"weaker"`)
	})
	n := r.run()
	same(t, "seen", n.seen(), "/ kept", "/a noindex", "/b kept", "/c kept")
	if p := n.pages["/a"]; p.Status != http.StatusNotModified || !strings.Contains(p.Why, "noindex") {
		t.Errorf("%+v", p)
	}
	if p := n.pages["/c"]; p.Hints != r.known["/c"].Hints {
		t.Errorf("hints %+v", p.Hints)
	}
	r.known = map[string]document.Known{}
	r.Fault("/a", func(_ *http.Request, a *testsite.Answer) { a.Status = http.StatusNotModified })
	if p := r.run().pages["/a"]; p.Seen != document.Unread || !strings.Contains(p.Why, "304") {
		t.Errorf("a 304 that nobody asked for: %s, %q", p.Seen, p.Why)
	}
}

// TestLastmod: what the sitemap says goes into the hints and is compared with the
// record's own; where that is proof enough, nothing is asked.
func TestLastmod(t *testing.T) {
	const day = 86400
	r := newRig(t, `
		set / Home|Welcome|/a /b /c /d
		set /a A|A
		set /b B|B|/e
		set /c C|C
		set /d D|D
		set /e E|E
		set /private P|P
		robots "User-agent: *\nDisallow: /private"
	`)
	list := func(a, b string) {
		r.Sitemap(testsite.Entry{Loc: "/a", Lastmod: a}, testsite.Entry{Loc: "/b", Lastmod: b}, testsite.Entry{Loc: "/c"}, testsite.Entry{Loc: "/private", Lastmod: a})
	}
	list("1970-01-03", "1970-01-04T12:00:00Z")
	first := r.run()
	for path, want := range map[string]int64{"/a": 2 * day, "/b": 3*day + day/2, "/c": 0, "/d": 0} {
		p := first.pages[path]
		if p.Hints.Lastmod != want || p.First.Lastmod != want || p.InSitemap != (path != "/d") || p.Claim&document.ClaimLastmod != 0 {
			t.Errorf("%s: hints %+v, first %+v, in sitemap %v, claim %d", path, p.Hints, p.First, p.InSitemap, p.Claim)
		}
	}
	r.remember(first)
	r.known["/private"] = document.Known{Hints: document.Hints{Lastmod: 2 * day}, Skip: true, Document: true}
	list("1970-01-03", "1970-01-05")
	trusting := func(skip bool) {
		for path, known := range r.known {
			known.Skip = skip
			r.known[path] = known
		}
	}
	for _, c := range []struct {
		skip, proven bool
		asked        string
	}{
		{true, true, "/ /b /c /d /e"},
		{false, true, "/ /a /b /c /d /e"},
		{true, false, "/ /a /b /c /d /e"},
	} {
		trusting(c.skip)
		if !c.proven {
			clear(r.hosts)
		}
		r.Reset()
		n := r.run()
		same(t, fmt.Sprintf("asked %+v", c), r.asked(), strings.Fields(c.asked)...)
		flags, _ := n.table.Get(spool.Fingerprint(r.url("/a")))
		skipped := flags&spool.Kept != 0
		if _, handed := n.pages["/a"]; handed == skipped || skipped != (n.survey.SkippedByHint == 1) || skipped != (c.skip && c.proven) {
			t.Errorf("%+v: /a skipped %v, handed over %v, survey %+v", c, skipped, handed, n.survey)
		}
		if p := n.pages["/b"]; p.Hints.Lastmod != 4*day || p.First.Lastmod != 3*day+day/2 || p.Claim&document.ClaimLastmod != 0 {
			t.Errorf("/b: hints %+v, first %+v, claim %d", p.Hints, p.First, p.Claim)
		}
		if p := n.pages["/a"]; !skipped && (p.Claim != document.ClaimLastmod|document.ClaimValidator) {
			t.Errorf("/a: claim %d", p.Claim)
		}
		if p := n.pages["/private"]; p.Seen != document.Disallowed {
			t.Errorf("/private: %s", p.Seen)
		}
	}
}

// TestValidatorsClaim: what a page that is read all the same says of itself is
// compared with the record's validators, the ETag first.
func TestValidatorsClaim(t *testing.T) {
	r := newRig(t, "set / Home|Welcome")
	now := r.run().pages["/"].Hints
	for _, c := range []struct {
		then  document.Hints
		claim document.Claim
	}{
		{now, document.ClaimValidator},
		{document.Hints{ETag: now.ETag, LastModified: "another"}, document.ClaimValidator},
		{document.Hints{ETag: `"another"`, LastModified: now.LastModified}, 0},
		{document.Hints{LastModified: now.LastModified}, document.ClaimValidator},
		{document.Hints{LastModified: "another"}, 0},
		{document.Hints{}, 0},
	} {
		r.known["/"] = document.Known{Document: true, Hints: c.then}
		if p := r.run().pages["/"]; p.Claim != c.claim || p.Hints != now {
			t.Errorf("%+v: claim %d, want %d; hints %+v", c.then, p.Claim, c.claim, p.Hints)
		}
	}
}
