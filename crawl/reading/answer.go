package reading

import (
	"net/http"

	"golang.org/x/net/html"

	"sitesync/crawl/page"
	"sitesync/internal/document"
)

// Answer is what came back for a URL.
type Answer struct {
	URL         string // canonical
	Conditional bool   // validators were sent
	Status      int
	Header      http.Header
	Media       string                  // this and File by document.MediaOf
	File        bool                    // a file that makes a document
	Body        []byte                  // whole and decoded; nil when it was not wanted
	Take        func(bytes int64) error // asks for the memory that reading it takes; nil: nobody counts it
	Fault       string                  // why there is no whole answer; empty when there is one
	Note        string                  // follows the status in the reason
}

// Parse returns the tree of the page that is the body. It errs as page.Parse does.
func (a *Answer) Parse() (*html.Node, document.Charset, error) {
	_, parameters := document.ContentType(a.Header)
	return page.Parse(a.Body, a.Media+";"+parameters, a.Take)
}
