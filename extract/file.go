package extract

import (
	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// ReadFile returns what is in the file that p is: p.File or p.FileFault where it
// was read already, else what the reader of its kind finds. It errs with
// ErrMislabelled where the body does not begin as its media type says, with an
// *UnsupportedError where p is no file, and with the reader's error where the
// file is broken.
func (e *Extractor) ReadFile(p *document.Page) (*document.File, error) {
	if p.File != nil || p.FileFault != nil {
		return p.File, p.FileFault
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
	v := &view{Extractor: e, page: p, file: file, blocks: d.Blocks, trace: trace}
	d.Titles = v.fileTitles()
	if len(d.Blocks) == 0 {
		d.Warn, d.NoText = []string{WarnFileText}, file.NoText
	}
	for _, field := range [...]*defaultField{&fileDescription, &fileLanguage, &fileDate} {
		put(d.Fields, field.name, field.value(v))
	}
	return d, e.rule(&d, &evidence{page: p, file: file, trace: trace})
}

// The sources of a file's fields. Its date is the day it was made, or else changed,
// by its own word. Of one without text the link is the description.
var (
	fileDate = defaultField{"Date", []source{
		{"meta:created", func(v *view) string { return formatDay(v.file.Created.In(v.zone())) }},
		{"meta:modified", func(v *view) string { return formatDay(v.file.Modified.In(v.zone())) }},
		{"path", func(v *view) string { return dayInPath(v.page.URL) }},
		{"sitemap lastmod", func(v *view) string { return lastmodDay(v.page.Hints.Lastmod, v.zone()) }},
	}, clipped(len(dayLayout))}
	fileLanguage = defaultField{"Language", []source{
		{"meta:language", func(v *view) string { return v.file.Language }},
		{"header:Content-Language", func(v *view) string { return v.page.Header.Get("Content-Language") }},
	}, func(_ *view, tag string) string { return primary(tag) }}
	fileDescription = defaultField{"Description", []source{{"link-text", func(v *view) string {
		if len(v.blocks) > 0 {
			return ""
		}
		return clean(v.page.Link.Text)
	}}}, clipped(maxDescription)}
)

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
func (v *view) fileTitles() []string {
	own := source{"meta:title", func(v *view) string {
		if title := clean(v.file.Title); !isUselessTitle(clip(title, maxTitle), v.page.URL) {
			return title
		}
		return ""
	}}
	first := source{"first line", func(v *view) string { return headingLike(v.blocks) }}
	link := source{"link-text", func(v *view) string { return clean(v.page.Link.Text) }}
	sources := []source{own, first, link}
	if len(v.blocks) == 0 {
		sources = []source{link, own}
	}
	sources = append(sources, addressTitles...)
	return v.candidates(nil, sources, len(sources))
}
