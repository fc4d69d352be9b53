package extract

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Bounds on JSON-LD. What goes past them is ignored, as broken JSON is.
const (
	maxLinkedBytes = 256 << 10
	maxLinkedDepth = 6
	maxLinkedNodes = 500
)

// linked is what the page's JSON-LD says of the page itself (schema.org).
type linked struct {
	published []string
	modified  []string
	section   string
	crumbs    []crumb          // of a BreadcrumbList, in order
	own       []map[string]any // every node visited, for the rules
	event     bool             // the page is one of an event
	nodes     int
}

func readLinked(sources []string) linked {
	var l linked
	size := 0
	for _, s := range sources {
		if size += len(s); size > maxLinkedBytes {
			break
		}
		var v any
		if json.NewDecoder(strings.NewReader(unwrap(s))).Decode(&v) == nil {
			l.visit(v, 0)
		}
	}
	return l
}

// unwrap takes off the comments that some templates put around JSON-LD.
func unwrap(s string) string {
	s = strings.TrimSpace(s)
	for _, opening := range []string{"//<![CDATA[", "/*<![CDATA[*/", "<![CDATA[", "<!--"} {
		s = strings.TrimPrefix(s, opening)
	}
	return s // a decoder stops after the first value, so that no end matters
}

// visit looks at the nodes that describe the page: the outermost, those of a
// graph, and the page's main entity. Lists of other pages are not gone into, and
// the keys are asked in a fixed order.
func (l *linked) visit(v any, depth int) {
	if l.nodes++; depth > maxLinkedDepth || l.nodes > maxLinkedNodes {
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
	name := typeOf(m)
	switch {
	case name == "BreadcrumbList":
		if l.crumbs == nil {
			l.crumbs = trail(m["itemListElement"])
		}
		return
	case strings.HasSuffix(name, "Event"):
		l.event = true
	}
	if !isPageType(name) {
		return
	}
	if s := stringOf(m["datePublished"]); s != "" {
		l.published = append(l.published, s)
	}
	if s := stringOf(m["dateModified"]); s != "" {
		l.modified = append(l.modified, s)
	}
	l.section = firstOf(l.section, stringOf(m["articleSection"]))
}

func typeOf(m map[string]any) string { return lastName(stringOf(m["@type"])) }

// stringOf reads a value as the vocabulary lets it be written: plain, first of
// a list, or an object with a value or a name.
func stringOf(v any) string {
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	if m, ok := v.(map[string]any); ok {
		v = m["@value"]
		if v == nil {
			v = m["name"]
		}
	}
	s, _ := v.(string)
	return clean(html.UnescapeString(s))
}

func trail(v any) []crumb {
	items, ok := v.([]any)
	if !ok || len(items) > 50 {
		return nil
	}
	type step struct {
		position float64
		crumb
	}
	steps := make([]step, 0, len(items))
	for _, item := range items {
		m, ok := item.(map[string]any)
		if !ok {
			continue
		}
		position, _ := m["position"].(float64)
		name, link := stringOf(m["name"]), stringOf(m["item"])
		if of, ok := m["item"].(map[string]any); ok {
			name, link = firstOf(name, stringOf(of["name"])), firstOf(stringOf(of["@id"]), stringOf(of["url"]))
		}
		steps = append(steps, step{position, crumb{name, link}})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.position, b.position) })
	crumbs := make([]crumb, len(steps))
	for i, s := range steps {
		crumbs[i] = s.crumb
	}
	return crumbs
}
