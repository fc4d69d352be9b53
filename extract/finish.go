package extract

import (
	"maps"

	"sitesync/internal/document"
)

// Finish makes the Document of a Draft: the draft's own fields, and those that
// its titles and blocks give (Title, Content, and Description where the page
// names none or Options.Description asks for the main text). What the owner's
// rules gave wins over all of these. Of a page, not of a file, it takes out what the
// profile knows to be the site's: text blocks, what the site adds to its titles, the
// description of pages that have none. id becomes the document's ID and Url. The draft
// is left as it is.
func (e *Extractor) Finish(d document.Draft, id string, profile Profile) document.Document {
	fields := make(map[string]string, len(d.Fields)+4)
	maps.Copy(fields, d.Fields)
	site := siteOf(d, id, profile)
	if site.isDefault(fields["Description"]) {
		delete(fields, "Description")
	}
	blocks, title := site.own(d.Blocks), site.title(d.Titles)
	content := string(appendContent(nil, blocks))
	put(fields, "Url", id)
	put(fields, "Title", title)
	put(fields, "Content", content)
	switch {
	case e.options.Description == "content" && content != "":
		fields["Description"] = content
	case fields["Description"] == "":
		put(fields, "Description", lead(blocks, title))
	}
	maps.Copy(fields, d.Ruled)
	return document.Document{ID: id, Fields: fields, Type: d.Type}
}

// siteOf returns what the profile knows of the part of the site that a page is of:
// nothing where it is a file.
func siteOf(d document.Draft, id string, profile Profile) sections {
	if d.Type != document.PageContent {
		return sections{}
	}
	return sectionsOf(id, profile)
}

// appendContent joins blocks with a line feed between them.
func appendContent(buf []byte, blocks []document.Block) []byte {
	for i, b := range blocks {
		if i > 0 {
			buf = append(buf, '\n')
		}
		buf = append(buf, b.Text...)
	}
	return buf
}
