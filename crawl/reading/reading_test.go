package reading

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/crawl/signs"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

func TestLocalFile(t *testing.T) {
	taken := int64(0)
	take := func(bytes int64) error {
		taken += bytes
		if taken > 200e6 {
			return errors.New("it is too much")
		}
		return nil
	}
	table := []struct{ name, body, media, text, why string }{
		{"a.html", "<p>Bl\xe5b\xe6r", document.MediaHTML, "Blåbær", ""},
		{"a.htm", "\xEF\xBB\xBF<p>Blåbær", document.MediaHTML, "Blåbær", ""},
		{"a.aspx", "<meta charset=koi8-r><p>\xc1", document.MediaHTML, "а", ""},
		{"saved", "<p>Text", document.MediaHTML, "Text", ""},
		{"A.PDF", "%PDF-1.7\xe5", document.MediaPDF, "", ""},
		{"a.DOTX", "PK", document.MediaDOCX, "", ""},
		{"bomb.html", strings.Repeat("<p>", 1_000_001), document.MediaHTML, "", "the HTML can't be parsed: it is too much"},
	}
	for _, row := range table {
		t.Run(row.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), row.name)
			if err := os.WriteFile(name, []byte(row.body), 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := LocalFile("https://www.example.com/x", name, take)
			if err != nil || p.Media != row.media || !strings.HasPrefix(p.Why, row.why) || (p.Seen == document.Unread) != (row.why != "") {
				t.Fatalf("got %+v, %v", p, err)
			}
			switch {
			case row.text != "" && shownText(p) != row.text:
				t.Errorf("got %q, want %q", shownText(p), row.text)
			case p.Root == nil && row.why == "" && string(p.Body) != row.body:
				t.Errorf("the file's bytes are %q", p.Body)
			}
		})
	}
	if _, err := LocalFile("https://www.example.com/x", filepath.Join(t.TempDir(), "none"), nil); err == nil {
		t.Error("a file that is not there gives no error")
	}
}

func shownText(p *document.Page) string {
	var text strings.Builder
	for node := range p.Root.Descendants() {
		if node.Type == html.TextNode {
			text.WriteString(node.Data)
		}
	}
	return text.String()
}

// TestParse: the charset is that of the field which counts.
func TestParse(t *testing.T) {
	fields := []string{"text/html; charset=utf-8", "text/html; charset=koi8-r", "text/html", "*/*; charset=utf-8"}
	root, _, err := (&Answer{Header: http.Header{"Content-Type": fields}, Body: []byte("<p>\xc1")}).Parse()
	if err != nil || shownText(&document.Page{Root: root}) != "а" {
		t.Errorf("%q, %v", shownText(&document.Page{Root: root}), err)
	}
}

// plainReader reads pages of which nothing is known.
func plainReader() *Reader {
	no := func(string) bool { return false }
	return &Reader{Canon: weburl.NewCanonicalizer(nil), OnlyFiles: no, Staged: no, IsStart: no, Absence: func(string) *signs.Absence { return nil }}
}

// TestFilesTakeLittle: however long a file is, memory is asked for of no more than is made of it.
func TestFilesTakeLittle(t *testing.T) {
	for size, want := range map[int]int64{9e6: 36e6, 11e6: 40e6} {
		asked := int64(0)
		take := func(bytes int64) error { asked += bytes; return nil }
		plainReader().Read(&Answer{URL: "https://www.example.com/a.pdf", Status: 200, Header: http.Header{}, Media: document.MediaPDF, File: true, Body: make([]byte, size), Take: take}, document.Known{})
		if asked != want {
			t.Errorf("%d bytes: asked for %d, want %d", size, asked, want)
		}
	}
}

// TestBreaksOff: a page whose end is missing is unread where the last look at it had it.
func TestBreaksOff(t *testing.T) {
	const whole, cut = "<html><p>Ants and bees</p></body></HTML >\n", "<html><p>Ants and"
	ended, not := document.Known{Document: true, Ended: true}, document.Known{Document: true}
	for _, c := range []struct {
		name   string
		status int
		body   string
		known  document.Known
		ended  bool
		why    string
	}{
		{"whole", 200, whole, ended, true, ""},
		{"whole, the end far from the end of the body", 200, whole + "<!--" + strings.Repeat("x", 2000) + "-->", ended, true, ""},
		{"cut in its end", 200, cut + "</htm", ended, false, WhyBreaksOff},
		{"cut", 200, cut, ended, false, WhyBreaksOff},
		{"cut, as the last look was", 200, cut, not, false, ""},
		{"a look that failed says nothing of the end", 503, cut, ended, true, "HTTP status 503 Service Unavailable"},
	} {
		p, _ := plainReader().Read(&Answer{URL: "https://www.example.com/a", Status: c.status, Header: http.Header{}, Media: "text/html", Body: []byte(c.body)}, c.known)
		if p.Why != c.why || p.Ended != c.ended || (p.Seen == document.Unread) != (c.why != "") {
			t.Errorf("%s: %s, %q, ended %t", c.name, p.Seen, p.Why, p.Ended)
		}
	}
	large := []byte(strings.Repeat("\xC1</", 1<<16)) // whose memory nobody gave yet
	if n := testing.AllocsPerRun(10, func() { hasEnd(large) }); n > 0 {
		t.Errorf("looking for the end makes %g copies", n)
	}
}

// TestLeadsOn: a page that leads elsewhere by itself is a redirect, as generators of sites leave
// them where a page was.
func TestLeadsOn(t *testing.T) {
	const (
		soon   = `<meta http-equiv="refresh" content="0; url=/new">`
		silent = `<html><head><noscript>` + soon + `</noscript>`
		said   = `<p>A page with a text of its own, which readers have time for.</p>`
	)
	for _, c := range []struct{ name, body, header, media, want string }{
		{"nothing but that", `<html><head>` + soon + `</head></html>`, "", "text/html", "moved /new"},
		{"with a canonical and a sentence, not to be indexed", `<title>Moving</title>` + soon + `<meta name=robots content=noindex><link rel=canonical href=/new><p>Go <a href=/new>on</a></html>`, "", "text/html", "moved /new"},
		{"without the end that the page had", `<!doctype html>` + soon + `<body>Moved</body>`, "", "text/html", "moved /new"},
		{"a script as well", soon + `<script>location.href = "/new" + location.hash</script></html>`, "", "text/html", "moved /new"},
		{"a script, and a refresh for who runs none", silent + `<script>const to = "/new"; location.replace(to)</script></html>`, "", "text/html", "moved /new"},
		{"in the page's text", said + soon + `</html>`, "", "text/html", "moved /new"},
		{"by another base", `<base href=/b/><meta http-equiv=refresh content="1;url=c.html"></html>`, "", "text/html", "moved /b/c.html"},
		{"in two seconds", `<meta http-equiv=refresh content="2;/new"></html>`, "", "text/html", "elsewhere /new"},
		{"in ten seconds", said + `<meta http-equiv=refresh content="10;/new"></html>`, "", "text/html", "elsewhere /new"},
		{"to a login", `<meta http-equiv=refresh content="0;/login?next=/a"></html>`, "", "text/html", "elsewhere /login?next=/a login-wall"},
		{"by a header", said + `</html>`, "0; url=/new", "text/html", "moved /new"},
		{"by a header, later", said + `</html>`, "5; url=/new", "text/html", "elsewhere /new"},
		{"by a header, without a body", "", "0;/new", "text/html", "moved /new"},
		{"by a header, of another type", "Moved", "0;/new", "text/plain", "moved /new"},

		{"in eleven seconds", said + `<meta http-equiv=refresh content="11;/new"></html>`, "", "text/html", "read"},
		{"to itself", said + `<meta http-equiv=refresh content="0;/a#top"></html>`, "", "text/html", "read"},
		{"it reloads first", said + `<meta http-equiv=refresh content=300>` + soon + `</html>`, "", "text/html", "read"},
		{"for who runs no scripts", silent + `</head>` + said + `<script>location.hash</script></html>`, "", "text/html", "read"},
		{"for who runs no scripts, who are led elsewhere", silent + `</head>` + said + `<script>if (old) location = "/newer"</script></html>`, "", "text/html", "read"},
		{"in a template", said + `<template>` + soon + `</template></html>`, "", "text/html", "read"},
		{"to no address of a page", said + `<meta http-equiv=refresh content="0;mailto:a@b.example"></html>`, "", "text/html", "read"},
		{"a challenge", soon + `</html>`, "0;/new", "text/html", "unread bot-guard"},
	} {
		header := http.Header{"Etag": {`"1"`}, "Refresh": {c.header}}
		if strings.HasSuffix(c.want, string(document.BotGuard)) {
			header.Set("Cf-Mitigated", "challenge")
		}
		known := document.Known{Document: true, Ended: true, Hints: document.Hints{ETag: `"1"`}}
		p, links := plainReader().Read(&Answer{URL: "https://www.example.com/a", Status: 200, Header: header, Media: c.media, Body: []byte(c.body)}, known)
		got := fmt.Sprintf("%s %s %s", p.Seen, strings.TrimPrefix(p.Target, "https://www.example.com"), p.Interstitial)
		if got = strings.Join(strings.Fields(got), " "); got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, got, p.Why, c.want)
		}
		if p.Target != "" && (p.Root != nil || p.Hints != document.Hints{} || p.Claim != 0 || len(links.Found) > 0 || p.Canonical != "") {
			t.Errorf("%s: %+v, %+v", c.name, p, links)
		}
	}
}
