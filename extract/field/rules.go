package field

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"sitesync/extract/markup"
	"sitesync/extract/rule"
)

const (
	maxValues = 100
	maxValue  = 32 << 10 // maximum bytes of one value of a source
)

// Apply returns the values that the configured rules give, by field; nil without rules. The first source with
// a value wins. If v.Trace is set, Apply tries the later sources too, for the trace. multi is the setting
// extract.multi. Apply errs if a required field has no value, or if a selector is too slow.
func (v *Evidence) Apply(rules []rule.Compiled, multi string) (map[string]string, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	given := map[string]string{}
	var trace []Attempt
	for i := range rules {
		r := &rules[i]
		if !r.Where.Applies(v.Page.URL) {
			continue
		}
		for j := range r.Sources {
			if given[r.Name] != "" && v.Trace == nil {
				break
			}
			if v.Found != nil && r.Sources[j].Kind == rule.CSS && markup.Costly(v.Page.Root, r.From[j]) {
				return nil, fmt.Errorf("extract.field %q: %s %s", r.Name, r.From[j], markup.TooCostly)
			}
			value := oneOf(r.Transformed(v.values(&r.Sources[j]), v.Zone, maxValue), multi)
			won := value != "" && given[r.Name] == ""
			if won {
				given[r.Name] = value
			}
			trace = append(trace, Attempt{r.Name, r.From[j], value, won})
		}
	}
	if v.Trace != nil { // a configured rule wins over default sources
		for i := range *v.Trace {
			a := &(*v.Trace)[i]
			a.Won = a.Won && given[a.Field] == ""
		}
		*v.Trace = append(trace, *v.Trace...)
	}
	for i := range rules {
		if r := &rules[i]; r.Required && given[r.Name] == "" && r.Where.Applies(v.Page.URL) {
			return nil, fmt.Errorf("extract.field %q is required, and no source of it gives a value here: "+
				"mend the page, or change the rule's from, where or required", r.Name)
		}
	}
	return given, nil
}

// oneOf returns the first value or, if multi (the setting extract.multi) says so, all values joined. The
// result has no control characters except line feeds.
func oneOf(values []string, multi string) string {
	if len(values) == 0 {
		return ""
	}
	value := values[0]
	if separator, ok := strings.CutPrefix(multi, "join:"); ok {
		value = strings.Join(values, separator)
	}
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		lines[i] = markup.Clean(line)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func (v *Evidence) values(s *rule.Source) (values []string) {
	for _, value := range v.raw(s) {
		value = markup.Clip(markup.Clean(value), maxValue)
		if value != "" {
			values = append(values, value)
		}
		if len(values) == maxValues {
			break
		}
	}
	return values
}

func (v *Evidence) raw(s *rule.Source) (values []string) {
	switch s.Kind {
	case rule.Const:
		return []string{s.Name}
	case rule.Header:
		return v.Page.Header.Values(s.Name)
	case rule.LinkText:
		return []string{v.Page.Link.Text}
	case rule.Path:
		return nth(segments(v.Page.URL), s.N)
	case rule.URL:
		m := s.Regexp.FindStringSubmatch(v.Page.URL)
		if len(m) > 1 {
			m = m[1:]
		}
		return nth(m, 1)
	}
	if v.Found == nil {
		return v.fileValues(s)
	}
	switch s.Kind {
	case rule.CSS:
		return v.elements(s, func(n *html.Node) string { return v.elementValue(n, s.Name) })
	case rule.Microdata:
		return v.elements(s, v.itemValue)
	case rule.Meta:
		for _, m := range v.Found.Metas {
			if m.Name == s.Name {
				values = append(values, m.Content)
			}
		}
	case rule.JSONLD:
		return v.linked.values(s.Type, s.Path)
	case rule.Breadcrumb:
		trail := trailOf(v.Found.Crumbs)
		if trail == nil {
			trail = v.linked.crumbs
		}
		for _, c := range trail {
			values = append(values, c.name)
		}
		return nth(values, s.N)
	}
	return values
}

// nth returns item n, counted from 1, or from the end if n is negative; nil if there is no such item.
func nth(items []string, n int) []string {
	if n < 0 {
		n += len(items) + 1
	}
	if n < 1 || n > len(items) {
		return nil
	}
	return items[n-1 : n]
}

func (v *Evidence) fileValues(s *rule.Source) []string {
	if s.Kind != rule.Meta {
		return nil
	}
	said := map[string]string{"title": v.File.Title, "author": v.File.Author, "language": v.File.Language}
	for name, at := range map[string]time.Time{"created": v.File.Created, "modified": v.File.Modified} {
		if !at.IsZero() {
			said[name] = at.Format(time.RFC3339)
		}
	}
	return []string{said[s.Name]}
}

func (v *Evidence) elements(s *rule.Source, valueOf func(*html.Node) string) (values []string) {
	for _, n := range cascadia.QueryAll(v.Page.Root, s.Select) {
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

// elementValue returns the attribute of n with this name, or n's text if name is empty. URLs become absolute.
func (v *Evidence) elementValue(n *html.Node, name string) string {
	switch name {
	case "":
		return markup.TextOf(n, maxValue)
	case "href", "src":
		return v.absolute(markup.Attr(n, name))
	}
	return markup.Attr(n, name)
}

// itemValue returns a microdata value as HTML defines it, but the attribute content counts on all elements.
func (v *Evidence) itemValue(n *html.Node) string {
	for _, name := range [...]string{"content", "datetime", "value", "href", "src"} {
		if value := v.elementValue(n, name); value != "" {
			return value
		}
	}
	return markup.TextOf(n, maxValue)
}

// itemType returns the type of the microdata item around n without its address, such as "Product".
func itemType(n *html.Node) string {
	for n = n.Parent; n != nil; n = n.Parent {
		if isItem(n) {
			t := markup.Attr(n, "itemtype")
			return t[strings.LastIndexAny(t, "/#")+1:]
		}
	}
	return ""
}

func isItem(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "itemscope" })
}

var baseElement = cascadia.MustCompile("head > base[href]")

func (v *Evidence) absolute(ref string) string {
	if v.base == nil {
		v.base = &url.URL{}
		if base, err := url.Parse(v.Page.URL); err == nil {
			v.base = base
			if n := cascadia.Query(v.Page.Root, baseElement); n != nil {
				if own, err := base.Parse(strings.TrimSpace(markup.Attr(n, "href"))); err == nil {
					v.base = own
				}
			}
		}
	}
	u, err := v.base.Parse(strings.TrimSpace(ref))
	if err != nil || ref == "" {
		return ref
	}
	return u.String()
}
