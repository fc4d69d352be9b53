package reading

import (
	"net/http"

	"golang.org/x/net/html"

	"sitesync/crawl/page"
	"sitesync/internal/document"
)

// Answer is the result of a request for a URL.
type Answer struct {
	URL         string // canonical
	Conditional bool   // the request had validators (If-None-Match, If-Modified-Since)
	Status      int
	Header      http.Header
	Media       string                  // media type; Media and File come from document.MediaOf
	File        bool                    // a file that makes a document
	Body        []byte                  // whole and decoded; nil when the body was not read
	Take        func(bytes int64) error // reserves memory for reading the body; nil: memory is not limited
	Fault       string                  // why the answer is not whole; empty when it is
	Note        string                  // text to add after the status when the page is unread
}

// Parse returns the HTML tree of the body. It errs as page.Parse does.
func (a *Answer) Parse() (*html.Node, document.Charset, error) {
	_, parameters := document.ContentType(a.Header)
	return page.Parse(a.Body, a.Media+";"+parameters, a.Take)
}
