package crawl

import (
	"net/http"
	"strings"
	"testing"

	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// TestMedia: what counts as a page, what as a file, and what as neither. Known is
// whether the index holds a document for the address.
func TestMedia(t *testing.T) {
	for _, c := range []struct {
		path, contentType string
		known             bool
		seen              document.Seen // empty: nothing is handed over
		media             string
	}{
		{"/a", "text/html", false, document.Read, "text/html"},
		{"/a", "text/html; charset", false, document.Read, "text/html"},
		{"/a", "text/html; charset=utf-8; charset=utf-8", false, document.Read, "text/html"},
		{"/a", "application/xhtml+xml", false, document.Read, "application/xhtml+xml"},
		{"/a", "", false, document.Read, "text/html"},
		{"/a.pdf", "", false, document.Read, "application/pdf"},
		{"/a.pdf", "application/octet-stream", false, document.Read, "application/pdf"},
		{"/a.docx", "binary/octet-stream", false, document.Read, document.MediaDOCX},
		{"/a.pdf", "text/html", false, document.Read, "text/html"},
		{"/a", "application/pdf", false, document.Read, "application/pdf"},
		{"/a", document.MediaDOCX, false, document.Read, document.MediaDOCX},
		{"/a.xlsx", "application/vnd.ms-excel", false, document.Read, document.MediaXLSX},
		{"/a.TXT", "text/plain; charset=utf-8", false, document.Read, "text/plain"},
		{"/a.txt", "text/html", false, document.Read, "text/html"},
		{"/llms.txt", "text/plain", false, "", ""},
		{"/a.md", "text/plain", false, "", ""},
		{"/a.zip", "application/zip", true, document.Unread, "application/zip"},
		{"/a", "image/png", false, "", ""},
		{"/a", "image/png", true, document.Unread, "image/png"},
		{"/a", "text/plain", false, "", ""},
		{"/a", "application/x-pdf", false, document.Read, "application/pdf"},
		{"/a", "text/html, text/html", true, document.Unread, "text/html, text/html"},
	} {
		r := newRig(t, "set / Home|Welcome|"+c.path)
		header := map[string]string{"Content-Type": c.contentType}
		r.Set(c.path, testsite.Page{Body: "<p>Some text</p>", Header: header})
		if c.known {
			r.known[c.path] = document.Known{Document: true}
		}
		n := r.run()
		p, handed := n.pages[c.path]
		if handed != (c.seen != "") || p.Seen != c.seen || p.Media != c.media || n.host().Asked != 2 {
			t.Errorf("%s as %q, known %v: %q with media %q (%s)", c.path, c.contentType, c.known, p.Seen, p.Media, p.Why)
		}
		if c.seen == document.Unread {
			holds(t, c.contentType, p.Why, "is neither HTML, PDF, an office file nor a .txt file")
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
		if !want[q.URI] && !isProbe(q.URI) || q.Method != http.MethodGet || q.Header.Get("User-Agent") != r.opts.UserAgent || q.Header.Get("Accept-Encoding") != "gzip, br" ||
			q.Header.Get("Authorization") == "" || q.Header.Get("Cookie") != "" || q.Host != strings.TrimPrefix(r.origin, "http://") {
			t.Errorf("%s %s to %q: %v", q.Method, q.URI, q.Host, q.Header)
		}
		delete(want, q.URI)
	}
	if len(want) > 0 {
		t.Errorf("never asked for: %v", want)
	}
}
