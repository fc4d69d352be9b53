package office

import (
	"encoding/xml"
	"strconv"
)

// item is a slide or a sheet.
type item struct{ part, name string }

// list reads the slides of a presentation or the sheets of a workbook, in their
// order; a part that is named twice counts once.
type list struct {
	quiet
	parts map[string]string // by the IDs of relations
	items []item
}

func (l *list) start(_ *walk, e *xml.StartElement) error {
	family, local := familyOf(e.Name.Space), e.Name.Local
	if (family != slideNames || local != "sldId") && (family != sheetNames || local != "sheet") {
		return nil
	}
	id, state := attr(e, relNames, "id"), attr(e, otherNames, "state")
	if part := l.parts[id]; part != "" && (state == "" || state == "visible") {
		delete(l.parts, id)
		l.items = append(l.items, item{part, attr(e, otherNames, "name")})
	}
	return nil
}

// listed returns the items of the main part, and its relations.
func (p *pack) listed(main string) ([]item, relations, error) {
	rels, err := p.relations(main)
	if err != nil {
		return nil, nil, err
	}
	parts := make(map[string]string, len(rels))
	for _, r := range rels {
		parts[r.id] = r.target
	}
	l := list{parts: parts}
	err = p.walk(main, &l)
	return l.items, rels, err
}

func (p *pack) readSlides(main string) error {
	slides, _, err := p.listed(main)
	if err != nil {
		return err
	}
	for _, slide := range slides {
		if _, err := p.chapter(slide.part, &story{out: &p.out}); err != nil {
			return err
		}
	}
	return nil
}

// readSheets gives each row of a workbook as a block, after its sheet's name.
// Numbers stand as they are stored, without their format.
func (p *pack) readSheets(main string) error {
	sheets, rels, err := p.listed(main)
	if err != nil {
		return err
	}
	var shared blocks
	if _, err := p.chapter(rels.first("sharedStrings"), &story{out: &shared, blank: true}); err != nil {
		return err
	}
	for _, sheet := range sheets {
		p.out.add(sheet.name)
		if _, err := p.chapter(sheet.part, &story{out: &p.out, cell: shared.cell}); err != nil {
			return err
		}
	}
	return nil
}

// cell returns what a cell of that kind says, where b are the shared strings
// (ISO/IEC 29500-1, 18.18.11); neither true and false nor errors say a word.
func (b *blocks) cell(kind, value string) string {
	switch kind {
	case "s":
		if i, err := strconv.Atoi(value); err == nil && i >= 0 && i < len(b.list) {
			return b.list[i]
		}
		return ""
	case "b", "e":
		return ""
	}
	return value
}
