package reading

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"sitesync/crawl/page"
	"sitesync/internal/document"
)

// LocalFile returns a file of this machine as if it were the answer for url: by its
// name's extension a document that is no page, else HTML, decoded and parsed as a
// crawl does. take is as in Answer. What can't be parsed is unread and says why; it errs when the file
// can't be read.
func LocalFile(url, name string, take func(bytes int64) error) (*document.Page, error) {
	body, err := os.ReadFile(name) //nolint:gosec // the owner names it
	if err != nil {
		return nil, fmt.Errorf("read the page's file: %w", err)
	}
	p := &document.Page{URL: url, Seen: document.Read, Status: http.StatusOK, Media: document.FileMedia(filepath.ToSlash(name))}
	if p.Media != "" {
		p.Body = body
		return p, nil
	}
	p.Media = page.MediaHTML
	p.Root, err = page.Parse(body, "", take)
	if err != nil {
		p.Seen, p.Why = document.Unread, fmt.Sprintf("the HTML can't be parsed: %v", err)
	}
	return p, nil
}
