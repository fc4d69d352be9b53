package office

import (
	"encoding/xml"
	"strings"
	"time"

	"sitesync/internal/document"
)

// manifest errs where an OpenDocument file is encrypted, ISO/IEC 26300-3, 4.4.
type manifest struct{ quiet }

func (manifest) start(_ *walk, e *xml.StartElement) error {
	if familyOf(e.Name.Space) == openNames && e.Name.Local == "encryption-data" {
		return errPassword
	}
	return nil
}

// properties reads what a file says of itself as a whole: ISO/IEC 29500-2, 8, and
// ISO/IEC 26300-1, 4.3.
type properties struct {
	file  *document.File
	value []byte
}

func (p *properties) start(*walk, *xml.StartElement) error {
	p.value = p.value[:0]
	return nil
}

func (p *properties) text(_ *walk, b []byte) {
	p.value = append(p.value, b[:min(len(b), maxNode-len(p.value))]...)
}

func (p *properties) end(w *walk) {
	name := w.at(0).name
	value := strings.Join(strings.Fields(string(p.value)), " ")
	p.value = p.value[:0]
	switch family := familyOf(name.Space); {
	case value == "" || family != coreNames && family != openNames:
	case name.Local == "title":
		p.file.Title = value
	case name.Local == "initial-creator", name.Local == "creator" && p.file.Author == "":
		p.file.Author = value // OpenDocument's creator is who edited last
	case name.Local == "language":
		p.file.Language = value
	case name.Local == "created", name.Local == "creation-date":
		p.file.Created = moment(value)
	case name.Local == "modified", name.Local == "date":
		p.file.Modified = moment(value)
	}
}

// moment reads W3CDTF as office programs write it; a time without zone is UTC. It
// is zero where value is no time.
func moment(value string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", time.DateOnly} {
		if t, err := time.Parse(layout, value); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
