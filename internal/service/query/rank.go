package query

import (
	"context"
	"slices"

	"sitesync/internal/service/search"
	"sitesync/internal/service/tools"
)

// A pin is a pinned page that is there.
type pin struct {
	tools.Pin
	keys   []search.Key            // none where postFilters leave it out
	facets map[string]search.Facet // its values
}

// ranked searches as the rules say: pages that are hidden are left out, and those that are
// pinned stand at their ranks, or behind the others where there are fewer, where filters
// let them be and no order was asked for.
func ranked(ctx context.Context, index *search.Index, q search.Query, r tools.Rules) (search.Result, error) {
	var pins []pin
	if len(q.Sort) == 0 {
		var err error
		pins, q.Without, err = findPins(ctx, index, q, r.Pins)
		if err != nil {
			return search.Result{}, err
		}
	}
	if q.Size == 0 {
		q.From = 0
	}
	from, end := q.From, q.From+q.Size
	if len(pins) > 0 {
		q.From, q.Size = 0, end // a pin moves all that comes behind it
	}
	found, err := index.Search(ctx, q)
	if err != nil || len(pins) == 0 {
		return found, err
	}
	next := 0
	for _, p := range pins {
		if len(p.keys) > 0 {
			at := min(max(p.Rank-1, next), len(found.Hits))
			found.Hits, next = slices.Insert(found.Hits, at, p.keys...), at+1
			found.Total, found.Typed = found.Total+1, found.Typed+1
		}
		p.count(found.Facets)
	}
	found.Hits = found.Hits[min(from, len(found.Hits)):min(end, len(found.Hits))]
	return found, nil
}

// count adds the pin's values to those of the other results.
func (p pin) count(facets map[string]search.Facet) {
	for name, mine := range p.facets {
		all := facets[name]
		all.AllCount, all.MissingCount = all.AllCount+mine.AllCount, all.MissingCount+mine.MissingCount
		for _, v := range mine.Items {
			i := slices.IndexFunc(all.Items, func(c search.Count) bool { return c.Key == v.Key })
			if i < 0 {
				i, all.Items = len(all.Items), append(all.Items, search.Count{Key: v.Key})
			}
			all.Items[i].Count++
		}
		slices.SortFunc(all.Items, search.Count.Compare)
		facets[name] = all
	}
}

// findPins returns the pins whose page is there, each with its document's key, and what is
// to be left out of the other results.
func findPins(ctx context.Context, index *search.Index, q search.Query, pins []tools.Pin) (there []pin, without []string, err error) {
	q.Text, q.From, q.Size = search.Everything, 0, 1
	for _, p := range pins {
		q.Only = p.Names
		found, err := index.Search(ctx, q)
		if err != nil {
			return nil, nil, err
		}
		q.Without = append(q.Without[:len(q.Without):len(q.Without)], p.Names...) // a page stands once
		if len(found.Hits) > 0 || found.Facets[facetField].AllCount > 0 {
			there = append(there, pin{p, found.Hits, found.Facets})
		}
	}
	return there, q.Without, nil
}
