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

// Attempt is the result of trying one source for one field.
type Attempt struct {
	Field  string `json:"field"`
	Source string `json:"source"` // name of the source, as rules write it if they can use the source
	Value  string `json:"value"`  // in the field's form, or else as the source gave it; empty if it gave none
	Won    bool   `json:"won"`
}

// Evidence is the input of all sources: one HTML page as package content read it, or one file.
type Evidence struct {
	Page   *document.Page
	Found  *markup.Found  // nil for a file
	File   *document.File // nil for HTML
	Blocks []document.Block
	Zone   *time.Location
	Now    time.Time  // start of the crawl; unless Now is zero, a date more than a day later is ignored
	Trace  *[]Attempt // if not nil, all sources are tried, and each attempt is appended

	linked linked
	titles []string
	site   []string // names of the site, only letters and digits; set at the first use
	labels []string // labels of the host name, without www and the top-level domain
	lang   string
	base   *url.URL // base of the page's relative links; set at the first use
}

// source is one possible origin of a field's value. The command "explain" shows the name.
type source struct {
	name string
	get  func(*Evidence) string
}

// defaultField is a field that needs no configured rule. Its sources are tried in order.
type defaultField struct {
	name    string
	sources []source
	form    func(v *Evidence, value string) string // returns value in the form of the field, or ""
}

// Defaults returns the fields that the default sources give, and the candidates for the title, best first.
// misread is a warning if the text is not in the declared language, or "".
func (v *Evidence) Defaults() (fields map[string]string, titles []string, misread string) {
	fields = make(map[string]string, 8)
	put := func(d *defaultField) (won string) {
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
	if !isStart { // a start page has no date of publication
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

func clipped(size int) func(*Evidence, string) string {
	return func(_ *Evidence, value string) string { return markup.Clip(value, size) }
}
