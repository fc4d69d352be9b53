package query

import (
	"cmp"
	"context"
	"math"
	"slices"

	"sitesync/internal/service/search"
	"sitesync/internal/service/tools"
)

// A pin is a pinned page that is there.
type pin struct {
	tools.Pin
	key    search.Key
	facets map[string][]search.Count // its values
}

// ranked searches as the rules say: pages that are hidden are left out, and those that are
// pinned stand at their ranks, where filters let them be and no order was asked for.
func ranked(ctx context.Context, index *search.Index, q search.Query, r tools.Rules) (search.Result, error) {
	q.Without = r.Hidden
	var pins []pin
	if len(q.Sort) == 0 {
		var err error
		if pins, err = findPins(ctx, index, q, r.Pins); err != nil {
			return search.Result{}, err
		}
	}
	from, size := q.From, q.Size
	for _, p := range pins {
		q.Without = append(q.Without[:len(q.Without):len(q.Without)], p.Names...)
	}
	q.From -= before(positions(pins, math.MaxInt32), from)
	found, err := index.Search(ctx, q)
	if err != nil || len(pins) == 0 {
		return found, err
	}
	found.Hits = interleave(pins, found.Hits, q.From, found.Total, from, size)
	found.Total += len(pins)
	for _, p := range pins {
		p.count(found.Facets)
	}
	return found, nil
}

// count adds the pin's values to those of the other results.
func (p pin) count(facets map[string][]search.Count) {
	for name, values := range p.facets {
		all := facets[name]
		for _, v := range values {
			i := slices.IndexFunc(all, func(c search.Count) bool { return c.Value == v.Value })
			if i < 0 {
				i, all = len(all), append(all, search.Count{Value: v.Value})
			}
			all[i].Count++
		}
		slices.SortFunc(all, func(a, b search.Count) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
		})
		facets[name] = all
	}
}

// findPins returns the pins whose page is there, each with its document's key.
func findPins(ctx context.Context, index *search.Index, q search.Query, pins []tools.Pin) (there []pin, err error) {
	q.Text, q.From, q.Size = search.Everything, 0, 1
	for _, p := range pins {
		q.Only = p.Names
		found, err := index.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		q.Without = append(q.Without[:len(q.Without):len(q.Without)], p.Names...) // a page stands once
		if len(found.Hits) > 0 {
			there = append(there, pin{p, found.Hits[0], found.Facets})
		}
	}
	return there, nil
}

// positions returns where each pin stands among all results, from 0 on: at its rank, or
// behind the others where there are fewer.
func positions(pins []pin, others int) []int {
	at := make([]int, len(pins))
	next := 0
	for i, p := range pins {
		at[i] = max(min(p.Rank-1, others+i), next)
		next = at[i] + 1
	}
	return at
}

// before returns how many positions are below one.
func before(positions []int, position int) int {
	n, _ := slices.BinarySearch(positions, position)
	return n
}

// interleave returns the results of a window: pins at their positions, and of the others, which
// begin with the one numbered first, those between.
func interleave(pins []pin, others []search.Key, first, total, from, size int) (window []search.Key) {
	at := positions(pins, total)
	for position := from; position < min(from+size, total+len(pins)); position++ {
		n, pinned := slices.BinarySearch(at, position)
		if pinned {
			window = append(window, pins[n].key)
		} else if other := position - n - first; other < len(others) {
			window = append(window, others[other])
		}
	}
	return window
}
