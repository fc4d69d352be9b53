package search

import (
	"cmp"
	"slices"
)

// maxFacet limits the values that are listed for one facet.
const maxFacet = 1000

// A condition is an SQL condition on document d of a source. An empty text means no condition.
type condition struct {
	text string
	args []any
}

// conditions joins conditions with OR if any is set, otherwise with AND.
func conditions(all []condition, any bool) (c condition) {
	var texts []string
	for _, one := range all {
		texts, c.args = append(texts, one.text), append(c.args, one.args...)
	}
	c.text = join(texts, map[bool]string{true: " OR ", false: " AND "}[any])
	return c
}

// index is the table of a source that matches words.
const index = "find d"

// A source is the FROM and WHERE part of a statement that reads documents. In its SQL the table alias d is
// a document, and d.rowid its number.
type source struct {
	table string
	condition
}

// and returns the source with a further condition.
func (f source) and(c condition) source {
	return source{f.table, conditions([]condition{f.condition, c}, false)}
}

func (f source) statement(columns, order string) string {
	return "SELECT " + columns + " FROM " + f.table + " WHERE " + f.text + order
}

func (s *scan) numbers(f source, expression, order string) []int64 {
	return column[int64](s, f.statement(expression, order), f.args...)
}

// number returns an SQL expression's value for the first row of a source, or 0 if there is no row.
func (s *scan) number(f source, expression string) int64 {
	return append(s.numbers(f, expression, " LIMIT 1"), 0)[0]
}

// hasField begins a condition on the value of a field, whose name is the first argument.
const hasField = "EXISTS (SELECT 1 FROM field WHERE name = ? AND id = d.rowid AND "

func (f Filters) all() (all []condition) {
	for name, values := range f.Values {
		if len(values) > 0 { // a field without values is no filter
			all = append(all, condition{hasField + "value IN (SELECT value FROM json_each(?)))", []any{name, encoded(values)}})
		}
	}
	for _, r := range f.Ranges {
		kind := map[bool]string{true: "moment", false: "number"}[r.Date]
		all = append(all, condition{hasField + kind + "(value) BETWEEN ? AND ?)", []any{r.Field, r.Min, r.Max}})
	}
	return all
}

// facet counts the documents of the sources by their values of a field.
func (s *scan) facet(name string, from ...source) Facet {
	type group struct {
		value *string // nil: documents without the field
		size  int
	}
	facet, counts := Facet{FieldName: name, Items: []Count{}}, map[string]int{}
	for _, f := range from {
		f.table += " LEFT JOIN field counted ON counted.name = ?1 AND counted.id = d.rowid"
		text := f.statement("counted.value, count(*)", " GROUP BY counted.value")
		into := func(g *group) []any { return []any{&g.value, &g.size} }
		for _, g := range rows(s, into, text, append([]any{name}, f.args...)...) {
			facet.AllCount += g.size
			if g.value == nil {
				facet.MissingCount += g.size
			} else {
				counts[*g.value] += g.size
			}
		}
	}
	for value, n := range counts {
		facet.Items = append(facet.Items, Count{value, n})
	}
	slices.SortFunc(facet.Items, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	})
	facet.Items = facet.Items[:min(maxFacet, len(facet.Items))]
	return facet
}
