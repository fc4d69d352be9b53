package extract

import "sitesync/internal/document"

// Explain reads a page as Read does and returns, with the Draft, what every source
// gave, those of the owner's rules first and each field's in the order in which they
// are asked. It errs as Read does, and tells what was tried before also then.
func (e *Extractor) Explain(p *document.Page) (document.Draft, []Attempt, error) {
	var trace []Attempt
	d, err := e.readTraced(p, &trace)
	if err == nil {
		trace = e.tellLead(trace, d)
	}
	return d, trace, err
}

// tellLead adds what Finish has for a Description beside what the page names.
func (e *Extractor) tellLead(trace []Attempt, d document.Draft) []Attempt {
	const field = "Description"
	free := d.Ruled[field] == ""
	content := string(appendContent(nil, d.Blocks))
	if e.options.Description == "content" && content != "" {
		for i := range trace {
			trace[i].Won = trace[i].Won && (trace[i].Field != field || !free)
		}
		return append(trace, Attempt{field, "content", content, free})
	}
	first := lead(d.Blocks, firstOf(d.Titles...))
	return append(trace, Attempt{field, "first sentence", first, free && first != "" && d.Fields[field] == ""})
}
