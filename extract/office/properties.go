package office

import (
	"encoding/xml"
	"strings"
	"time"
)

// readProperties reads a part in which a file describes itself as a whole: ISO/IEC
// 29500-2, 8, and ISO/IEC 26300-1, 4.3.
func (p *pack) readProperties(part string) error {
	var held []byte // by the innermost element
	return p.walk(part, handler{
		start: func(*walk, *xml.StartElement) error {
			held = held[:0]
			return nil
		},
		text: func(_ *walk, b []byte) { held = append(held, b[:min(len(b), maxNode-len(held))]...) },
		end: func(w *walk) {
			name, value := w.at(0).name, strings.Join(strings.Fields(string(held)), " ")
			held = held[:0]
			switch family := families[name.Space]; {
			case value == "" || family != "core" && family != "open":
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
		},
	})
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
