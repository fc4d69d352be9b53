package field

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"sitesync/extract/markup"
)

// Bounds on JSON-LD. Data beyond them is ignored.
const (
	maxLinkedBytes = 256 << 10
	maxLinkedDepth = 6
	maxLinkedNodes = 500
)

// linked is the information of a page's JSON-LD (schema.org) about the page itself.
type linked struct {
	published string
	section   string
	crumbs    []crumb
	own       []map[string]any // all nodes read, from which configured rules take values
	event     bool
	nodes     int
}

func readLinked(sources []string) linked {
	var l linked
	size := 0
	for _, s := range sources {
		size += len(s)
		if size > maxLinkedBytes {
			break
		}
		s = strings.TrimSpace(s)
		// some templates wrap JSON-LD in comments
		for _, opening := range [...]string{"//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "<!--"} {
			s = strings.TrimPrefix(s, opening)
		}
		var v any // stays nil if the source can't be decoded; text after the first value is ignored
		if json.NewDecoder(strings.NewReader(s)).Decode(&v) != nil {
			_ = json.NewDecoder(strings.NewReader(mended(s))).Decode(&v)
		}
		l.visit(v, 0)
	}
	return l
}

var lastComma = regexp.MustCompile(`,\s*([\]}])`)

// mended corrects frequent errors in JSON: control characters in strings, and a comma after the last entry.
func mended(s string) string {
	return lastComma.ReplaceAllString(strings.Map(func(r rune) rune { return max(r, ' ') }, s), "$1")
}

// visit reads v and the nodes in it that describe the page, always in the same order. In a node, it visits
// only the values of four keys, such as "@graph". So it leaves out lists of other pages.
func (l *linked) visit(v any, depth int) {
	l.nodes++
	if depth > maxLinkedDepth || l.nodes > maxLinkedNodes {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			l.visit(one, depth+1)
		}
	case map[string]any:
		l.own = append(l.own, v)
		l.node(v)
		for _, key := range [...]string{"@graph", "mainEntityOfPage", "mainEntity", "breadcrumb"} {
			if inner, ok := v[key]; ok {
				l.visit(inner, depth+1)
			}
		}
	}
}

func (l *linked) node(m map[string]any) {
	name := typeOf(m["@type"])
	l.event = l.event || strings.HasSuffix(name, "Event")
	if name == "BreadcrumbList" && l.crumbs == nil {
		l.crumbs = trail(m["itemListElement"])
	}
	if !isPageType(name) || strings.HasSuffix(name, "Page") { // a WebPage has a date even on a product's page
		return
	}
	l.published = cmp.Or(l.published, stringOf(m["datePublished"]))
	l.section = cmp.Or(l.section, stringOf(m["articleSection"]))
}

// isPageType reports whether an item of this schema.org type can be the page itself, so that its dates are
// the page's. A book, a film or a product can't be the page.
func isPageType(name string) bool {
	switch name {
	case "", "CreativeWork", "Report", "Recipe", "HowTo", "Question":
		return true
	}
	return strings.HasSuffix(name, "Article") || strings.HasSuffix(name, "Page") || strings.HasSuffix(name, "Posting")
}

// typeOf returns the name of a schema.org type, which may be written as a URL.
func typeOf(written any) string {
	name := strings.TrimRight(stringOf(written), "/")
	return name[strings.LastIndexAny(name, "/:#")+1:]
}

// stringOf returns clean text: of a string, of a list's first element, or of an object's value or name.
func stringOf(v any) string {
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	if m, ok := v.(map[string]any); ok {
		v = cmp.Or(m["@value"], m["name"])
	}
	s, _ := v.(string)
	return markup.Clean(html.UnescapeString(s))
}

func trail(v any) []crumb {
	items, ok := v.([]any)
	if !ok || len(items) > 50 {
		return nil
	}
	crumbs := make([]crumb, 0, len(items))
	for _, item := range items {
		m, ok := item.(map[string]any)
		if !ok {
			continue
		}
		position, _ := m["position"].(float64)
		name, link := stringOf(m["name"]), stringOf(m["item"])
		if of, ok := m["item"].(map[string]any); ok {
			name, link = cmp.Or(name, stringOf(of["name"])), cmp.Or(stringOf(of["@id"]), stringOf(of["url"]))
		}
		crumbs = append(crumbs, crumb{name, link, position})
	}
	slices.SortStableFunc(crumbs, func(a, b crumb) int { return cmp.Compare(a.position, b.position) })
	return crumbs
}

// values returns the values at the end of a path of keys. If typ is empty, the path begins at all visited
// nodes, otherwise at the nodes of that type.
func (l *linked) values(typ string, path []string) []string {
	w := pathWalk{nodes: l.own}
	for _, node := range l.own {
		types, ok := node["@type"].([]any)
		if !ok {
			types = []any{node["@type"]}
		}
		if typ == "" || slices.ContainsFunc(types, func(one any) bool { return typeOf(one) == typ }) {
			w.follow(node, path, 0)
		}
	}
	return w.values
}

type pathWalk struct {
	nodes  []map[string]any
	values []string
	steps  int
}

// follow adds the values at the end of a path of keys that begins at v. It follows each element of a list,
// and a reference ("@id") to the node with that ID.
func (w *pathWalk) follow(v any, path []string, depth int) {
	w.steps++
	if w.steps > maxLinkedNodes || depth > 2*maxLinkedDepth {
		return
	}
	if list, ok := v.([]any); ok {
		for _, one := range list {
			w.follow(one, path, depth+1)
		}
		return
	}
	if len(path) == 0 {
		w.addValue(v)
	} else if m, ok := v.(map[string]any); ok {
		if id, ok := m["@id"].(string); ok && len(m) == 1 && path[0] != "@id" {
			named := func(node map[string]any) bool { return node["@id"] == id && len(node) > 1 }
			if i := slices.IndexFunc(w.nodes, named); i >= 0 {
				m = w.nodes[i]
			}
		}
		w.follow(m[path[0]], path[1:], depth+1)
	}
}

func (w *pathWalk) addValue(v any) {
	switch v := v.(type) {
	case map[string]any:
		if inner, ok := v["@value"]; ok {
			w.addValue(inner)
			return
		}
		w.values = append(w.values, stringOf(v))
	case string:
		w.values = append(w.values, html.UnescapeString(v))
	case float64:
		w.values = append(w.values, strconv.FormatFloat(v, 'f', -1, 64))
	case bool:
		w.values = append(w.values, strconv.FormatBool(v))
	}
}
