package search

import (
	"context"
	"fmt"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
)

// Result is what a search found.
type Result struct {
	Hits   []Key // from Query.From on
	Total  int
	Facets map[string]Facet // by field
	Marker *Marker          // of the words that were searched for
}

// Search returns what the query finds. It errs when the context ends.
func (x *Index) Search(ctx context.Context, q Query) (Result, error) {
	fields, err := x.bleve.Fields()
	if err != nil {
		return Result{}, fmt.Errorf("read the search index: %w", err)
	}
	x.asking.Lock()
	matching := q.match(x.asker, fields)
	x.asking.Unlock()
	narrowed := q.narrow(matching)
	results, counted := q.postNarrow(narrowed), Query{Facets: q.Facets}
	if q.FilterFacets {
		narrowed = results
	}
	if results != narrowed {
		q.Facets = nil
	}
	found, err := x.bleve.SearchInContext(ctx, q.request(results))
	facets := found
	if err == nil && results != narrowed {
		facets, err = x.bleve.SearchInContext(ctx, counted.request(narrowed))
	}
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	result := Result{Total: int(found.Total), Facets: counted.facets(facets), Marker: &Marker{x, q, map[string]map[string]bool{}}}
	for _, hit := range found.Hits {
		result.Hits = append(result.Hits, parseID(hit.ID))
	}
	return result, nil
}

func (q Query) request(what query.Query) *bleve.SearchRequest {
	request := bleve.NewSearchRequestOptions(what, q.Size, q.From, false)
	if len(q.Sort) > 0 {
		request.Sort = search.SortOrder{}
		for _, order := range q.Sort {
			on := search.SortField{Field: shelf(order.Field), Desc: order.Desc}
			request.Sort = append(request.Sort, &sorter{SortField: on, name: order.Field})
		}
		request.Score = "none"
	}
	for name := range q.Facets {
		facet := bleve.NewFacetRequest(shelf(name), maxFacet)
		facet.SetPrefixFilter(valueTerm(name, ""))
		request.AddFacet(name, facet)
	}
	return request
}
