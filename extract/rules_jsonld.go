package extract

import (
	"slices"
	"strconv"

	"golang.org/x/net/html"
)

// values returns what a path of keys leads to in the page's own nodes (see visit),
// in their order; with a type, in those of that type alone.
func (l *linked) values(typ string, path []string) []string {
	w := pathWalk{nodes: l.own}
	for _, node := range l.own {
		if typ == "" || hasType(node, typ) {
			w.follow(node, path, 0)
		}
	}
	return w.values
}

func hasType(node map[string]any, typ string) bool {
	types, ok := node["@type"].([]any)
	if !ok {
		return typeOf(node) == typ
	}
	return slices.ContainsFunc(types, func(one any) bool { return typeOf(map[string]any{"@type": one}) == typ })
}

// pathWalk follows one path.
type pathWalk struct {
	nodes  []map[string]any
	values []string
	steps  int
}

// follow goes on from v by the rest of a path. A list means each of its elements, a
// reference the node it names.
func (w *pathWalk) follow(v any, path []string, depth int) {
	if w.steps++; w.steps > maxLinkedNodes || depth > 2*maxLinkedDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			w.follow(one, path, depth+1)
		}
	case map[string]any:
		if len(path) == 0 {
			w.add(v)
			return
		}
		next, ok := v[path[0]]
		if !ok {
			next = w.referred(v)[path[0]]
		}
		w.follow(next, path[1:], depth+1)
	default:
		if len(path) == 0 {
			w.add(v)
		}
	}
}

// referred returns the node that another one names by @id alone.
func (w *pathWalk) referred(to map[string]any) map[string]any {
	id, ok := to["@id"].(string)
	if !ok || len(to) > 1 {
		return nil
	}
	for _, node := range w.nodes {
		if node["@id"] == id && len(node) > 1 {
			return node
		}
	}
	return nil
}

func (w *pathWalk) add(v any) {
	switch v := v.(type) {
	case map[string]any:
		if inner, ok := v["@value"]; ok {
			w.add(inner)
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
