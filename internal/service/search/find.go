package search

import (
	"cmp"
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
	pins, err := v.pinned(&q)
	if err != nil {
		return Result{}, err
	}
	s, err := x.match(ctx, v, q)
	if err != nil {
		return Result{}, err
	}
	counted := slices.Clone(s.docs)
	for _, p := range pins {
		counted = append(counted, p.doc)
	}
	docs := slices.Clone(counted)
	if filters := q.PostFilters.all(); q.PostAny && len(filters) > 0 {
		docs, err = v.having(docs, true, filters...)
	} else {
		docs, err = v.passing(docs, q.PostFilters)
	}
	if err != nil {
		return Result{}, err
	}
	if q.FilterFacets {
		counted = docs
	}
	pins = slices.DeleteFunc(pins, func(p pinned) bool { return !slices.Contains(docs, p.doc) })
	result := Result{Total: len(docs), Typed: s.typed + len(pins), Fixed: s.fixed, Marker: &Marker{x, s.branches}}
	result.Facets, err = v.facets(q, counted)
	if err != nil {
		return Result{}, err
	}
	result.Hits, err = s.hits(docs, pins)
	return result, cmp.Or(err, ctx.Err())
}

// A pinned document stands at a rank, from 1 on.
type pinned struct {
	doc  uint32
	rank int
}

// pinned returns the first document of each of the query's pins that filters let be, and
// leaves them out of what else the query finds: a page stands once.
func (v *view) pinned(q *Query) (all []pinned, err error) {
	for _, p := range q.Pins {
		only := *q
		only.Only = p.Names
		docs, err := v.narrow(only, slices.Clone(v.docs))
		if err != nil {
			return nil, err
		}
		docs, _, err = v.first(docs, 1, func(_, _ uint32) int { return 0 })
		if err != nil {
			return nil, err
		}
		for _, doc := range docs {
			all = append(all, pinned{doc, p.Rank})
		}
		q.Without = append(q.Without[:len(q.Without):len(q.Without)], p.Names...)
	}
	return all, nil
}

// hits returns the page of documents that the query asks for: those that are pinned at their
// ranks, or behind the others where there are fewer.
func (s *scan) hits(docs []uint32, pins []pinned) (hits []Key, err error) {
	order := s.byScore
	if len(s.query.Sort) > 0 {
		order, err = s.view.order(s.query.Sort, docs)
		if err != nil {
			return nil, err
		}
	}
	isPinned := func(doc uint32) bool { return slices.ContainsFunc(pins, func(p pinned) bool { return p.doc == doc }) }
	end := s.query.From + s.query.Size
	best, _, err := s.view.first(slices.DeleteFunc(docs, isPinned), end, order)
	next := 0
	for _, p := range pins {
		at := min(max(p.rank-1, next), len(best))
		best, next = slices.Insert(best, at, p.doc), at+1
	}
	for _, doc := range best[min(s.query.From, len(best)):min(end, len(best))] {
		id, failed := s.view.id(doc)
		err = cmp.Or(err, failed)
		hits = append(hits, parseID(id))
	}
	return hits, err
}
