package extract

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// ReadFile returns what is in the file that p is: p.File where it was read
// already, else what the reader of its kind finds. It errs with
// ErrMislabelled where the body does not begin as its media type says, with an
// *UnsupportedError where p is no file, and with the reader's error where the
// file is broken.
func (e *Extractor) ReadFile(p *document.Page) (*document.File, error) {
	if p.File != nil {
		return p.File, nil
	}
	k := kindOf(p)
	if k == kindNone || k == kindHTML {
		return nil, &UnsupportedError{Media: p.Media}
	}
	if !begins(p.Body, k) {
		return nil, ErrMislabelled
	}
	file, err := e.open(k, p.Body)
	if err != nil {
		return nil, err
	}
	return &file, nil
}

// readFile makes the Draft of a file of its text and metadata, and of what its
// link, its headers and its address say where it has none.
func (e *Extractor) readFile(p *document.Page, trace *[]Attempt) (document.Draft, error) {
	file, err := e.ReadFile(p)
	if err != nil {
		return document.Draft{}, err
	}
	d := document.Draft{Type: document.FileContent, Fields: make(map[string]string, 4), Blocks: fileBlocks(file.Blocks)}
	d.Titles = fileTitles(p, file, d.Blocks)
	if len(d.Blocks) == 0 {
		d.Warn = []string{WarnFileText}
		put(d.Fields, "Description", clip(clean(p.Link.Text), maxDescription))
	}
	put(d.Fields, "Language", firstOf(primary(file.Language), headerLanguage(p.Header)))
	put(d.Fields, "Date", e.fileDate(p, file))
	return d, e.rule(&d, &evidence{page: p, file: file, trace: trace})
}

// fileDate is the day the file was made, or else changed, by its own word; else
// that of the address, and the sitemap's lastmod last.
func (e *Extractor) fileDate(p *document.Page, file *document.File) string {
	loc := e.options.Location
	return firstOf(formatDay(file.Created.In(loc)), formatDay(file.Modified.In(loc)), dayInPath(p.URL), lastmodDay(p.Hints.Lastmod, loc))
}

// fileBlocks cleans the blocks of a file. What holds nothing then is left out.
func fileBlocks(texts []string) []document.Block {
	var blocks []document.Block
	for _, text := range texts {
		if text = clean(text); text != "" {
			blocks = append(blocks, document.Block{Hash: xxhash.Sum64String(text), Text: text})
		}
	}
	return blocks
}

// fileTitles returns the candidates for a file's title, best first. A file
// without text is named by its link before its metadata.
func fileTitles(p *document.Page, file *document.File, blocks []document.Block) []string {
	own := clip(clean(file.Title), maxTitle)
	if isUselessTitle(own, p.URL) {
		own = ""
	}
	link := clip(clean(p.Link.Text), maxTitle)
	ranked := []string{own, headingLike(blocks), link, nameOf(p.URL), clean(hostOf(p.URL))}
	if len(blocks) == 0 {
		ranked = []string{link, own, nameOf(p.URL), clean(hostOf(p.URL))}
	}
	var titles []string
	for _, t := range ranked {
		if t != "" && !slices.Contains(titles, t) {
			titles = append(titles, t)
		}
	}
	return titles
}
