package field

import (
	"cmp"
	"net/url"
	"time"

	"sitesync/extract/markup"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Bounds of fields, in bytes.
const (
	maxTitle       = 500
	maxDescription = 2000
	maxCategory    = 200
)

// Attempt is what one source gave for one field.
type Attempt struct {
	Field  string `json:"field"`
	Source string `json:"source"` // in the syntax of field rules where there is one
	Value  string `json:"value"`  // empty: nothing; of a source that lost for its form, what it gave
	Won    bool   `json:"won"`
}

// Evidence is what sources look at: one HTML page after its walk, or one file.
type Evidence struct {
	Page   *document.Page
	Found  *markup.Found  // nil for a file
	File   *document.File // nil for HTML
	Blocks []document.Block
	Zone   *time.Location
	Now    time.Time  // no page was published after it; zero: not asked
	Trace  *[]Attempt // nil: only what wins is of interest

	linked linked
	titles []string
	site   []string // names of the site, squeezed; once asked for
	labels []string // of its host
	lang   string
	base   *url.URL // see absolute
}

// source is one place that a field's value can come from, under the name that
// explain shows.
type source struct {
	name string
	get  func(*Evidence) string
}

// defaultField is a field that needs no rule: its sources, best first, and the
// form that a value must have; a source whose value can't be brought into it is
// passed over.
type defaultField struct {
	name    string
	sources []source
	form    func(v *Evidence, value string) string // empty: none can be made of it
}

// Defaults returns the fields of a page or file that its own sources give, the
// candidates for its title, best first, and Draft.Misread.
func (v *Evidence) Defaults() (fields map[string]string, titles []string, misread string) {
	fields = make(map[string]string, 8)
	put := func(d *defaultField) (won string) { // by the first source that gives something; the others are asked only for the trace
		for i := range d.sources {
			given := d.sources[i].get(v)
			value := d.form(v, given)
			v.note(Attempt{d.name, d.sources[i].name, cmp.Or(value, given), won == "" && value != ""})
			won = cmp.Or(won, value)
			if won != "" && v.Trace == nil {
				break
			}
		}
		if won != "" {
			fields[d.name] = won
		}
		return won
	}
	if v.File != nil {
		titles = v.fileTitles()
		put(&fileDescription)
		put(&fileLanguage)
		put(&fileDate)
		return fields, titles, ""
	}
	isStart := weburl.Path(v.Page.URL) == "/"
	v.linked = readLinked(v.Found.Linked)
	v.titles = v.candidates(nil, titleSources, len(titleSources))
	most := 3
	if isStart || len(v.titles) > 1 {
		most = 1
	}
	v.titles = v.candidates(v.titles, spareTitles, most)
	v.titles = v.candidates(v.titles, []source{hostName}, 1)
	v.lang = put(&languageField)
	put(&descriptionField)
	if !isStart { // a start page was never published
		put(&dateField)
	}
	put(&categoryField)
	return fields, v.titles, v.misread()
}

func (v *Evidence) note(a Attempt) {
	if v.Trace != nil {
		*v.Trace = append(*v.Trace, a)
	}
}

func metas(names ...string) []source {
	sources := make([]source, len(names))
	for i, name := range names {
		sources[i] = source{"meta:" + name, func(v *Evidence) string { return v.Found.Meta(name) }}
	}
	return sources
}

func og(property string) source {
	return source{"og:" + property, func(v *Evidence) string { return v.Found.Meta("og:" + property) }}
}

// clipped is the form of a field of so many bytes at most.
func clipped(size int) func(*Evidence, string) string {
	return func(_ *Evidence, value string) string { return markup.Clip(value, size) }
}
