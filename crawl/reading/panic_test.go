package reading

import (
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// A page or file on which the program fails is unread, and the crawl goes on.
func TestPanicIsUnread(t *testing.T) {
	r := Reader{
		Canon:    weburl.NewCanonicalizer(nil),
		ReadFile: func(*document.Page) (*document.File, error) { panic("no such part") },
	}
	p, links := r.Read(&Answer{URL: "https://a.test/a.pdf", Status: http.StatusOK, Header: http.Header{}, Media: document.MediaPDF, File: true, Body: []byte("%PDF-")}, document.Known{})
	if p.Seen != document.Unread || !strings.Contains(p.Why, "no such part") || p.Body != nil || len(links.Found) > 0 {
		t.Errorf("%+v", p)
	}
}
