package extract

import (
	"time"

	"sitesync/internal/document"
)

// source is one place that a field's value can come from, under the name that
// explain shows.
type source struct {
	name string
	get  func(*view) string
}

// defaultField is a field that needs no rule: its sources, best first, and the
// form that a value must have; a source whose value can't be brought into it is
// passed over.
type defaultField struct {
	name    string
	sources []source
	form    func(v *view, value string) string // empty: none can be made of it
}

// view is what sources look at: one HTML page after its walk, or one file.
type view struct {
	*Extractor
	page    *document.Page
	file    *document.File // nil: all else is of a page of HTML
	walk    *walker
	found   *findings
	linked  linked
	content []span // blocks of the walk that are the page's content
	blocks  []document.Block
	heads   []heading // once asked for
	titles  []string
	lang    string
	trace   *[]Attempt // nil: only what wins is of interest
}

func (v *view) zone() *time.Location { return v.options.Location }

// value returns what the first source gives that gives something. The others are
// asked only for the trace.
func (d *defaultField) value(v *view) string {
	won := ""
	for i := range d.sources {
		given := d.sources[i].get(v)
		value := d.form(v, given)
		v.tell(d.name, d.sources[i].name, firstOf(value, given), won == "" && value != "")
		won = firstOf(won, value)
		if won != "" && v.trace == nil {
			break
		}
	}
	return won
}

func (v *view) tell(field, source, value string, won bool) {
	if v.trace != nil {
		*v.trace = append(*v.trace, Attempt{field, source, value, won})
	}
}

// metas returns a source for each of the names of meta elements.
func metas(names ...string) []source {
	sources := make([]source, len(names))
	for i, name := range names {
		sources[i] = source{"meta:" + name, func(v *view) string { return v.found.meta(name) }}
	}
	return sources
}

// og is the source of a property of the Open Graph protocol.
func og(property string) source {
	return source{"og:" + property, func(v *view) string { return v.found.meta("og:" + property) }}
}

// clipped is the form of a field of so many bytes at most.
func clipped(size int) func(*view, string) string {
	return func(_ *view, value string) string { return clip(value, size) }
}

// defaults fills in the fields of a page and returns the candidates for its title,
// best first, and what there is to warn of.
func (v *view) defaults(fields map[string]string) (titles, warn []string) {
	v.titles = v.allTitles()
	v.lang = languageField.value(v)
	put(fields, languageField.name, v.lang)
	for _, d := range [...]*defaultField{&descriptionField, &dateField, &categoryField} {
		put(fields, d.name, d.value(v))
	}
	return v.titles, v.misread()
}
