package reading

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/crawl/page"
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
		{"a.html", "<p>Bl\xe5b\xe6r", page.MediaHTML, "Blåbær", ""},
		{"a.htm", "\xEF\xBB\xBF<p>Blåbær", page.MediaHTML, "Blåbær", ""},
		{"a.aspx", "<meta charset=koi8-r><p>\xc1", page.MediaHTML, "а", ""},
		{"saved", "<p>Text", page.MediaHTML, "Text", ""},
		{"A.PDF", "%PDF-1.7\xe5", document.MediaPDF, "", ""},
		{"a.docx", "PK", document.MediaDOCX, "", ""},
		{"bomb.html", strings.Repeat("<p>", 1_000_001), page.MediaHTML, "", "the HTML can't be parsed: it is too much"},
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
		{"whole, the end far from the end of the body", 200, whole + "<!--" + strings.Repeat("x", 2*endTail) + "-->", ended, true, ""},
		{"cut", 200, cut, ended, false, WhyBreaksOff},
		{"cut, as the last look was", 200, cut, not, false, ""},
		{"a look that failed says nothing of the end", 503, cut, ended, true, "HTTP status 503 Service Unavailable"},
	} {
		no := func(string) bool { return false }
		r := Reader{Canon: weburl.NewCanonicalizer(nil), OnlyFiles: no, Staged: no, IsStart: no, Absence: func(string) *signs.Absence { return nil }}
		p, _ := r.Read(&Answer{URL: "https://www.example.com/a", Status: c.status, Header: http.Header{}, Media: "text/html", Body: []byte(c.body)}, c.known)
		if p.Why != c.why || p.Ended != c.ended || (p.Seen == document.Unread) != (c.why != "") {
			t.Errorf("%s: %s, %q, ended %t", c.name, p.Seen, p.Why, p.Ended)
		}
	}
}
