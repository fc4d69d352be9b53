package extract

import "sitesync/internal/document"

// readFile makes the Draft of a PDF or DOCX file of what its link, its headers
// and its address say. Its text is not read yet.
func (e *Extractor) readFile(p *document.Page, k kind) (document.Draft, error) {
	if !begins(p.Body, k) {
		return document.Draft{}, ErrMislabelled
	}
	text := clean(p.Link.Text)
	d := document.Draft{
		Type:   document.FileContent,
		Fields: make(map[string]string, 4),
		Titles: []string{firstOf(clip(text, maxTitle), nameOf(p.URL), clean(hostOf(p.URL)))},
		Warn:   []string{WarnFileText},
	}
	put(d.Fields, "Description", clip(text, maxDescription))
	put(d.Fields, "Language", headerLanguage(p.Header))
	put(d.Fields, "Date", firstOf(dayInPath(p.URL), lastmodDay(p.Hints.Lastmod, e.options.Location)))
	err := e.rule(&d, &evidence{page: p, file: p.File})
	return d, err
}
