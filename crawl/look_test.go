package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
	"sitesync/internal/weburl"
)

// crawler returns a crawler for the rig's site that is used without a Run.
func (r *rig) crawler() *Crawler {
	r.t.Helper()
	c, err := New(r.opts)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestLook(t *testing.T) {
	r := newRig(t, `
		robots "User-agent: *\nDisallow: /private\nAllow: /private/open"
		set / Home|Welcome
		set /page Page|The text
		set /private/open Open|Open
		redirect /old /older 301
		redirect /older /page 302
		redirect /away https://elsewhere.test/
		redirect /out /excluded
		redirect /barred /private/x
		redirect /loop /loop
		redirect /nowhere mailto:a@b.test
		status /broken 503
		set /picture Picture|x
		header /picture Content-Type image/png
	`)
	r.opts.Exclude = []string{"/excluded"}
	c := r.crawler()
	for _, k := range []struct {
		raw     string
		trace   string // in scope, scope, allowed, robots
		hops    []string
		used    string // URL, what was seen and the text of each page that was used
		request int
	}{
		{"/page#top", `true "" true ""`, []string{"/page 200 read "}, "/page read The text", 1},
		{"/old", `true "" true ""`, []string{"/old 301 moved ", "/older 302 elsewhere ", "/page 200 read "}, "/old moved ; /older elsewhere ; /page read The text", 3},
		{"/private/x", `true "" false "Disallow: /private"`, nil, "", 0},
		{"/private/open", `true "" true "Allow: /private/open"`, []string{"/private/open 200 read "}, "/private/open read Open", 1},
		{"/excluded", `false "site.exclude \"/excluded\"" false ""`, nil, "", 0},
		{"https://elsewhere.test/", `false "other origin https://elsewhere.test" false ""`, nil, "", 0},
		{"/away", `false "other origin https://elsewhere.test" true ""`, []string{"/away 301 moved "}, "/away moved ", 1},
		{"/out", `false "site.exclude \"/excluded\"" true ""`, []string{"/out 301 moved "}, "/out moved ", 1},
		{"/barred", `true "" false "Disallow: /private"`, []string{"/barred 301 moved "}, "/barred moved ", 1},
		{"/nowhere", `true "" true ""`, []string{`/nowhere 301 moved make URL "mailto:…@b.test" canonical: its scheme is mailto, not http or https`}, "/nowhere moved ", 1},
		{"/broken", `true "" true ""`, []string{"/broken 503 unread HTTP status 503 Service Unavailable"}, "/broken unread ", 1},
		{"/picture", `true "" true ""`, []string{`/picture 200 unread media type "image/png" is neither HTML, PDF, an office file nor a .txt file`}, "/picture unread ", 1},
		{"/nothing", `true "" true ""`, []string{"/nothing 404 missing "}, "/nothing missing ", 1},
	} {
		r.Reset()
		used := ""
		trace, err := c.Look(t.Context(), r.url(k.raw), func(p *document.Page) error {
			used += fmt.Sprintf("; %s %s %s", weburl.Target(p.URL), p.Seen, textOf(p))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%t %q %t %q", trace.InScope, trace.Scope, trace.Allowed, trace.Robots); got != k.trace || strings.TrimPrefix(used, "; ") != k.used {
			t.Errorf("%s: %s and used %q, want %s and %q", k.raw, got, used, k.trace, k.used)
		}
		var hops []string
		for _, hop := range trace.Hops {
			hops = append(hops, fmt.Sprintf("%s %d %s %s", weburl.Target(hop.URL), hop.Status, hop.Seen, hop.Why))
		}
		same(t, k.raw, hops, k.hops...)
		if n := len(r.asked()); n != k.request {
			t.Errorf("%s: %d requests, want %d", k.raw, n, k.request)
		}
	}
	if trace, err := c.Look(t.Context(), r.url("/loop"), func(*document.Page) error { return nil }); err != nil || len(trace.Hops) != 10 {
		t.Errorf("a loop: %+v, %v", trace, err)
	}
	if _, err := c.Look(t.Context(), "ftp://x/", nil); err == nil {
		t.Error("no address, and no error")
	}
	broken := errors.New("broken")
	if _, err := c.Look(t.Context(), r.url("/page"), func(*document.Page) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("the error of use is lost: %v", err)
	}
}

// TestLookTellsWhatDecides: of each answer its Location and the headers that decide
// something, of the last one its directives; nothing secret.
func TestLookTellsWhatDecides(t *testing.T) {
	r := newRig(t, `
		redirect /old https://user:canary@elsewhere.test/ 301
		set /page Page|The text|/a /b|<meta name="robots" content="noindex"><link rel="canonical" href="mailto:x@y.test">
		raw /a.pdf %PDF-1.7
		header /a.pdf Link "</b.pdf>; rel=canonical"
		status /later 503 120
	`)
	r.Validators(false)
	r.Fault("/page", func(_ *http.Request, a *testsite.Answer) {
		a.Header.Set("Set-Cookie", "canary")
		a.Header.Set("Authorization", "canary")
		a.Header.Set("Cache-Control", "no-cache")
		a.Header.Set("X-Robots-Tag", "nofollow")
	})
	for path, want := range map[string]string{
		"/old":   `"https://…@elsewhere.test/" map[Content-Type:[text/html; charset=utf-8]] &{NoIndex: NoFollow: Canonical: BadCanonical: Refresh: Links:0}`,
		"/page":  `"" map[Cache-Control:[no-cache] Content-Encoding:[gzip] Content-Type:[text/html; charset=utf-8] X-Robots-Tag:[nofollow]] &{NoIndex:meta robots: noindex NoFollow:X-Robots-Tag: nofollow Canonical: BadCanonical:make URL "mailto:…@y.test" canonical: its scheme is mailto, not http or https Refresh: Links:3}`,
		"/a.pdf": `"" map[Content-Type:[application/pdf] Link:[</b.pdf>; rel=canonical]] &{NoIndex: NoFollow: Canonical: BadCanonical: Refresh: Links:0}`,
		"/later": `"" map[Content-Encoding:[gzip] Content-Type:[text/html; charset=utf-8] Retry-After:[120]] &{NoIndex: NoFollow: Canonical: BadCanonical: Refresh: Links:0}`,
	} {
		trace, err := r.crawler().Look(t.Context(), r.url(path), func(*document.Page) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%q %v %+v", trace.Hops[0].Location, trace.Hops[0].Headers, trace.Directives); got != want {
			t.Errorf("%s: %s\nwant %s", path, got, want)
		}
	}
}

func TestLookWithoutRobots(t *testing.T) {
	r := newRig(t, "set / Home|Welcome\nstatus /robots.txt 503")
	c := r.crawler()
	trace, err := c.Look(t.Context(), r.url("/"), nil)
	if err != nil || trace.Allowed || !trace.InScope || trace.Robots != "robots.txt answered 503" || r.Count("/") != 0 {
		t.Errorf("%+v, %v", trace, err)
	}
	r.script("hold /robots.txt")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_ = r.Await(ctx, "/robots.txt", 2)
		cancel()
	}()
	if _, err := c.Look(ctx, r.url("/"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestHopIsReadable: what a person reads of an answer has an end, whatever its headers hold.
func TestHopIsReadable(t *testing.T) {
	long := "/" + strings.Repeat("é", 50_000)
	h := hopOf(&document.Page{URL: "https://a.test/", Header: http.Header{"Location": {long}, "Link": {"<short>", long}, "Cookie": {"x"}}})
	if want := long[:2047] + "…"; h.Location != want || len(h.Headers) != 1 || h.Headers["Link"][0] != "<short>" || h.Headers["Link"][1] != want {
		t.Errorf("Location of %d bytes, headers %.60q", len(h.Location), h.Headers)
	}
	secret := "https://user:" + strings.Repeat("secret", 1000) + "@a.test/"
	if h = hopOf(&document.Page{URL: "https://a.test/", Header: http.Header{"Location": {secret}}}); strings.Contains(h.Location, "secret") {
		t.Errorf("a long password is shown: %.60q", h.Location)
	}
}
