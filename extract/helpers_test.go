package extract

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// Bounds that the inner rooms keep.
const (
	maxTitle       = 500
	maxDescription = 2000
	maxCategory    = 200
	maxValues      = 100
	maxValue       = 32 << 10
)

const testURL = "https://www.example.com/page"

// pdfReader reads PDF files. Its Close errs, to be seen.
type pdfReader func(body []byte) (document.File, error)

func (read pdfReader) Read(body []byte) (document.File, error) { return read(body) }
func (pdfReader) Close() error                                 { return errClosed }

var errClosed = errors.New("closed")

func newExtractor(t testing.TB, o Options) *Extractor {
	t.Helper()
	if o.PDF == nil {
		o.PDF = pdfReader(func([]byte) (document.File, error) { return document.File{NoText: "it is a test"}, nil })
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func htmlPage(t testing.TB, url, source string) *document.Page {
	t.Helper()
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	return &document.Page{URL: url, Media: "text/html", Root: root, Header: http.Header{}}
}

// readDocument reads and finishes one page.
func readDocument(t testing.TB, o Options, url, source string) document.Document {
	t.Helper()
	e := newExtractor(t, o)
	d, err := e.Read(htmlPage(t, url, source))
	if err != nil {
		t.Fatal(err)
	}
	return e.Finish(d, url, document.Profile{})
}

// checkField reads and finishes a page, and compares one field of its document. It returns
// the draft.
func checkField(t *testing.T, name string, o Options, p *document.Page, field, want string) (d document.Draft) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		var err error
		e := newExtractor(t, o)
		d, err = e.Read(p)
		if got := e.Finish(d, p.URL, document.Profile{}).Fields[field]; got != want || err != nil {
			t.Errorf("got  %q, %v\nwant %q", got, err, want)
		}
	})
	return d
}

func render(t testing.TB, root *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, root); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
