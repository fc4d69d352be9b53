package extract

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"sitesync/extract/content"
	"sitesync/extract/field"
	"sitesync/extract/markup"
	"sitesync/extract/office"
	"sitesync/internal/document"
)

// Kinds of warning about a Draft (a document before the site's common text is removed).
const (
	WarnFileText   = "file-without-text" // the file has no text; only the link to the file describes it
	WarnEmptyShell = "empty-shell"       // without JavaScript, the page has no text
	WarnNoContent  = "no-content-match"  // the selector extract.content matches nothing on the page
)

// Read makes a Draft of one page. It neither changes p nor keeps references into p. HTML is read from p.Root,
// and a file from p.Body. Main text beyond document.MaxText bytes or document.MaxBlocks blocks is
// cut, with a warning.
//
// Read errs if the page can't be read by its media type, or if a required field has no value.
func (e *Extractor) Read(p *document.Page) (document.Draft, error) { return e.read(p, nil) }

func (e *Extractor) read(p *document.Page, trace *[]field.Attempt) (d document.Draft, err error) {
	defer func() {
		if err != nil {
			d, err = document.Draft{}, fmt.Errorf("extract %s: %w", p.URL, err)
		}
	}()
	defer document.Catch(func(fault error) { err = fault })
	v := &field.Evidence{Page: p, Zone: e.options.Location, Now: e.options.Now, Trace: trace}
	if document.IsHTML(p.Media) {
		err = e.readHTML(&d, v)
	} else {
		err = e.readFile(&d, v)
	}
	if err != nil {
		return d, err
	}
	d.Ruled, err = v.Apply(e.fields, e.options.Multi)
	if err != nil {
		return d, err
	}
	if ruled, ok := d.Ruled["Content"]; ok {
		d.Blocks = nil
		for line := range strings.SplitSeq(ruled, "\n") {
			if line != "" {
				d.Blocks = append(d.Blocks, document.BlockOf(line))
			}
		}
		ofText := []string{WarnEmptyShell, WarnNoContent, WarnFileText,
			content.LateNoscript, content.LateStreamed, content.LateHidden}
		d.Warn = slices.DeleteFunc(d.Warn, func(kind string) bool { return slices.Contains(ofText, kind) })
	}
	cut(&d, v.File)
	return d, nil
}

// cut limits the main text of d to document.MaxText bytes and document.MaxBlocks blocks. It warns if it cuts
// the text. It also warns if the text comes from a file that was not read to its end.
func cut(d *document.Draft, file *document.File) {
	_, ruled := d.Ruled["Content"]
	left, why := document.MaxText, ""
	if !ruled && file != nil {
		why = file.Cut
	}
	for i := range d.Blocks {
		text := d.Blocks[i].Text
		if i < document.MaxBlocks && len(text) <= left {
			left -= len(text) + 1
			continue
		}
		d.Blocks, why = d.Blocks[:i], document.BeyondText
		if i == document.MaxBlocks {
			why = document.BeyondBlocks
		}
		if rest := markup.Clip(text, max(0, left)); rest != "" && i < document.MaxBlocks {
			d.Blocks = append(d.Blocks, document.BlockOf(rest))
		}
		break
	}
	if ruled {
		d.Ruled["Content"] = contentOf(d.Blocks)
	}
	if why != "" {
		d.Warn, d.Why = append(d.Warn, document.WarnCut), why
	}
}

func (e *Extractor) readHTML(d *document.Draft, v *field.Evidence) error {
	if body := v.Page.Body; len(body) > 0 && !strings.HasPrefix(http.DetectContentType(body), "text/") {
		return content.ErrBinary
	}
	if v.Page.Root == nil {
		return content.ErrEmpty
	}
	page, err := e.reader.Read(v.Page.Root, &e.sectionOf(v.Page.URL).selectors)
	if doubt := v.Page.Charset.Doubt; errors.Is(err, content.ErrBinary) && doubt != "" {
		return errors.New(doubt)
	}
	if err != nil {
		return err
	}
	v.Found, v.Blocks = &page.Found, page.Blocks
	d.Type, d.Blocks = document.PageContent, page.Blocks
	d.Fields, d.Titles, d.Misread = v.Defaults()
	if d.Misread != "" {
		d.Warn = append(d.Warn, document.WarnLanguage)
	}
	switch {
	case len(d.Blocks) == 0 && page.Found.Scripts:
		d.Warn = append(d.Warn, WarnEmptyShell)
	case page.Unmatched:
		d.Warn = append(d.Warn, WarnNoContent)
	case page.Late != "":
		d.Warn = append(d.Warn, page.Late)
	}
	return nil
}

func (e *Extractor) readFile(d *document.Draft, v *field.Evidence) (err error) {
	v.File, err = e.ReadFile(v.Page)
	if err != nil {
		return err
	}
	for _, text := range v.File.Blocks {
		text = markup.Clean(text)
		if text != "" {
			v.Blocks = append(v.Blocks, document.BlockOf(text))
		}
	}
	d.Type, d.Blocks = document.FileContent, v.Blocks
	d.Fields, d.Titles, d.Misread = v.Defaults()
	if len(d.Blocks) == 0 {
		d.Warn, d.Why = []string{WarnFileText}, v.File.NoText
	}
	return nil
}

// ReadFile returns the content of the file p. If the file was read before, that is p.File and p.FileFault.
// ReadFile errs if p is not a file, if the file is broken, or if its first bytes do not match p.Media.
func (e *Extractor) ReadFile(p *document.Page) (*document.File, error) {
	if p.File != nil || p.FileFault != nil {
		return p.File, p.FileFault
	}
	read, begins := office.Read, bytes.HasPrefix(p.Body, []byte("PK\x03\x04")) || office.IsCompound(p.Body)
	switch {
	case !document.IsFile(p.Media):
		return nil, errors.New(document.WhyNoDocument(p.Media))
	case p.Media == document.MediaText:
		read, begins = office.ReadText, true
	// The PDF header may come anywhere in the first KiB; other PDF readers accept this too.
	case p.Media == document.MediaPDF:
		read, begins = e.options.PDF.Read, bytes.Contains(p.Body[:min(len(p.Body), 1024)], []byte("%PDF-"))
	}
	if !begins {
		return nil, errMislabelled
	}
	file, err := read(p.Body)
	if err != nil {
		return nil, err
	}
	return &file, nil
}

func contentOf(blocks []document.Block) string {
	texts := make([]string, len(blocks))
	for i, b := range blocks {
		texts[i] = b.Text
	}
	return strings.Join(texts, "\n")
}

// Sum returns a hash of the content: the main text of a page, or the bytes of a file. The zero hash means
// that there is no content to compare.
func (e *Extractor) Sum(p *document.Page, d document.Draft) document.Hash {
	switch isFile := d.Type == document.FileContent; {
	case isFile && len(p.Body) > 0:
		return document.HashOf(p.Body)
	case !isFile && len(d.Blocks) > 0:
		return document.HashOf(contentOf(d.Blocks))
	}
	return document.Hash{}
}

var errMislabelled = errors.New("the body does not begin as its media type says; correct its Content-Type")
