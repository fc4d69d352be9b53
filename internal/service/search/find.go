package search

import (
	"context"
	"fmt"
	"slices"
)

// Result is what a search found.
type Result struct {
	Hits   []Key // from Query.From on
	Total  int
	Typed  int              // of Total, those that have a word as it was typed, or all of them where all must be there
	Fixed  string           // the text with words that no document has replaced by near ones; "" where that finds nothing
	Facets map[string]Facet // by field
	Marker *Marker          // of the words that were searched for
}

// Search returns what the query finds. It errs when the context ends.
func (x *Index) Search(ctx context.Context, q Query) (Result, error) {
	v, err := x.view()
	if err != nil {
		return Result{}, err
	}
	defer x.release(v)
	result, err := x.search(ctx, v, q)
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	return result, nil
}

func (x *Index) search(ctx context.Context, v *view, q Query) (Result, error) {
	s, err := x.match(ctx, v, q)
	if err != nil {
		return Result{}, err
	}
	counted := s.docs
	s.docs = slices.Clone(counted)
	if filters := q.PostFilters.all(); q.PostAny && len(filters) > 0 {
		s.docs, err = v.having(s.docs, true, filters...)
	} else {
		s.docs, err = v.passing(s.docs, q.PostFilters)
	}
	if err != nil {
		return Result{}, err
	}
	if q.FilterFacets {
		counted = s.docs
	}
	result := Result{Total: len(s.docs), Typed: s.typed, Fixed: s.fixed, Marker: &Marker{x, s.branches}}
	result.Facets, err = v.facets(q, counted)
	if err != nil {
		return Result{}, err
	}
	order := s.byScore
	if len(q.Sort) > 0 {
		order, err = v.order(q.Sort, s.docs)
		if err != nil {
			return Result{}, err
		}
	}
	_, ids, err := v.first(s.docs, q.From+q.Size, order)
	if err != nil {
		return Result{}, err
	}
	for _, id := range ids[min(q.From, len(ids)):] {
		result.Hits = append(result.Hits, parseID(id))
	}
	return result, ctx.Err()
}
