package search

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"
)

const maxFacet = 1000 // values of a field that are counted out

// narrow returns the query for what matches within crawlers, filters and pages.
func (q Query) narrow(matching query.Query) query.Query {
	var must, mustNot []query.Query
	if q.Crawlers != nil {
		must = append(must, terms(fieldCrawler, "", q.Crawlers))
	}
	if q.Only != nil {
		must = append(must, terms(fieldPage, "", q.Only))
	}
	must = append(must, q.Filters.queries()...)
	mustNot = append(mustNot, q.NotFilters.queries()...)
	if len(q.Without) > 0 {
		mustNot = append(mustNot, terms(fieldPage, "", q.Without))
	}
	return within(matching, must, mustNot)
}

// postNarrow returns the query for the results among what was narrowed.
func (q Query) postNarrow(narrowed query.Query) query.Query {
	filters := q.PostFilters.queries()
	if q.PostAny && len(filters) > 0 {
		filters = []query.Query{anyOf(filters)}
	}
	return within(narrowed, filters, nil)
}

// within returns the query for what matches, all of must and none of mustNot.
func within(matching query.Query, must, mustNot []query.Query) query.Query {
	if len(must)+len(mustNot) == 0 {
		return matching
	}
	narrowed := query.NewBooleanQuery([]query.Query{matching}, nil, mustNot)
	if len(must) > 0 {
		narrowed.AddFilter(query.NewConjunctionQuery(must))
	}
	return narrowed
}

// Filters are what documents have: of each field one of the values, and a value in each range.
type Filters struct {
	Values map[string][]string
	Ranges []Range
}

func (f Filters) queries() (all []query.Query) {
	for name, values := range f.Values {
		all = append(all, terms(shelf(name), valueTerm(name, ""), values))
	}
	for _, r := range f.Ranges {
		all = append(all, r.query())
	}
	return all
}

// terms returns the query for any of the terms in a field, each after a prefix.
func terms(field, prefix string, any []string) query.Query {
	all := make([]query.Query, len(any))
	for i, term := range any {
		one := query.NewTermQuery(prefix + term)
		one.SetField(field)
		all[i] = one
	}
	return anyOf(all)
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

// facets returns the counts that were asked for, of what the engine found.
func (q Query) facets(found *bleve.SearchResult) map[string]Facet {
	all := map[string]Facet{}
	for name, wanted := range q.Facets {
		counted := found.Facets[name]
		facet := Facet{name, counted.Missing, int(found.Total), []Count{}}
		for _, term := range counted.Terms.Terms() {
			value := strings.TrimPrefix(term.Term, valueTerm(name, ""))
			if len(wanted) == 0 || slices.Contains(wanted, value) {
				facet.Items = append(facet.Items, Count{value, term.Count})
			}
		}
		all[name] = facet
	}
	return all
}
