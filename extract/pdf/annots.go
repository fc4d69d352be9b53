package pdf

import (
	"strings"
	"time"
)

// Kinds and flags of annotations and form fields (ISO 32000-1, sections 12.5 and
// 12.7; fpdf_annot.h and fpdf_formfill.h).
const (
	annotLink    = 2
	annotPopup   = 16
	annotWidget  = 20
	annotHidden  = 1<<1 | 1<<5 // hidden, or not to be viewed
	fieldCombo   = 4
	fieldList    = 5
	fieldText    = 6
	flagPassword = 1 << 13
)

// readAnnots adds the values of the page's form fields and the contents of its
// notes.
func (p *pdf) readAnnots(page uint64) {
	count := min(p.number("FPDFPage_GetAnnotCount", page), maxAnnots)
	for i := 0; i < count && p.size < maxText; i++ {
		annot := p.call("FPDFPage_GetAnnot", page, uint64(i))
		if annot == 0 {
			continue
		}
		if p.number("FPDFAnnot_GetFlags", annot)&annotHidden == 0 {
			p.add(p.annotText(annot))
		}
		p.call("FPDFPage_CloseAnnot", annot)
	}
}

func (p *pdf) annotText(annot uint64) string {
	switch p.number("FPDFAnnot_GetSubtype", annot) {
	case annotLink, annotPopup:
		return ""
	case annotWidget:
		return p.fieldValue(annot)
	}
	return p.entry("FPDFAnnot_GetStringValue", annot, "Contents")
}

// fieldValue is what was typed or chosen; a button says nothing, and a password
// stays one.
func (p *pdf) fieldValue(annot uint64) string {
	if p.form == 0 {
		return ""
	}
	switch p.number("FPDFAnnot_GetFormFieldType", p.form, annot) {
	case fieldText:
		if p.number("FPDFAnnot_GetFormFieldFlags", p.form, annot)&flagPassword != 0 {
			return ""
		}
	case fieldCombo, fieldList:
	default:
		return ""
	}
	return p.text("FPDFAnnot_GetFormFieldValue", p.form, annot)
}

// add adds a text that stands outside of the page's own, each of its lines a block.
func (p *pdf) add(text string) {
	p.size += len(text)
	for s := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if s = strings.TrimSpace(plain(s)); s != "" {
			p.values = append(p.values, s)
		}
	}
}

// date reads a date of ISO 32000-1, section 7.9.4: D:YYYYMMDDHHmmSSOHH'mm', of
// which all but the year may be missing; some programs leave out "D:". It returns
// the zero time where there is none.
func date(s string) time.Time {
	s = strings.TrimPrefix(strings.TrimSpace(s), "D:")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	digits = min(digits, len("20060102150405"))
	if digits < 4 {
		return time.Time{}
	}
	digits -= digits % 2
	at, err := time.ParseInLocation("20060102150405"[:digits], s[:digits], zone(s[digits:]))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// zone reads +HH'mm', +HH or their likes behind a minus; anything else is UTC.
func zone(s string) *time.Location {
	s = strings.ReplaceAll(s, "'", "")
	for _, layout := range [...]string{"-0700", "-07"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.Location()
		}
	}
	return time.UTC
}
