package search

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/search"
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
	for name, values := range q.Filters {
		must = append(must, terms(shelf(name), valueTerm(name, ""), values))
	}
	for name, values := range q.NotFilters {
		mustNot = append(mustNot, terms(shelf(name), valueTerm(name, ""), values))
	}
	if len(q.Without) > 0 {
		mustNot = append(mustNot, terms(fieldPage, "", q.Without))
	}
	if len(must)+len(mustNot) == 0 {
		return matching
	}
	narrowed := query.NewBooleanQuery([]query.Query{matching}, nil, mustNot)
	if len(must) > 0 {
		narrowed.AddFilter(query.NewConjunctionQuery(must))
	}
	return narrowed
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

// facets returns the counts that were asked for.
func (q Query) facets(found search.FacetResults) map[string][]Count {
	all := map[string][]Count{}
	for name, wanted := range q.Facets {
		all[name] = []Count{}
		for _, term := range found[name].Terms.Terms() {
			value := strings.TrimPrefix(term.Term, valueTerm(name, ""))
			if len(wanted) == 0 || slices.Contains(wanted, value) {
				all[name] = append(all[name], Count{value, term.Count})
			}
		}
	}
	return all
}
