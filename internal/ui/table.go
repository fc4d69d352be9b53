package ui

import (
	"cmp"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	pageRows       = 25
	maxFacetValues = 200
)

// table is a list that the method view filters, sorts and divides into pages.
type table[T any] struct {
	rows   []T
	keys   []string // for each row, the lower-case text that a text filter searches
	facets []facet[T]
	order  func(a, b *T) int // default order; nil keeps the order in which the rows were added
}

type facet[T any] struct {
	Name, Label string
	values      func(row *T) []string
}

func (t *table[T]) add(row T, texts ...string) {
	t.rows = append(t.rows, row)
	t.keys = append(t.keys, keyOf(texts))
}

func keyOf(texts []string) string { return strings.ToLower(strings.Join(texts, "\n")) }

func list[T any](rows iter.Seq2[T, error], texts func(*T) []string, facets ...facet[T]) (*table[T], error) {
	t := &table[T]{facets: facets}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		t.add(row, texts(&row)...)
	}
	return t, nil
}

func listOf[T any](rows []T, texts func(*T) []string, facets ...facet[T]) *table[T] {
	t := &table[T]{rows: rows, facets: facets}
	for i := range rows {
		t.keys = append(t.keys, keyOf(texts(&rows[i])))
	}
	return t
}

// Choice is a facet with its most frequent values, which a page offers as filters.
type Choice struct {
	Name, Label string
	Values      []Value
}

// view is one page of a table, after filtering and sorting.
type view[T any] struct {
	Rows        []T
	Text, Sort  string
	Total, All  int // Total rows match the query; the table has All rows
	Page, Pages int // the current page, counted from 1, and the number of pages
	Choices     []Choice
	Past        bool // the rows are changes of a past run, whose texts are not kept
	query       url.Values
}

// Link returns the URL of another page of the list. Parameter by is its distance from the current page.
func (v *view[T]) Link(by int) string {
	return with(v.query, "page", strconv.Itoa(v.Page+by))
}

func with(query url.Values, key string, values ...string) string {
	query = maps.Clone(query)
	query[key] = values
	return "?" + query.Encode()
}

// view returns the page that a query asks for. The count beside a facet value is the number of rows that
// would match if the user chose this value.
func (t *table[T]) view(query url.Values) *view[T] {
	v := &view[T]{Text: query.Get("q"), Sort: query.Get("sort"), All: len(t.rows), query: query}
	text := strings.ToLower(v.Text)
	chosen, counts := make([]string, len(t.facets)), make([]map[string]int, len(t.facets))
	for i, f := range t.facets {
		chosen[i], counts[i] = query.Get(f.Name), map[string]int{}
	}
	v.Page, _ = strconv.Atoi(query.Get("page"))
	v.Page = min(max(1, v.Page), len(t.rows)/pageRows+1)
	first := (v.Page - 1) * pageRows
	for _, at := range t.sorted(v.Sort) {
		if text != "" && !strings.Contains(t.keys[at], text) {
			continue
		}
		row := &t.rows[at]
		misses, missed := 0, 0
		for f := range t.facets {
			if chosen[f] != "" && !slices.Contains(t.facets[f].values(row), chosen[f]) {
				misses, missed = misses+1, f
			}
		}
		for f := range t.facets {
			if misses == 0 || misses == 1 && missed == f {
				for _, value := range t.facets[f].values(row) {
					counts[f][value]++
				}
			}
		}
		if misses == 0 {
			if v.Total >= first && len(v.Rows) < pageRows {
				v.Rows = append(v.Rows, *row)
			}
			v.Total++
		}
	}
	v.Pages = (v.Total + pageRows - 1) / pageRows
	for i, f := range t.facets {
		v.Choices = append(v.Choices, choice(f.Name, f.Label, counts[i], chosen[i]))
	}
	return v
}

func (t *table[T]) sorted(name string) []int {
	rows := make([]int, len(t.rows))
	for i := range rows {
		rows[i] = i
	}
	by := slices.IndexFunc(t.facets, func(f facet[T]) bool { return f.Name == name })
	switch {
	case by >= 0:
		values := make([][]string, len(rows))
		for i := range rows {
			values[i] = t.facets[by].values(&t.rows[i])
		}
		slices.SortStableFunc(rows, func(a, b int) int { return slices.Compare(values[a], values[b]) })
	case t.order != nil:
		slices.SortStableFunc(rows, func(a, b int) int { return t.order(&t.rows[a], &t.rows[b]) })
	}
	return rows
}

func choice(name, label string, counts map[string]int, chosen string) Choice {
	if chosen != "" {
		counts[chosen] += 0 // offer the chosen value even if no row has it
	}
	c := Choice{Name: name, Label: label}
	for value, n := range counts {
		if value != "" {
			c.Values = append(c.Values, Value{value, n, value == chosen})
		}
	}
	first := map[bool]int{true: 1} // the chosen value comes first, so that it is never cut off
	slices.SortFunc(c.Values, func(a, b Value) int {
		return cmp.Or(first[b.On]-first[a.On], b.Count-a.Count, strings.Compare(a.Text, b.Text))
	})
	c.Values = c.Values[:min(len(c.Values), maxFacetValues)]
	return c
}
