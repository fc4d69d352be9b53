package extract

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"sitesync/extract/content"
	"sitesync/extract/field"
	"sitesync/extract/profile"
	"sitesync/extract/rule"
	"sitesync/internal/document"
)

// Revision is the revision of the extractor, part of every rule fingerprint. It
// is raised by hand whenever the same page gives another Draft or Document; the
// golden corpus fails until it is.
const Revision = 6

// What the owner's rules are made of, and what a source gave for a field.
type (
	Field   = rule.Field
	Where   = rule.Where
	Attempt = field.Attempt
)

// Options are the owner's rules, the [extract] table of the configuration.
type Options struct {
	Content     string         // CSS selector of the main content; empty: found
	Exclude     []string       // CSS selectors of what is removed before anything is read
	Description string         // "meta" (also when empty) or "content": the main text as Description
	Location    *time.Location // zone in which Date names a day; nil: UTC
	Between     []string       // pairs of comments' words, such as "cludooff cludoon": what stands between is left out
	Multi       string         // several values of a field: "first" (also when empty), or "join:" and a separator
	Sections    []Section      // the first that matches replaces Content and adds to Exclude
	Fields      []Field
	PDF         FileReader // of PDF files
}

// Section is the owner's word on where the main content of a part of the site is.
type Section struct {
	Where   Where
	Content string   // CSS selector; empty: that of Options
	Exclude []string // CSS selectors, beside those of Options
}

// FileReader reads files of one format. It errs where the bytes are no such file;
// a file that can be read and has no text says why in File.NoText.
type FileReader interface {
	Read(body []byte) (document.File, error)
	Close() error
}

// Extractor reads pages by one set of rules. It is safe for concurrent use.
type Extractor struct {
	options  Options
	sections []section // the first that matches a URL holds; the last matches all
	fields   []rule.Compiled
	reader   *content.Reader
	base     uint64 // fingerprint of what holds for all pages
}

type section struct {
	where       Where
	selectors   content.Selectors
	fingerprint uint64 // of the rule; zero where there is none
}

// New compiles every selector once and returns an Extractor. It errs at the first selector or
// rule that can't be read, and names its key.
func New(o Options) (*Extractor, error) {
	if o.Location == nil {
		o.Location = time.UTC
	}
	e := &Extractor{options: o, reader: content.NewReader(o.Between)}
	e.base = xxhash.Sum64String(fmt.Sprintf("%d %s", Revision, e.baseText()))
	all, err := content.Selectors{}.With("extract", o.Content, o.Exclude)
	if err != nil {
		return nil, err
	}
	for i, s := range o.Sections {
		selectors, err := all.With(fmt.Sprintf("extract.section[%d]", i), s.Content, s.Exclude)
		if err != nil {
			return nil, err
		}
		e.sections = append(e.sections, section{s.Where, selectors, xxhash.Sum64String(fmt.Sprintf("section %q %q", s.Content, s.Exclude))})
	}
	e.sections = append(e.sections, section{selectors: all})
	e.fields, err = rule.Compile(o.Fields, o.Multi)
	return e, err
}

// Close ends what reading files began. The Extractor is of no use afterwards.
func (e *Extractor) Close() error { return e.options.PDF.Close() }

func (e *Extractor) sectionOf(url string) *section {
	i := 0
	for !e.sections[i].where.Applies(url) {
		i++
	}
	return &e.sections[i]
}

// baseText is every option that holds for all pages.
func (e *Extractor) baseText() string {
	o := &e.options
	return fmt.Sprintf("%q %q %q %t %q", o.Content, o.Exclude, o.Between, o.Description == "content", o.Location)
}

func mix(sum, next uint64) uint64 { return sum*0x9E3779B97F4A7C15 + next }

// Fingerprint returns the rule fingerprint of a URL: the extractor's revision
// and the rules that apply to the URL.
func (e *Extractor) Fingerprint(url string) uint64 {
	sum := mix(e.base, e.sectionOf(url).fingerprint)
	for i := range e.fields {
		if r := &e.fields[i]; r.Where.Applies(url) {
			sum = mix(sum, r.Fingerprint)
		}
	}
	return sum
}

// Rules returns the fingerprint of all that makes the document of a URL: Fingerprint,
// and what the profile knows of its sections.
func (e *Extractor) Rules(url string, known document.Profile) uint64 {
	site, _ := profile.Of(url, known)
	sum := e.Fingerprint(url)
	for i := range site {
		if !site[i].Empty() {
			sum = (sum ^ site[i].Version) * 0x9e3779b97f4a7c15
		}
	}
	return sum
}

// Parts returns what every fingerprint is made of beside the profile, by the names of
// the configuration: so that a change can be told in its words.
func (e *Extractor) Parts() document.Rules {
	parts := document.Rules{
		document.RulesExtractor: Revision,
		"[extract]":             xxhash.Sum64String(e.baseText()),
	}
	add := func(name, key string) { parts[name] = mix(parts[name], xxhash.Sum64String(key)) }
	for i, s := range e.options.Sections {
		add(fmt.Sprintf("[[extract.section]] where %q", s.Where.Patterns), fmt.Sprint(e.sections[i].fingerprint))
	}
	for i, f := range e.options.Fields {
		add("[[extract.field]] "+f.Name, fmt.Sprintf("%d %q", e.fields[i].Fingerprint, f.Where.Patterns))
	}
	return parts
}

// Finish makes the Document of a Draft: the draft's own fields, and those that
// its titles and blocks give (Title, Content, and Description where the page
// names none or Options.Description asks for the main text). What the owner's
// rules gave wins over all of these. Of a page, not of a file, it takes out what the
// profile knows to be the site's: text blocks, what the site adds to its titles, the
// description of pages that have none. id becomes the document's ID and Url. The draft
// is left as it is.
func (e *Extractor) Finish(d document.Draft, id string, known document.Profile) document.Document {
	f := e.finished(d, id, known)
	fields := make(map[string]string, len(d.Fields)+4)
	maps.Copy(fields, d.Fields)
	fields["Url"], fields["Title"], fields["Content"], fields["Description"] = id, f.title, f.content, f.description
	maps.DeleteFunc(fields, func(_, value string) bool { return value == "" })
	maps.Copy(fields, d.Ruled)
	return document.Document{ID: id, Fields: fields, Type: d.Type}
}

// finished is what the content and the site make of a draft.
type finished struct {
	site                        profile.Sections
	title, content, description string
	whole                       bool   // the description is the content
	spare                       bool   // the page names no description of its own
	lead                        string // what the content gives for one
}

func (e *Extractor) finished(d document.Draft, url string, known document.Profile) (f finished) {
	if d.Type == document.PageContent {
		f.site, _ = profile.Of(url, known)
	}
	blocks := f.site.Own(d.Blocks)
	f.title, f.content, f.description = f.site.Title(d.Titles), contentOf(blocks), d.Fields["Description"]
	f.whole = e.options.Description == "content" && f.content != ""
	f.spare = f.description == "" || f.site.IsDefault(f.description)
	f.lead = field.Lead(blocks, f.title)
	switch {
	case f.whole:
		f.description = f.content
	case f.spare:
		f.description = f.lead
	}
	return f
}

// Explain reads a page as Read does and returns, with the Draft, what every source
// gave, those of the owner's rules first and each field's in the order in which they
// are asked. What won is what Finish takes with that profile. It errs as Read does, and
// returns what was tried before also then.
func (e *Extractor) Explain(p *document.Page, known document.Profile) (document.Draft, []field.Attempt, error) {
	const title, description = "Title", "Description"
	var trace []field.Attempt
	d, err := e.read(p, &trace)
	if err != nil {
		return d, trace, err
	}
	f := e.finished(d, p.URL, known)
	named := slices.IndexFunc(trace, func(a field.Attempt) bool {
		return a.Field == title && slices.Contains(d.Titles, a.Value) && f.site.Names(a.Value)
	})
	for i := range trace {
		switch a := &trace[i]; {
		case d.Ruled[a.Field] != "":
		case a.Field == title && named >= 0:
			a.Won = i == named
		case a.Field == description && (f.whole || f.spare):
			a.Won = false
		}
	}
	free := d.Ruled[description] == ""
	if f.whole {
		return d, append(trace, field.Attempt{Field: description, Source: "content", Value: f.content, Won: free}), nil
	}
	return d, append(trace, field.Attempt{Field: description, Source: "first sentence", Value: f.lead, Won: free && f.spare && f.lead != ""}), nil
}
