package office

import (
	"encoding/xml"
	"path"
	"strings"
)

// relation is what a part says of another, ISO/IEC 29500-2, 6.5.
type relation struct{ id, kind, target string }

type relations []relation

// first returns the part that is in a relation of that kind; empty: none.
func (r relations) first(kind string) string {
	for _, one := range r {
		if one.kind == kind {
			return one.target
		}
	}
	return ""
}

// relations reads those of a part, of the package where part is empty. Other
// addresses than parts are kept as the file's links.
func (p *pack) relations(part string) (relations, error) {
	dir, name := path.Split(part)
	r := &relationReader{pack: p, dir: dir}
	err := p.walkAny(dir+"_rels/"+name+".rels", r)
	return r.found, err
}

type relationReader struct {
	quiet
	pack  *pack
	dir   string
	found relations
}

func (r *relationReader) start(_ *walk, e *xml.StartElement) error {
	if e.Name.Local != "Relationship" {
		return nil
	}
	kind := attr(e, otherNames, "Type")
	kind = kind[strings.LastIndexByte(kind, '/')+1:] // transitional and strict types end alike
	target := attr(e, otherNames, "Target")
	if attr(e, otherNames, "TargetMode") == "External" {
		if kind == "hyperlink" {
			r.pack.link(target)
		}
		return nil
	}
	switch kind {
	case "officeDocument", "core-properties", "footnotes", "endnotes", "slide", "worksheet", "sharedStrings":
		if !strings.HasPrefix(target, "/") {
			target = path.Join(r.dir, target)
		}
		r.found = append(r.found, relation{attr(e, otherNames, "Id"), kind, partName(target)})
	}
	return nil
}

// root returns the name of a part's outermost element.
func (p *pack) root(part string) (xml.Name, error) {
	var r rootReader
	if err := p.walk(part, &r); err != nil && r.name.Local == "" {
		return r.name, err
	}
	return r.name, nil
}

type rootReader struct {
	quiet
	name xml.Name
}

func (r *rootReader) start(_ *walk, e *xml.StartElement) error {
	r.name = e.Name
	return errFull
}
