package crawl

import (
	"fmt"
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
		{"/a", "TEXT/HTML ; Charset=UTF-8", false, document.Read, "text/html"},
		{"/a", "text/html; charset", false, document.Read, "text/html"},
		{"/a", "text/html; charset=utf-8; charset=utf-8", false, document.Read, "text/html"},
		{"/a", "application/xhtml+xml", false, document.Read, "application/xhtml+xml"},
		{"/a", "", false, document.Read, "text/html"},
		{"/a.pdf", "", false, document.Read, "application/pdf"},
		{"/a.pdf", "application/octet-stream", false, document.Read, "application/pdf"},
		{"/a.PDF", "application/force-download", false, document.Read, "application/pdf"},
		{"/a.docx", "binary/octet-stream", false, document.Read, document.MediaDOCX},
		{"/a.htm", "application/octet-stream", false, document.Read, "text/html"},
		{"/a.pdf", "text/html", false, document.Read, "text/html"},
		{"/a", "application/pdf", false, document.Read, "application/pdf"},
		{"/a", "application/pdf; name=x", false, document.Read, "application/pdf"},
		{"/a", document.MediaDOCX, false, document.Read, document.MediaDOCX},
		{"/a.xlsx", "application/vnd.ms-excel", false, document.Read, document.MediaXLSX},
		{"/a.odt", "application/zip", false, document.Read, document.MediaODT},
		{"/a.pptx", "", false, document.Read, document.MediaPPTX},
		{"/a.TXT", "text/plain; charset=utf-8", false, document.Read, "text/plain"},
		{"/a.txt", "text/html", false, document.Read, "text/html"},
		{"/llms.txt", "text/plain", false, "", ""},
		{"/.well-known/a.txt", "text/plain", false, "", ""},
		{"/a.md", "text/plain", false, "", ""},
		{"/a.zip", "application/zip", true, document.Unread, "application/zip"},
		{"/a", "image/png", false, "", ""},
		{"/a", "image/png", true, document.Unread, "image/png"},
		{"/a", "text/plain", false, "", ""},
		{"/a", "text/plain", true, document.Unread, "text/plain"},
		{"/a", "application/octet-stream", true, document.Unread, "application/octet-stream"},
		{"/a", "application/x-pdf", false, document.Read, "application/pdf"},
		{"/a.doc", "application/msword", true, document.Unread, "application/msword"},
		{"/a", "rubbish", true, document.Unread, "rubbish"},
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

// TestBodies: a body that did not arrive whole, or can't be parsed, is unread with
// the reason; no other page suffers.
func TestBodies(t *testing.T) {
	nested := strings.Repeat("<div>", 600) + "deep"
	for name, c := range map[string]struct {
		path, fault string
		seen        document.Seen
		why         string
	}{
		"empty":           {"/empty", "", document.Unread, "the body is empty"},
		"empty file":      {"/empty.pdf", "", document.Unread, "the file is empty"},
		"nested":          {"/nested", "", document.Unread, "the HTML can't be parsed: "},
		"cut":             {"/page", "cut /page 50", document.Unread, "body cut: 50 bytes of "},
		"reset":           {"/page", "reset /page 50", document.Unread, "body cut: "},
		"no answer":       {"/page", "reset /page -1", document.Unread, "the server broke the connection"},
		"over the limit":  {"/page", "oversize /page 1000001", document.Unread, "body is over 1 MB (fetch.max_body)"},
		"endless":         {"/page", "endless /page", document.Unread, "body is over 1 MB (fetch.max_body)"},
		"at the limit":    {"/page", "oversize /page 1000000", document.Read, ""},
		"large file":      {"/file.pdf", "oversize /file.pdf 2000001", document.Unread, "body is over 2 MB (fetch.max_file)"},
		"file":            {"/file.pdf", "oversize /file.pdf 2000000", document.Read, ""},
		"bomb":            {"/page", "bomb /page 900000000", document.Unread, "body is over 1 MB (fetch.max_body)"},
		"file bomb":       {"/file.pdf", "bomb /file.pdf 1900000", document.Unread, "gzip body inflates more than 200 to 1: refused"},
		"encoding":        {"/page", "header /page Content-Encoding compress", document.Unread, `content encoding "compress" is not understood`},
		"no gzip":         {"/page", "header /page Content-Encoding gzip", document.Unread, "gzip body damaged"},
		"missing and cut": {"/nothing", "cut /nothing 5", document.Unread, "body cut: 5 bytes of "},
		"gone":            {"/page", "status /page 410", document.Gone, ""},
		"no content":      {"/page", "status /page 204", document.Unread, "HTTP status 204 No Content"},
		"a part":          {"/page", "status /page 206", document.Unread, "HTTP status 206 Partial Content"},
		"login":           {"/page", "auth /page u p", document.Unread, "HTTP status 401 Unauthorized"},
		"forbidden":       {"/page", "status /page 403", document.Unread, "HTTP status 403 Forbidden"},
		"too many":        {"/page", "status /page 429", document.Unread, "HTTP status 429 Too Many Requests"},
		"switching":       {"/page", `answer /page "HTTP/1.1 101 Up\r\nUpgrade: tea\r\n\r\n<p>Text"`, document.Unread, "HTTP status 101"},
		"a PDF as HTML":   {"/pdf", "", document.Unread, "the body is a PDF, labelled HTML"},
		"far away":        {"/page", `redirect /page /` + strings.Repeat("x", 100_000), document.Moved, " bytes, the index takes URLs up to 512"},
		"no such status":  {"/page", "status /page 799", document.Unread, "HTTP status 799"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome|/page /empty /empty.pdf /file.pdf /nested /pdf /nothing\nraw /pdf %PDF-1.7\nset /page Page|Text\nraw /file.pdf %PDF-1.7")
			r.opts.MaxBody, r.opts.MaxFile = 1e6, 2e6
			r.Set("/empty", testsite.Page{})
			r.Set("/empty.pdf", testsite.Page{})
			r.Set("/nested", testsite.Page{Body: nested})
			if c.fault != "" {
				r.script(c.fault)
			}
			n := r.run()
			p := n.pages[c.path]
			if p.Seen != c.seen || c.seen == document.Unread && p.Hints != (document.Hints{}) && c.fault != "" {
				t.Errorf("%s: %s, hints %+v", c.path, p.Seen, p.Hints)
			}
			holds(t, c.path, p.Why, c.why)
			if n.pages["/"].Seen != document.Read || !n.survey.Complete {
				t.Errorf("%q, %+v", n.seen(), n.survey)
			}
		})
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

// TestCharset: the text that is handed over is UTF-8, whatever was sent. A byte order
// mark decides, then the header, then whether all of it is UTF-8, then a declaration,
// then it is windows-1252.
func TestCharset(t *testing.T) {
	const want, latin, polish = "Smørrebrød på Ærø", "Sm\xf8rrebr\xf8d p\xe5 \xc6r\xf8", "\xb1\xe6\xea" // ąćę in ISO 8859-2
	html, in := "text/html", func(charset string) string { return "text/html; charset=" + charset }
	meta := func(charset string) string { return `<meta charset="` + charset + `">` }
	late := "<!--" + strings.Repeat("x", 1500) + "-->"
	wide := func(text string, high, low int) string { // UTF-16, with a byte's place for each half
		var b strings.Builder
		for _, r := range text {
			pair := [2]byte{}
			pair[high], pair[low] = byte(r>>8), byte(r)
			b.Write(pair[:])
		}
		return b.String()
	}
	cases := []struct{ contentType, head, text, want string }{
		{in("utf-8"), "", want, want},
		{in("UTF8"), "", want, want},
		{in(`"utf-8"`), "", want, want},
		{in("utf-8"), meta("iso-8859-2"), want, want},
		{in("utf-8"), "", latin, "Sm\uFFFDrrebr\uFFFDd p\uFFFD \uFFFDr\uFFFD"},
		{in("iso-8859-1"), "", latin, want},
		{in("ISO-8859-1"), meta("utf-8"), latin, want},
		{in("latin1"), "", latin, want},
		{in("us-ascii"), "", latin, want},
		{in("windows-1252"), "", "\x93" + latin + "\x94", "“" + want + "”"},
		{in("iso-8859-1"), "", "\x80 5", "€ 5"},
		{in("iso-8859-1"), meta("utf-8"), "\xc3\xb8", "Ã¸"},
		{in("iso-8859-1"), "\uFEFF", want, want},
		{in("iso-8859-2"), "", polish, "ąćę"},
		{in("iso-8859-15"), "", "\xa4", "€"},
		{in("windows-1250"), "", "\x9a\x9e", "šž"},
		{in("windows-1251"), "", "\xcf\xf0\xe8", "При"},
		{in("koi8-r"), "", "\xf0\xd2\xc9", "При"},
		{in("windows-1253"), "", "\xe1\xe2", "αβ"},
		{in("iso-8859-9"), "", "\xfe\xf0", "şğ"},
		{in("windows-1257"), "", "\xe0", "ą"},
		{in("shift_jis"), "", "\x82\xa0", "あ"},
		{in("euc-jp"), "", "\xa4\xa2", "あ"},
		{in("iso-2022-jp"), "", "\x1b$B$\"\x1b(B", "あ"},
		{in("gbk"), "", "\xc4\xe3", "你"},
		{in("gb18030"), "", "\xc4\xe3", "你"},
		{in("big5"), "", "\xa7\x41", "你"},
		{in("euc-kr"), "", "\xb0\xa1", "가"},
		{in("none-such"), meta("utf-8"), want, want},
		{in("none-such"), "", latin, want},
		{in(""), "", want, want},
		{html + "; charset", "", want, want},
		{"", "", want, want},
		{html, "", want, want},
		{html, strings.Repeat("<!-- x -->", 500), want, want},
		{html, meta("iso-8859-1"), want, want},
		{html, "", want + late + meta("iso-8859-1"), want},
		{html, meta("iso-8859-2"), polish, "ąćę"},
		{html, late + meta("iso-8859-2"), polish, "ąćę"},
		{html, `<meta http-equiv="content-type" content="text/html; charset=iso-8859-2">`, polish, "ąćę"},
		{html, `<?xml version="1.0" encoding="iso-8859-2"?>`, polish, "ąćę"},
		{html, "<!--" + meta("koi8-r") + "-->" + meta("iso-8859-2"), polish, "ąćę"},
		{html, meta("none-such"), latin, want},
		{html, meta("utf-8"), latin, "Sm\uFFFDrrebr\uFFFDd p\uFFFD \uFFFDr\uFFFD"},
		{html, meta("utf-16"), "\xf8", "\uFFFD"},
		{html, "", latin, want},
		{html, "", "\x93x\x94 \x80", "“x” €"},
		{html, strings.Repeat("ø", 3000), latin, want},
		{in("utf-8"), "\xff\xfe", wide("<p>Ærø</p>", 1, 0), "Ærø"},
		{in("utf-8"), "\xfe\xff", wide("<p>Ærø</p>", 0, 1), "Ærø"},
		{in("utf-16le"), "", wide("<p>Ærø</p>", 1, 0), "Ærø"},
		{in("utf-16be"), "", wide("<p>Ærø</p>", 0, 1), "Ærø"},
	}
	r := newRig(t, "")
	var links []string
	for i, c := range cases {
		path, body := fmt.Sprint("/", i), c.head+"<p>"+c.text+"</p>"
		if strings.Contains(c.text, "\x00") {
			body = c.head + c.text
		}
		r.Set(path, testsite.Page{Body: body, Header: map[string]string{"Content-Type": c.contentType}})
		links = append(links, path)
	}
	r.HTML("/", "Home", "", links...)
	n := r.run()
	for i, c := range cases {
		if got := n.texts[fmt.Sprint("/", i)]; got != c.want {
			t.Errorf("%d: %q, %.60q %.60q: %q, want %q", i, c.contentType, c.head, c.text, got, c.want)
		}
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
