package pdf

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"sitesync/internal/document"
)

// Bounds of what is read of one file. What was read so far is delivered.
const (
	maxPages  = 5000
	maxText   = 10 << 20 // bytes
	maxBlocks = 100_000
	maxLinks  = 5000
	maxLink   = 4096 // bytes
	maxAnnots = 2000 // of a page
)

// Errors of FPDF_GetLastError.
const (
	errorPassword = 4
	errorSecurity = 5
)

// What can't be read, and why.
var (
	errDamaged = errors.New("it is no PDF, or its structure is damaged")
	errCut     = errors.New("it is cut off: its end is missing")
	errPages   = errors.New("none of its pages can be read")
	errSlow    = errors.New("reading it takes too long")
)

// pdf is one open document.
type pdf struct {
	*library
	doc, form uint64 // form is 0 where there is none
	pages     [][]line
	values    []string // of form fields, and notes
	links     []string
	size      int // bytes of text so far
}

// read reads the file of size bytes at an address. It errs where there is nothing
// to be read; after a trap, l.err says what happened.
func (l *library) read(at uint64, size int, deadline time.Time) (document.File, error) {
	doc := l.call("FPDF_LoadMemDocument", at, uint64(size), 0)
	if doc == 0 {
		return refused(l.call("FPDF_GetLastError"))
	}
	defer l.call("FPDF_CloseDocument", doc)
	if l.call("FPDF_DocumentHasValidCrossReferenceTable", doc) == 0 && isCut(l.view(at, size)) {
		return document.File{}, errCut
	}
	p := &pdf{library: l, doc: doc}
	defer p.openForm()()
	switch read := p.readPages(deadline); {
	case p.err == nil && !time.Now().Before(deadline): // a part, on a slow night, would look like another document
		return document.File{}, errSlow
	case read == 0:
		return document.File{}, errPages
	}
	return p.file(), nil
}

// refused says what a document that can't be opened is.
func refused(code uint64) (document.File, error) {
	switch code {
	case errorPassword:
		return document.File{NoText: "it asks for a password"}, nil
	case errorSecurity:
		return document.File{NoText: "it is encrypted in a way that is not known"}, nil
	}
	return document.File{}, errDamaged
}

// isCut reports whether the mark of the end is missing in the last 2 KB, but for
// what fills a file up. With a sound table of its objects it is whole all the same.
func isCut(body []byte) bool {
	body = bytes.TrimRight(body, "\x00\r\n ")
	return !bytes.Contains(body[max(0, len(body)-2048):], []byte("%%EOF"))
}

// openForm makes the values of form fields readable, and returns what ends that.
func (p *pdf) openForm() (end func()) {
	const none = 0
	if p.call("FPDF_GetFormType", p.doc) == none {
		return func() {}
	}
	info := p.call("PDFiumExt_OpenFormFillInfo")
	p.form = p.call("PDFiumExt_InitFormFillEnvironment", p.doc, info)
	return func() {
		p.call("PDFiumExt_ExitFormFillEnvironment", p.form)
		p.call("PDFiumExt_CloseFormFillInfo", info)
	}
}

// readPages reads page by page, within the bounds, and returns how many could be
// read.
func (p *pdf) readPages(deadline time.Time) (read int) {
	count := min(p.number("FPDF_GetPageCount", p.doc), maxPages)
	for i := 0; i < count && p.err == nil && p.size < maxText && time.Now().Before(deadline); i++ {
		page := p.call("FPDF_LoadPage", p.doc, uint64(i))
		if page == 0 {
			continue
		}
		read++
		p.pages = append(p.pages, p.lines(page))
		p.readAnnots(page)
		p.readLinks(page)
		p.call("FPDF_ClosePage", page)
	}
	return read
}

// file puts together what was read.
func (p *pdf) file() document.File {
	f := document.File{
		Title:    p.entry("FPDF_GetMetaText", p.doc, "Title"),
		Author:   p.entry("FPDF_GetMetaText", p.doc, "Author"),
		Language: p.text("FPDFCatalog_GetLanguage", p.doc),
		Created:  date(p.entry("FPDF_GetMetaText", p.doc, "CreationDate")),
		Modified: date(p.entry("FPDF_GetMetaText", p.doc, "ModDate")),
		Links:    p.links,
	}
	for _, lines := range withoutRepeated(p.pages) {
		f.Blocks = append(f.Blocks, paragraphs(lines)...)
	}
	f.Blocks = append(f.Blocks, p.values...)
	f.Blocks = f.Blocks[:min(len(f.Blocks), maxBlocks)]
	if len(f.Blocks) == 0 {
		f.NoText = "it holds no text: it is empty, or pictures alone"
	}
	return f
}

// readLinks adds the addresses that the page's links lead to.
func (p *pdf) readLinks(page uint64) {
	const cell = 4
	at := p.alloc(2 * cell) // where the next link is looked for, and the link
	defer p.free(at)
	copy(p.view(at, 2*cell), make([]byte, 2*cell))
	for len(p.links) < maxLinks && p.number("FPDFLink_Enumerate", page, at, at+cell) != 0 {
		link, _ := p.m.Memory().ReadUint32Le(uint32(at + cell))
		action := p.call("FPDFLink_GetAction", uint64(link))
		if action == 0 {
			continue
		}
		uri := p.value("FPDFAction_GetURIPath", p.doc, action)
		address := strings.TrimSpace(strings.ToValidUTF8(strings.TrimRight(string(uri), "\x00"), ""))
		if address != "" && len(address) <= maxLink && !slices.Contains(p.links, address) {
			p.links = append(p.links, address)
		}
	}
}
