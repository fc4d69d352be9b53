package extract

import (
	"net/url"
	"strings"
	"time"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"sitesync/extract/rule"
	"sitesync/internal/document"
)

// Bounds on what one source gives.
const (
	maxValues = 100
	maxValue  = 32 << 10 // bytes
)

// evidence is what the sources of rules look at.
type evidence struct {
	page   *document.Page
	found  *findings      // nil for a file
	linked *linked        // nil for a file
	file   *document.File // nil for HTML, and where the file was not read
	trace  *[]Attempt     // for explain: every source is tried and noted
	told   int            // attempts so far, which go before those of the defaults
	base   *url.URL       // see absolute
}

// values returns what a source gives: clean, none empty.
func (e *Extractor) values(s *rule.Source, v *evidence) []string {
	var values []string
	for _, value := range e.raw(s, v) {
		if value = clip(clean(value), maxValue); value != "" {
			values = append(values, value)
		}
		if len(values) == maxValues {
			break
		}
	}
	return values
}

func (e *Extractor) raw(s *rule.Source, v *evidence) []string {
	switch s.Kind {
	case rule.Const:
		return []string{s.Name}
	case rule.Header:
		return v.page.Header.Values(s.Name)
	case rule.LinkText:
		return []string{v.page.Link.Text}
	case rule.Path:
		return nth(segments(v.page.URL), s.N)
	case rule.URL:
		m := s.Regexp.FindStringSubmatch(v.page.URL)
		if len(m) > 1 {
			m = m[1:]
		}
		return nth(m, 1)
	}
	if v.found == nil {
		return v.fileValues(s)
	}
	switch s.Kind {
	case rule.CSS:
		return v.elements(s, func(n *html.Node) string { return v.elementValue(n, s.Name) })
	case rule.Microdata:
		return v.elements(s, v.itemValue)
	case rule.Meta:
		return v.found.metaAll(s.Name)
	case rule.JSONLD:
		return v.linked.values(s.Type, s.Path)
	case rule.Breadcrumb:
		trail := e.trail(v.found.crumbs)
		if trail == nil {
			trail = v.linked.crumbs
		}
		return nth(names(trail), s.N)
	}
	return nil
}

// nth returns the item n counts to: from 1, or from the end with -1.
func nth(items []string, n int) []string {
	if n < 0 {
		n += len(items) + 1
	}
	if n < 1 || n > len(items) {
		return nil
	}
	return items[n-1 : n]
}

func (f *findings) metaAll(name string) (values []string) {
	for _, m := range f.metas {
		if m.name == name {
			values = append(values, m.content)
		}
	}
	return values
}

// fileValues returns what a file's metadata say; no other source knows files.
func (v *evidence) fileValues(s *rule.Source) []string {
	if s.Kind != rule.Meta || v.file == nil {
		return nil
	}
	moment := func(t time.Time) []string {
		if t.IsZero() {
			return nil
		}
		return []string{t.Format(time.RFC3339)}
	}
	switch s.Name {
	case "title":
		return []string{v.file.Title}
	case "author":
		return []string{v.file.Author}
	case "language":
		return []string{v.file.Language}
	case "created":
		return moment(v.file.Created)
	case "modified":
		return moment(v.file.Modified)
	}
	return nil
}

// elements returns what valueOf makes of the elements that a source selects.
func (v *evidence) elements(s *rule.Source, valueOf func(*html.Node) string) (values []string) {
	for _, n := range cascadia.QueryAll(v.page.Root, s.Select) {
		if s.Type != "" && itemType(n) != s.Type {
			continue
		}
		if value := valueOf(n); value != "" {
			values = append(values, value)
		}
		if len(values) == maxValues {
			break
		}
	}
	return values
}

// elementValue returns an attribute, or without a name the text of an element.
func (v *evidence) elementValue(n *html.Node, name string) string {
	switch name {
	case "":
		return textOf(n, maxValue)
	case "href", "src":
		return v.absolute(attrOf(n, name))
	}
	return attrOf(n, name)
}

// itemValue returns the value of a property, as the HTML standard has it but for
// content, which counts on any element.
func (v *evidence) itemValue(n *html.Node) string {
	for _, name := range [...]string{"content", "datetime", "value", "href", "src"} {
		if value := v.elementValue(n, name); value != "" {
			return value
		}
	}
	return textOf(n, maxValue)
}

// itemType returns the type of the item that a property belongs to, without its
// address.
func itemType(n *html.Node) string {
	for n = n.Parent; n != nil; n = n.Parent {
		for _, a := range n.Attr {
			if a.Key == "itemscope" {
				t := attrOf(n, "itemtype")
				return t[strings.LastIndexAny(t, "/#")+1:]
			}
		}
	}
	return ""
}

func attrOf(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

var baseElement = cascadia.MustCompile("head > base[href]")

// absolute resolves an address that the page names; what can't be resolved stays.
func (v *evidence) absolute(ref string) string {
	if v.base == nil {
		v.base = baseOf(v.page)
	}
	u, err := v.base.Parse(strings.TrimSpace(ref))
	if err != nil || ref == "" {
		return ref
	}
	return u.String()
}

// baseOf returns what the page's addresses are relative to.
func baseOf(p *document.Page) *url.URL {
	base, err := url.Parse(p.URL)
	if err != nil {
		return &url.URL{}
	}
	if n := cascadia.Query(p.Root, baseElement); n != nil {
		if own, err := base.Parse(strings.TrimSpace(attrOf(n, "href"))); err == nil {
			return own
		}
	}
	return base
}
