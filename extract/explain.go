package extract

import (
	"slices"

	"sitesync/internal/document"
)

// Explain reads a page as Read does and returns, with the Draft, what every source
// gave, those of the owner's rules first and each field's in the order in which they
// are asked. What won is what Finish takes with that profile. It errs as Read does,
// and tells what was tried before also then.
func (e *Extractor) Explain(p *document.Page, profile Profile) (document.Draft, []Attempt, error) {
	var trace []Attempt
	d, err := e.readTraced(p, &trace)
	if err == nil {
		trace = e.settle(trace, d, siteOf(d, p.URL, profile))
	}
	return d, trace, err
}

// settle tells in a trace what Finish chooses: the title that names the page, a
// description that is not the site's, and what the content gives for one.
func (e *Extractor) settle(trace []Attempt, d document.Draft, site sections) []Attempt {
	const title, description = "Title", "Description"
	blocks := site.own(d.Blocks)
	content := string(appendContent(nil, blocks))
	whole := e.options.Description == "content" && content != ""
	none := d.Fields[description] == "" || site.isDefault(d.Fields[description])
	named := slices.IndexFunc(trace, func(a Attempt) bool {
		return a.Field == title && slices.Contains(d.Titles, a.Value) && site.names(a.Value)
	})
	for i := range trace {
		switch a := &trace[i]; {
		case d.Ruled[a.Field] != "":
		case a.Field == title && named >= 0:
			a.Won = i == named
		case a.Field == description && (whole || none):
			a.Won = false
		}
	}
	free := d.Ruled[description] == ""
	if whole {
		return append(trace, Attempt{description, "content", content, free})
	}
	first := lead(blocks, site.title(d.Titles))
	return append(trace, Attempt{description, "first sentence", first, free && none && first != ""})
}
