package search

import (
	"strconv"

	"sitesync/internal/wire"
)

// Query describes a search.
type Query struct {
	Text     string              // the query text, with operators such as -word, AND and title:word
	All      bool                // true: documents must contain every word; false: any word
	Synonyms []wire.SynonymGroup // a search for one word of a group finds the other words too

	Filters      []Condition // a document must pass all of these
	NotFilters   []Condition // a document must pass none of these
	PostFilters  []Condition // like Filters, but they don't narrow the facets
	PostAny      bool        // true: passing one of PostFilters is enough
	FilterFacets bool        // facets count only documents that pass PostFilters and the values in Facets
	Pins         []Pin       // documents with a fixed rank, sorted by rank; they need not match the text

	Sort   []Order             // sort by these fields; empty: by score
	Facets map[string][]string // fields to count; a document must have one of the values listed for a field
	// From is the number of results to skip, and Size the most to return.
	From int
	Size int

	Completions int // maximum number of completions of the last word; 0: none
}

// A Pin fixes a document at a rank, counted from 1.
type Pin struct {
	Rank  int
	Names []string // IDs or URLs; a document with one of them is pinned
}

// Order sorts by a field's values: as dates if its name ends in _date, as numbers if it ends in _number.
// Documents without the field come last.
type Order struct {
	Field string
	Desc  bool
}

// Facet counts documents by their values of a field, most frequent values first.
type Facet struct {
	FieldName    string
	MissingCount int // documents without the field
	AllCount     int // documents with or without the field
	Items        []Count
}

// Count is the number of documents with a value.
type Count struct {
	Key   string
	Count int
}

// Everything is the query text that matches every document.
const Everything = "*"

// Condition is an SQL condition on a document, which has the table alias d. An empty text means no condition.
type Condition struct {
	text string
	args []any
}

// hasField is the beginning of an SQL condition on the value of a field. Its argument is the field's name.
const hasField = "EXISTS (SELECT 1 FROM field WHERE name = ? AND id = d.rowid AND "

// HasValue returns the condition that a field has one of several values.
func HasValue(field string, values []string) Condition {
	return Condition{hasField + "value IN (SELECT value FROM json_each(?)))", []any{field, encoded(values)}}
}

// HasBetween returns the condition that a field has a number from first to last. If dates is true, the field
// has a date instead, and first and last are Unix seconds.
func HasBetween(field string, dates bool, first, last float64) Condition {
	convert := map[bool]string{true: "moment", false: "number"}[dates]
	return Condition{hasField + convert + "(value) BETWEEN ? AND ?)", []any{field, first, last}}
}

// Named returns the condition that a customer's document has one of several names: its ID or its URL.
func Named(customer int64, names []string) Condition {
	list := encoded(names)
	return Condition{`d.rowid IN (
		SELECT id FROM document WHERE customer = ? AND name IN (SELECT value FROM json_each(?)) UNION
		SELECT id FROM field WHERE name = 'Url' AND value IN (SELECT value FROM json_each(?))
	)`, []any{customer, list, list}}
}

func conditions(all []Condition, any bool) (c Condition) {
	var texts []string
	for _, one := range all {
		texts, c.args = append(texts, one.text), append(c.args, one.args...)
	}
	c.text = join(texts, map[bool]string{true: " OR ", false: " AND "}[any])
	return c
}

// index is the source.table of full-text searches: the table find, with the alias d.
const index = "find d"

// A source is the FROM and WHERE part of a statement on documents. d.rowid is the number of a document.
type source struct {
	table string
	Condition
}

func (f source) and(c Condition) source {
	return source{f.table, conditions([]Condition{f.Condition, c}, false)}
}

func (f source) statement(columns, order string) string {
	return "SELECT " + columns + " FROM " + f.table + " WHERE " + f.text + order
}

func (s *scan) count(f source, limit int) int {
	text := "SELECT count(*) FROM (" + f.statement("1", " LIMIT "+strconv.Itoa(limit)) + ")"
	return append(column[int](s, text, f.args...), 0)[0]
}

func (s *scan) facet(name string, from source) Facet {
	type group struct {
		value *string // nil: documents without the field
		size  int
	}
	facet := Facet{FieldName: name, Items: []Count{}}
	from.table += " LEFT JOIN field counted ON counted.name = ?1 AND counted.id = d.rowid"
	text := from.statement("counted.value, count(*)", " GROUP BY counted.value ORDER BY count(*) DESC, counted.value")
	into := func(g *group) []any { return []any{&g.value, &g.size} }
	for _, g := range rows(s, into, text, append([]any{name}, from.args...)...) {
		facet.AllCount += g.size
		if g.value == nil {
			facet.MissingCount = g.size
		} else if len(facet.Items) < maxFacetValues {
			facet.Items = append(facet.Items, Count{*g.value, g.size})
		}
	}
	return facet
}
