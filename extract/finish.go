package extract

import (
	"maps"
	"slices"

	"sitesync/extract/field"
	"sitesync/extract/profile"
	"sitesync/internal/document"
)

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
	f.title, f.content, f.description = f.site.Title(d.Titles), string(appendContent(nil, blocks)), d.Fields["Description"]
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
