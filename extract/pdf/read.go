package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Bounds of one file. The text that was read before a bound was reached is used.
const (
	maxPages    = 5000
	maxText     = 4 << 20
	maxBlocks   = document.MaxBlocks
	maxLinks    = 5000
	maxLinkSize = 4096
	maxAnnots   = 2000
)

// locked maps error codes of FPDF_GetLastError to the reason why a document has no readable text.
var locked = map[uint64]string{4: "it asks for a password", 5: "it is encrypted in a way that is not known"}

var (
	errDamaged = errors.New("it is no PDF, or its structure is damaged")
	errCut     = errors.New("it is cut off: its end is missing")
	errPages   = errors.New("none of its pages can be read")
	errSlow    = errors.New("reading it takes too long")
)

type pdf struct {
	*library
	doc, form uint64 // handles of PDFium; form is 0 if the document has no form
	pages     [][]line
	values    []string // values of form fields, and texts that were written onto pages
	fields    int
	links     []string
	textSize  int
	cut       string // why the reading ended early, or ""
}

// readFile reads the file at an address in PDFium's memory. It errs if the file can't be read before the
// deadline, or at all. The caller must also check l.err.
func (l *library) readFile(at uint64, size int, deadline time.Time) (document.File, error) {
	doc := l.call("FPDF_LoadMemDocument", at, uint64(size), 0)
	if doc == 0 {
		if why := locked[l.call("FPDF_GetLastError")]; why != "" {
			return document.File{NoText: why}, nil
		}
		return document.File{}, errDamaged
	}
	defer l.call("FPDF_CloseDocument", doc)
	// a file with a valid cross-reference table is complete
	if l.call("FPDF_DocumentHasValidCrossReferenceTable", doc) == 0 {
		body := bytes.TrimRight(l.view(at, size), "\x00\r\n ")
		if !bytes.Contains(body[max(0, len(body)-2048):], []byte("%%EOF")) {
			return document.File{}, errCut
		}
	}
	p := &pdf{library: l, doc: doc}
	if p.call("FPDF_GetFormType", doc) != 0 { // fields have no values until the form is opened
		info := p.call("PDFiumExt_OpenFormFillInfo")
		p.form = p.call("PDFiumExt_InitFormFillEnvironment", doc, info)
		defer func() {
			p.call("PDFiumExt_ExitFormFillEnvironment", p.form)
			p.call("PDFiumExt_CloseFormFillInfo", info)
		}()
	}
	switch read := p.readPages(deadline); {
	case p.err == nil && !time.Now().Before(deadline): // an incomplete text would look like a changed file
		return document.File{}, errSlow
	case read == 0:
		return document.File{}, errPages
	}
	return p.file(), nil
}

func (p *pdf) readPages(deadline time.Time) (read int) {
	count := p.number("FPDF_GetPageCount", p.doc)
	for i := 0; i < count && p.err == nil && time.Now().Before(deadline); i++ {
		switch {
		case i == maxPages:
			p.cut = fmt.Sprintf("it has more than %d,000 pages", maxPages/1000)
			return read
		case p.textSize >= maxText:
			p.cut = document.BeyondText
			return read
		}
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

func (p *pdf) file() document.File {
	f := document.File{
		Title:    p.entry("FPDF_GetMetaText", p.doc, "Title"),
		Author:   p.entry("FPDF_GetMetaText", p.doc, "Author"),
		Language: p.text("FPDFCatalog_GetLanguage", p.doc),
		Created:  date(p.entry("FPDF_GetMetaText", p.doc, "CreationDate")),
		Modified: date(p.entry("FPDF_GetMetaText", p.doc, "ModDate")),
		Links:    p.links,
	}
	f.Blocks = append(paragraphs(p.pages), p.values...)
	f.Cut = p.cut
	if len(f.Blocks) > maxBlocks {
		f.Blocks, f.Cut = f.Blocks[:maxBlocks], document.BeyondBlocks
	}
	if len(f.Blocks) == 0 {
		f.NoText = "it holds no text: it is empty, or pictures alone"
	}
	if why := p.standsFor(strings.Join(f.Blocks, " ")); why != "" {
		f.Blocks, f.NoText = nil, why
	}
	return f
}

// standsFor returns the reason why a file has no text of its own: its only page asks the reader to open the
// file in Adobe's programs. For other files, standsFor returns "".
func (p *pdf) standsFor(text string) string {
	const maxBytes = 1500
	if len(p.pages) != 1 || p.fields > 0 || len(text) > maxBytes {
		return ""
	}
	switch kind := p.number("FPDF_GetFormType", p.doc); {
	case kind == formXFA || kind == formXFAToo:
		return "it is an XFA form, which only Adobe's programs show"
	case strings.Contains(text, "Adobe") && p.number("FPDFDoc_GetAttachmentCount", p.doc) > 0:
		return "it is a portfolio: its text is in the files that are attached"
	}
	return ""
}

func (p *pdf) readLinks(page uint64) {
	const cell = 4
	at := p.alloc(2 * cell) // two numbers: the index of the next link, and the handle of a link
	defer p.free(at)
	copy(p.view(at, 2*cell), make([]byte, 2*cell))
	for len(p.links) < maxLinks && p.number("FPDFLink_Enumerate", page, at, at+cell) != 0 {
		link, _ := p.m.Memory().ReadUint32Le(uint32(at + cell))
		action := p.call("FPDFLink_GetAction", uint64(link))
		if action == 0 {
			continue
		}
		uri := p.value("FPDFAction_GetURIPath", p.doc, action)
		address := strings.TrimSpace(weburl.EscapeBytes(strings.TrimRight(string(uri), "\x00")))
		if address != "" && len(address) <= maxLinkSize && !slices.Contains(p.links, address) {
			p.links = append(p.links, address)
		}
	}
}

// Kinds and flags of annotations and form fields (ISO 32000-1, 12.5 and 12.7; fpdf_annot.h, fpdf_formfill.h).
const (
	annotText    = 3 // text that was written onto the page
	annotWidget  = 20
	annotHidden  = 1<<1 | 1<<5 // flags: hidden, or not to be viewed
	formXFA      = 2           // an XFA form without pages of its own
	formXFAToo   = 3           // an XFA form beside ordinary pages
	fieldCombo   = 4
	fieldList    = 5
	fieldText    = 6
	flagPassword = 1 << 13
)

// readAnnots adds the values of form fields and text written onto the page, but no comments of editors.
func (p *pdf) readAnnots(page uint64) {
	count := min(p.number("FPDFPage_GetAnnotCount", page), maxAnnots)
	for i := 0; i < count && p.textSize < maxText; i++ {
		annot := p.call("FPDFPage_GetAnnot", page, uint64(i))
		if annot == 0 {
			continue
		}
		if p.number("FPDFAnnot_GetFlags", annot)&annotHidden == 0 {
			switch p.number("FPDFAnnot_GetSubtype", annot) {
			case annotText:
				p.addText(p.entry("FPDFAnnot_GetStringValue", annot, "Contents"))
			case annotWidget:
				p.fields++
				p.addText(p.fieldValue(annot))
			}
		}
		p.call("FPDFPage_CloseAnnot", annot)
	}
}

// fieldValue returns the text typed or chosen in a form field, or "" for buttons and passwords.
func (p *pdf) fieldValue(annot uint64) string {
	if p.form == 0 {
		return ""
	}
	kind := p.number("FPDFAnnot_GetFormFieldType", p.form, annot)
	isSecret := kind == fieldText && p.number("FPDFAnnot_GetFormFieldFlags", p.form, annot)&flagPassword != 0
	if isSecret || kind != fieldText && kind != fieldCombo && kind != fieldList {
		return ""
	}
	return p.text("FPDFAnnot_GetFormFieldValue", p.form, annot)
}

// addText adds a text that is not part of a page's own text. Each of its lines becomes a block.
func (p *pdf) addText(text string) {
	p.textSize += len(text)
	for s := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if s = strings.TrimSpace(s); s != "" {
			p.values = append(p.values, s)
		}
	}
}

// date returns the time of a PDF date (ISO 32000-1, section 7.9.4), such as D:20260131235900+01'00', or zero.
// The parts after the day may be missing. Some programs leave out "D:".
func date(s string) time.Time {
	s = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(s), "'", ""), "D:")
	for _, layout := range [...]string{"20060102150405-0700", "20060102150405-07", "20060102150405", "20060102"} {
		if at, err := time.Parse(layout, s[:min(len(s), len(layout))]); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
