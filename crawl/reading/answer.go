package reading

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"golang.org/x/net/html"

	"sitesync/crawl/page"
	"sitesync/internal/document"
)

// Answer is the result of a request for a URL.
type Answer struct {
	URL         string // canonical URL
	Conditional bool   // the request had validators (If-None-Match, If-Modified-Since)
	Status      int
	Header      http.Header
	Media       string                  // media type of the body; Media and File come from document.MediaOf
	File        bool                    // the URL is a file that is indexed, such as a PDF
	Body        []byte                  // complete and decoded; nil if the body was not read
	Take        func(bytes int64) error // reserves memory for reading the body; nil: memory is not limited
	Fault       string                  // why the answer is incomplete; empty if it is complete
	Note        string                  // addition to the reason why the page is unread
}

// Parse returns the HTML tree of the body. It errs if a.Take errs, or if more than 512 elements nest.
func (a *Answer) Parse() (*html.Node, document.Charset, error) {
	_, parameters := document.ContentType(a.Header)
	return page.Parse(a.Body, a.Media+";"+parameters, a.Take)
}

// Memory that readFile reserves for a file's text. The text is cut at 10 MB, and is seldom longer than the
// file. Memory holds up to four copies of the text.
const (
	perFileByte  = 4
	mostFileText = 40e6
)

// readFile puts a file's content into the page, and reads its links if r.ReadFile is set. If ReadFile errs,
// readFile drops the page's ETag and Last-Modified, so that the next run reads the file again.
func (r *Reader) readFile(p document.Page, a *Answer) (document.Page, page.Links) {
	if a.Take != nil {
		if err := a.Take(min(perFileByte*int64(len(a.Body)), mostFileText)); err != nil {
			return unread(p, err.Error())
		}
	}
	p.Seen, p.Body = document.Read, a.Body
	links := r.obeyHeader(&p)
	if r.ReadFile == nil {
		return p, links
	}
	file, err := r.ReadFile(&p)
	if err != nil {
		p.Hints, p.FileFault = document.Hints{}, err
		return p, links
	}
	p.File = file
	found := page.FileLinks(file.Links, p.URL, r.Canon)
	links.Found, links.Refused = found.Found, found.Refused
	return p, links
}

// LocalFile returns the page at url, but takes its body from the named file on this machine. It errs only if
// the file can't be read. A PDF or another indexed file type stays in the page's Body. Any other file is
// parsed as HTML; if that fails, the page's Seen is Unread. take reserves memory, as Answer.Take does.
func LocalFile(url, name string, take func(bytes int64) error) (*document.Page, error) {
	body, err := os.ReadFile(name) //nolint:gosec // the path comes from the command line
	if err != nil {
		return nil, fmt.Errorf("read the page's file: %w", err)
	}
	media := document.FileMedia(filepath.ToSlash(name))
	p := &document.Page{URL: url, Seen: document.Read, Status: http.StatusOK, Media: media}
	if p.Media != "" {
		p.Body = body
		return p, nil
	}
	p.Media = document.MediaHTML
	p.Root, p.Charset, err = page.Parse(body, "", take)
	if err != nil {
		p.Seen, p.Why = document.Unread, fmt.Sprintf("the HTML can't be parsed: %v", err)
	}
	return p, nil
}
