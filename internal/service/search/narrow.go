package search

import (
	"cmp"
	"slices"
)

const maxFacet = 1000 // values of a field that are counted out

// Filters are what documents have: of each field one of the values, and a value in each range.
type Filters struct {
	Values map[string][]string
	Ranges []Range
}

// A filter is one of them.
type filter struct {
	field string
	holds func(c *column) []bool // by value
}

func (f Filters) all() (all []filter) {
	for name, values := range f.Values {
		all = append(all, filter{name, func(c *column) []bool {
			holds := make([]bool, len(c.values))
			for _, value := range values {
				if at, there := c.at[value]; there {
					holds[at] = true
				}
			}
			return holds
		}})
	}
	for _, r := range f.Ranges {
		all = append(all, filter{r.Field, func(c *column) []bool {
			holds := make([]bool, len(c.values))
			for at, number := range c.numbers(r.Date) {
				holds[at] = r.Min <= number && number <= r.Max
			}
			return holds
		}})
	}
	return all
}

// narrow returns those of the documents that are within the query's filters and pages.
func (v *view) narrow(q Query, docs []uint32) ([]uint32, error) {
	for _, only := range []struct {
		pages []string
		keep  bool
	}{{q.Only, true}, {q.Without, false}} {
		if only.pages == nil {
			continue
		}
		has := make([]bool, v.size)
		for _, page := range only.pages {
			if err := v.rows(fieldPage, page, func(doc uint32, _ float32) { has[doc] = true }); err != nil {
				return nil, err
			}
		}
		docs = slices.DeleteFunc(docs, func(doc uint32) bool { return has[doc] != only.keep })
	}
	docs, err := v.passing(docs, q.Filters)
	if err != nil {
		return nil, err
	}
	return v.having(docs, false, q.NotFilters.all()...)
}

// passing returns those of the documents that pass all filters.
func (v *view) passing(docs []uint32, filters Filters) (_ []uint32, err error) {
	for _, f := range filters.all() {
		docs, err = v.having(docs, true, f)
		if err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// having returns those of the documents that pass any of the filters, or, with keep false,
// those that pass none.
func (v *view) having(docs []uint32, keep bool, filters ...filter) ([]uint32, error) {
	has := make([]bool, v.size)
	for _, f := range filters {
		err := v.use(f.field, docs, func(c *column) {
			holds := f.holds(c)
			for _, doc := range docs {
				has[doc] = has[doc] || c.of[doc] >= 0 && holds[c.of[doc]]
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(docs, func(doc uint32) bool { return has[doc] != keep }), nil
}

// Facet is how many documents have which values of a field, most frequent values first.
type Facet struct {
	FieldName    string
	MissingCount int // documents without a value
	AllCount     int // documents
	Items        []Count
}

// Count is how many documents have a value.
type Count struct {
	Key   string
	Count int
}

// Compare orders the most frequent values first.
func (c Count) Compare(other Count) int {
	return cmp.Or(cmp.Compare(other.Count, c.Count), cmp.Compare(c.Key, other.Key))
}

// facets returns how many of the documents have which values, as asked.
func (v *view) facets(q Query, docs []uint32) (map[string]Facet, error) {
	all := map[string]Facet{}
	for name, wanted := range q.Facets {
		err := v.use(name, docs, func(c *column) { all[name] = c.facet(name, wanted, docs) })
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (c *column) facet(name string, wanted []string, docs []uint32) Facet {
	facet := Facet{name, 0, len(docs), []Count{}}
	counts := make([]int, len(c.values))
	for _, doc := range docs {
		if c.of[doc] < 0 {
			facet.MissingCount++
		} else {
			counts[c.of[doc]]++
		}
	}
	for i, n := range counts {
		if n > 0 && (len(wanted) == 0 || slices.Contains(wanted, c.values[i])) {
			facet.Items = append(facet.Items, Count{c.values[i], n})
		}
	}
	slices.SortFunc(facet.Items, Count.Compare)
	facet.Items = facet.Items[:min(maxFacet, len(facet.Items))]
	return facet
}
