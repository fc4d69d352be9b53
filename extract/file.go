package extract

import (
	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// ReadFile returns what is in a file: p.File, where it was read already.
func (e *Extractor) ReadFile(p *document.Page) (*document.File, error) {
	if p.File != nil {
		return p.File, nil
	}
	k := kindOf(p)
	if !begins(p.Body, k) {
		return nil, ErrMislabelled
	}
	file, err := e.open(k, p.Body)
	return &file, err
}

// readFile makes the Draft of a file of what is in it, its link, its headers and
// its address.
func (e *Extractor) readFile(p *document.Page, _ kind) (document.Draft, error) {
	file, err := e.ReadFile(p)
	if err != nil {
		return document.Draft{}, err
	}
	text := clean(p.Link.Text)
	d := document.Draft{
		Type:   document.FileContent,
		Fields: make(map[string]string, 4),
		Titles: []string{firstOf(clip(text, maxTitle), nameOf(p.URL), clean(hostOf(p.URL)))},
	}
	for _, block := range file.Blocks {
		if block = clean(block); block != "" {
			d.Blocks = append(d.Blocks, document.Block{Hash: xxhash.Sum64String(block), Text: block})
		}
	}
	if len(d.Blocks) == 0 {
		d.Warn = []string{WarnFileText}
	}
	put(d.Fields, "Description", clip(text, maxDescription))
	put(d.Fields, "Language", headerLanguage(p.Header))
	put(d.Fields, "Date", firstOf(dayInPath(p.URL), lastmodDay(p.Hints.Lastmod, e.options.Location)))
	err = e.rule(&d, &evidence{page: p, file: file})
	return d, err
}
