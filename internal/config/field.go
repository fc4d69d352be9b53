package config

import (
	"slices"
	"strings"
)

// fields judges what takes more than one key of [[extract.field]].
func (d *decoder) fields() {
	spelled := map[string]int{} // of each name in lower case, the first rule
	for i, f := range d.Extract.Fields {
		name := element("extract.field", i)
		d.missing(f.Name == "", name+".name", `name the field, such as "Category"`)
		d.missing(len(f.From) == 0, name+".from", `name the sources of its value, such as ["css:h1", "meta:title"]`)
		d.vocabulary(name, &f)
		first, ok := spelled[strings.ToLower(f.Name)]
		if !ok {
			spelled[strings.ToLower(f.Name)] = i
		} else if d.Extract.Fields[first].Name != f.Name {
			d.fault(d.lines[name+".name"], name+".name", "must be written as on line %d: field names differ by upper and lower case", d.lines[element("extract.field", first)+".name"])
		}
	}
}

// vocabulary holds the table of a rule and its transform against each other.
func (d *decoder) vocabulary(name string, f *Field) {
	uses := slices.Contains(f.Transform, "map")
	d.missing(uses && len(f.Map) == 0, name+".map", `the transform "map" needs it, such as { "nyheder" = "News" }`)
	if !uses && len(f.Map) > 0 && !d.unread[name+".transform"] {
		d.fault(lineOf(d.lines, name+".map"), name+".map", `does nothing: add "map" to the transforms of this rule`)
	}
}
