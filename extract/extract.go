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

// Revision is the version of the extractor, a part of each hash that Rules returns. Raise Revision when a
// page gives another Draft (a document before the site's common text is removed) or Document than before. If
// Revision was not raised, a test with golden files fails.
const Revision = 6

// With these aliases, callers need no import of packages rule and field.
type (
	Field   = rule.Field
	Where   = rule.Where
	Attempt = field.Attempt
)

// Options are the settings in the [extract] table of the configuration.
type Options struct {
	Content     string         // CSS selector of the main content; empty: detect the main content
	Exclude     []string       // CSS selectors of elements to ignore entirely
	Description string         // "meta" (also when empty): from the meta elements; "content": the main text
	Location    *time.Location // time zone of Date; nil: UTC
	// Now is the start of the run. Dates after the day that follows it are ignored. Zero: accept any date.
	Now time.Time
	// Between holds pairs of words such as "cludooff cludoon". Text between an HTML comment that begins with
	// the first word and a comment that begins with the second word is left out.
	Between  []string
	Multi    string    // if a field has several values: "first" (also when empty), or "join:" and a separator
	Sections []Section // settings for parts of the site; the first section whose Where matches a URL applies
	Fields   []Field
	PDF      FileReader
}

// Section holds the settings for a part of the site.
type Section struct {
	Where   Where
	Content string   // CSS selector; empty: Options.Content applies
	Exclude []string // CSS selectors, in addition to Options.Exclude
}

// FileReader reads files of one format. Read errs if the bytes are not a file of that format. If a readable
// file has no text, File.NoText says why.
type FileReader interface {
	Read(body []byte) (document.File, error)
	Close() error
}

// Extractor reads pages by one set of rules. It is safe for concurrent use.
type Extractor struct {
	options  Options
	sections []section // the first section that matches a URL applies; the last one matches every URL
	fields   []rule.Compiled
	reader   *content.Reader
	base     uint64 // hash of Revision and of the options that apply to all pages
}

type section struct {
	where       Where
	selectors   content.Selectors
	fingerprint uint64
}

// New returns an Extractor. If a selector or a rule can't be parsed, the error names its configuration key.
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
		key := fmt.Sprintf("section %q %q", s.Content, s.Exclude)
		e.sections = append(e.sections, section{s.Where, selectors, xxhash.Sum64String(key)})
	}
	e.sections = append(e.sections, section{selectors: all})
	e.fields, err = rule.Compile(o.Fields, o.Multi)
	return e, err
}

// Close closes the PDF reader. The Extractor must not be used afterwards.
func (e *Extractor) Close() error { return e.options.PDF.Close() }

func (e *Extractor) sectionOf(url string) *section {
	i := slices.IndexFunc(e.sections, func(s section) bool { return s.where.Applies(url) })
	return &e.sections[i]
}

func (e *Extractor) baseText() string {
	o := &e.options
	return fmt.Sprintf("%q %q %q %t %q", o.Content, o.Exclude, o.Between, o.Description == "content", o.Location)
}

func mix(sum, next uint64) uint64 { return sum*0x9E3779B97F4A7C15 + next }

// Rules returns a hash of Revision, the options, and the rules that apply to the URL. The hash also covers
// the part of known that applies to the URL. known is the profile: text that the site's pages share.
func (e *Extractor) Rules(url string, known document.Profile) uint64 {
	sum := mix(e.base, e.sectionOf(url).fingerprint)
	for i := range e.fields {
		if r := &e.fields[i]; r.Where.Applies(url) {
			sum = mix(sum, r.Fingerprint)
		}
	}
	site, _ := profile.Of(url, known)
	for i := range site {
		if site[i].Len() > 0 {
			sum = (sum ^ site[i].Version) * 0x9e3779b97f4a7c15
		}
	}
	return sum
}

// Parts returns hashes of the settings that Rules covers, by configuration key, without the profile. A report
// compares them to name the setting that changed.
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

// Finish makes the Document from a Draft. It adds Title, Content and Description to the draft's fields.
// Description comes from the content if the page has none, or if Options.Description is "content". A value
// from a configured rule replaces any other value. id becomes the document's ID and its field Url.
//
// From a page, but not from a file, Finish removes text that the profile lists as repeated: text blocks,
// beginnings and ends of titles, and default descriptions. It does not change the draft.
func (e *Extractor) Finish(d document.Draft, id string, known document.Profile) document.Document {
	f := e.finished(d, id, known)
	fields := make(map[string]string, len(d.Fields)+4)
	maps.Copy(fields, d.Fields)
	fields["Url"], fields["Title"], fields["Content"], fields["Description"] = id, f.title, f.content, f.description
	maps.DeleteFunc(fields, func(_, value string) bool { return value == "" })
	maps.Copy(fields, d.Ruled)
	return document.Document{ID: id, Fields: fields, Type: d.Type}
}

type finished struct {
	site                        profile.Sections
	title, content, description string
	whole                       bool
	spare                       bool   // the page has no description of its own, so lead is used
	lead                        string // the first sentences of the content that suit a description
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

// Explain reads a page like Read. It also returns one Attempt (the value for a field) for each source,
// sources of configured rules first. Attempt.Won marks the values that Finish, with the same known, would
// use. If Explain errs, it returns the attempts made before the error.
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
	last := field.Attempt{Field: description, Source: "first sentence", Value: f.lead, Won: f.spare && f.lead != ""}
	if f.whole {
		last.Source, last.Value, last.Won = "content", f.content, true
	}
	last.Won = last.Won && d.Ruled[description] == ""
	return d, append(trace, last), nil
}
