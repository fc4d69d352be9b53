package markup

import "golang.org/x/net/html"

// Found is what a page says of itself beside its content.
type Found struct {
	Lang, Title string
	Metas       []Meta
	Linked      []string // JSON-LD sources
	Heads       []Head
	Dates       []Date
	Crumbs      []*html.Node // what may be the breadcrumb trail
	Scripts     bool         // there is code that could make content
	Body        bool         // the body holds an element
	Articles    int          // beside each other
}

// Meta is a meta element; its name is in lower case.
type Meta struct{ Name, Content string }

// Head is a heading that readers see.
type Head struct {
	Node  *html.Node
	Own   bool // the page's: in the main part, or no link to the site's first page
	Block int  // the block it stands at; -1: outside of the content
}

// Date is an element that gives a date.
type Date struct {
	Node  *html.Node
	Block int // the block it stands at; -1: outside of the content
	Size  int // bytes of that block
}

// Meta returns the content of the meta elements with that name: of the first that
// has some.
func (f *Found) Meta(name string) string {
	for i := range f.Metas {
		if f.Metas[i].Name == name {
			if value := Clean(f.Metas[i].Content); value != "" {
				return value
			}
		}
	}
	return ""
}
