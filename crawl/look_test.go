package crawl

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"sitesync/crawl/transport"
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
		{"/nowhere", `true "" true ""`, []string{`/nowhere 301 moved URL "mailto:…@b.test" can't be used: its scheme is mailto, not http or https`}, "/nowhere moved ", 1},
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
		raw /soon "<meta http-equiv=refresh content='3; url=/page'>"
	`)
	r.Validators(false)
	r.Fault("/page", func(_ *http.Request, a *testsite.Answer) {
		a.Header.Set("Set-Cookie", "canary")
		a.Header.Set("Authorization", "canary")
		a.Header.Set("Cache-Control", "no-cache")
		a.Header.Set("X-Robots-Tag", "nofollow")
	})
	for path, want := range map[string]string{
		"/old":   `"https://…@elsewhere.test/" map[Content-Type:[text/html; charset=utf-8]] &{NoIndex: NoFollow: Canonical: BadCanonical: Links:0}`,
		"/page":  `"" map[Cache-Control:[no-cache] Content-Encoding:[gzip] Content-Type:[text/html; charset=utf-8] X-Robots-Tag:[nofollow]] &{NoIndex:meta robots: noindex NoFollow:X-Robots-Tag: nofollow Canonical: BadCanonical:URL "mailto:…@y.test" can't be used: its scheme is mailto, not http or https Links:3}`,
		"/a.pdf": `"" map[Content-Type:[application/pdf] Link:[</b.pdf>; rel=canonical]] &{NoIndex: NoFollow: Canonical: BadCanonical: Links:0}`,
		"/soon":  `"` + r.url("/page") + `" map[Content-Encoding:[gzip] Content-Type:[text/html; charset=utf-8]] &{NoIndex:meta robots: noindex NoFollow:X-Robots-Tag: nofollow Canonical: BadCanonical:URL "mailto:…@y.test" can't be used: its scheme is mailto, not http or https Links:3}`,
		"/later": `"" map[Content-Encoding:[gzip] Content-Type:[text/html; charset=utf-8] Retry-After:[120]] &{NoIndex: NoFollow: Canonical: BadCanonical: Links:0}`,
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

// TestMedia: what counts as a page, what as a file, and what as neither; by its first bytes only
// where document.MediaOf asks for them. Known is whether the index holds a document for the address.
func TestMedia(t *testing.T) {
	const text, limit = "<p>Some text</p>", "body is over 1.0 MB (fetch.max_body)"
	const fileLimit, notRead = "body is over 2.1 MB (fetch.max_file)", ".doc files (application/msword) are not read"
	pdf := "%PDF-1.7 Some text"
	noise := make([]byte, 512<<10) // that does not compress
	rand.NewChaCha8([32]byte{}).Read(noise)
	long := hex.EncodeToString(noise)
	for _, c := range []struct {
		path, contentType, body string
		known                   bool
		seen                    document.Seen // empty: nothing is handed over
		media, why              string
	}{
		{"/a", "text/html; charset=utf-8; charset=utf-8", text, false, document.Read, "text/html", ""},
		{"/a", "application/xhtml+xml", text, false, document.Read, "application/xhtml+xml", ""},
		{"/a.pdf", "text/html", text, false, document.Read, "text/html", ""},
		{"/a.txt", "text/html", text, false, document.Read, "text/html", ""},
		{"/a", "text/html", text + long, false, document.Unread, "text/html", limit},
		{"/a", "", text, false, document.Read, "text/html", ""},
		{"/a", "*/*", text + long, false, document.Unread, "text/html", limit},
		{"/a", "html", "", true, document.Unread, "text/html", "the body is empty"},
		{"/a", "", "Text <p>", false, "", "", ""},
		{"/a", "", "Text <p>", true, document.Unread, "text/plain", `media type "text/plain" is neither`},
		{"/a.pdf", "", pdf, false, document.Read, "application/pdf", ""},
		{"/a.docx", "binary/octet-stream", text, false, document.Read, document.MediaDOCX, ""},
		{"/a", "application/pdf", pdf + long, false, document.Read, "application/pdf", ""},
		{"/a", "application/pdf", pdf + long + long, false, document.Unread, "application/pdf", fileLimit},
		{"/a", "text/plain", pdf + long, false, document.Read, "application/pdf", ""},
		{"/a", "text/plain", pdf + long + long, false, document.Unread, "application/pdf", fileLimit},
		{"/a", "text/plain", text + long + long, false, "", "", ""},
		{"/a", "text/plain", text + long + long, true, document.Unread, "text/plain", `media type "text/plain" is neither`},
		{"/a.TXT", "text/plain; charset=utf-8", text, false, document.Read, "text/plain", ""},
		{"/llms.txt", "text/plain", text, false, "", "", ""},
		{"/a", "application/octet-stream", pdf, false, "", "", ""},
		{"/a", "application/octet-stream\ndisposition: a.docm", text, false, document.Read, document.MediaDOCX, ""},
		{"/a.zip", "application/zip", text, true, document.Unread, "application/zip", `media type "application/zip" is neither`},
		{"/a.doc", "application/octet-stream", text, true, document.Unread, "application/msword", notRead},
		{"/a", "image/png", text, false, "", "", ""},
	} {
		r := newRig(t, "set / Home|Welcome|"+c.path)
		contentType, name, _ := strings.Cut(c.contentType, "\ndisposition: ")
		header := map[string]string{"Content-Type": contentType}
		if name != "" {
			header["Content-Disposition"] = "attachment; filename=" + name
		}
		r.Set(c.path, testsite.Page{Body: c.body, Header: header})
		if c.known {
			r.known[c.path] = document.Known{Document: true}
		}
		n := r.run()
		p, handed := n.pages[c.path]
		said := p.Media == c.media && strings.HasPrefix(p.Why, c.why)
		if handed != (c.seen != "") || p.Seen != c.seen || !said || n.host().Asked != 2 {
			t.Errorf("%s as %q, known %v: %q with media %q (%s)", c.path, c.contentType, c.known, p.Seen, p.Media, p.Why)
		}
		if text := n.texts[c.path]; c.seen == document.Read && !strings.Contains(text, "Some text") {
			t.Errorf("%s as %q: the text is %q", c.path, c.contentType, text)
		}
	}
}

// TestOddHeaders: bytes that are no text break nothing and get nowhere: neither into
// a reason nor into a validator. A long validator is not kept.
func TestOddHeaders(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/latin /date /control /robots /type /location /long\nset /long G|G\nset /latin L|L\nset /date D|D\nset /control C|C\nset /robots R|R\nset /type T|T")
	for _, line := range []string{
		`header /latin ETag "\"caf\xe9\""`, `header /date Last-Modified "gestern \xff"`, `header /control ETag "\"\x1b[2J\""`,
		`header /long ETag "` + strings.Repeat("e", 2000) + `"`,
		`header /robots X-Robots-Tag "noindex \x80"`, `header /type Content-Type "text/html; charset=\xff"`,
	} {
		r.script(line)
	}
	r.Redirect("/location", "/caf\xe9 \xff", 301)
	for _, again := range []document.Seen{document.Read, document.Kept} {
		n := r.run()
		same(t, "seen", n.seen(), "/ "+string(again), "/caf%E9%20%FF missing", "/control unread", "/date "+string(again), "/latin "+string(again),
			"/location moved /caf%E9%20%FF", "/long "+string(again), "/robots noindex", "/type "+string(again))
		for path, p := range n.pages {
			for _, text := range []string{p.Why, p.Hints.ETag, p.Hints.LastModified, p.Target, p.Media} {
				if len(text) > 1024 || strings.ToValidUTF8(text, "") != text || strings.ContainsAny(text, "\x1b\x00") {
					t.Errorf("%s: %q", path, text)
				}
			}
		}
		r.remember(n)
	}
}

// TestRequests: what a site gets to see of the crawler.
func TestRequests(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/a?b=1&c /Upper%2Fcase/%7Etilde\nsitemap on")
	r.HTML("/a?b=1&c", "A", "<p>A</p>", "/bar|%2F..%2Fx?a|b")
	r.opts.UserAgent = "sitesync/9 (+https://example.com)"
	r.opts.Credentials = []transport.Credential{{Origin: r.origin, User: "u", Password: "p"}}
	r.run()
	want := map[string]bool{"/robots.txt": true, "/sitemap.xml": true, "/": true, "/a?b=1&c": true, "/Upper%2Fcase/%7Etilde": true, "/bar|%2F..%2Fx?a|b": true}
	for _, q := range r.Requests() {
		if !want[q.URI] && !isProbe(q.URI) || q.Method != http.MethodGet || q.Header.Get("User-Agent") != r.opts.UserAgent || q.Header.Get("Accept-Encoding") != "gzip" ||
			q.Header.Get("Authorization") == "" || q.Header.Get("Cookie") != "" || q.Host != strings.TrimPrefix(r.origin, "http://") {
			t.Errorf("%s %s to %q: %v", q.Method, q.URI, q.Host, q.Header)
		}
		delete(want, q.URI)
	}
	if len(want) > 0 {
		t.Errorf("never asked for: %v", want)
	}
}
