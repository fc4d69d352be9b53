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
	Facets map[string][]Count // most frequent values first
	Marker *Marker            // of the words that were searched for
}

// Count is how many of the documents found have a value.
type Count struct {
	Value string `json:"value"`
	Count int    `json:"count"`
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
	found, err := x.bleve.SearchInContext(ctx, q.request(q.narrow(matching)))
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	result := Result{Total: int(found.Total), Facets: q.facets(found.Facets), Marker: &Marker{x, q, map[string]map[string]bool{}}}
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
