package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Order sorts by a field's values: as dates where its name ends in _date, as numbers
// where it ends in _number. Documents without one come last.
type Order struct {
	Field string
	Desc  bool
}

// order returns a comparison of documents by their values. Of several values of a field the
// first in the order counts.
func (v *view) order(orders []Order, docs []uint32) (func(a, b uint32) int, error) {
	var ranks [][]int32 // of each document, by order
	for _, o := range orders {
		err := v.use(o.Field, docs, func(c *column) { ranks = append(ranks, c.ranks(o, v.size, docs)) })
		if err != nil {
			return nil, err
		}
	}
	return func(a, b uint32) int {
		for _, rank := range ranks {
			if rank[a] != rank[b] {
				return cmp.Compare(rank[a], rank[b])
			}
		}
		return 0
	}, nil
}

// ranks returns where each document stands by one order.
func (c *column) ranks(o Order, size int, docs []uint32) []int32 {
	const none = math.MaxInt32
	date := strings.HasSuffix(o.Field, "_date")
	compare := func(a, b int) int { return cmp.Compare(c.values[a], c.values[b]) }
	var numbers []float64
	if date || strings.HasSuffix(o.Field, "_number") {
		numbers = c.numbers(date)
		compare = func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) }
	}
	place := make([]int32, len(c.values)) // of a value
	var sorted []int
	for i := range c.values {
		place[i] = none
		if numbers == nil || !math.IsNaN(numbers[i]) {
			sorted = append(sorted, i)
		}
	}
	slices.SortFunc(sorted, func(a, b int) int {
		if o.Desc {
			a, b = b, a
		}
		return compare(a, b)
	})
	for n, i := range sorted {
		place[i] = int32(n) //nolint:gosec // there are fewer documents
		if n > 0 && compare(sorted[n-1], i) == 0 {
			place[i] = place[sorted[n-1]]
		}
	}
	ranks := make([]int32, size)
	for _, doc := range docs {
		ranks[doc] = none
		c.each(doc, func(value int32) { ranks[doc] = min(ranks[doc], place[value]) })
	}
	return ranks
}

// first returns the first documents in an order and their IDs, by which those are ordered
// that are alike.
func (v *view) first(docs []uint32, size int, order func(a, b uint32) int) ([]uint32, []string, error) {
	size = min(size, len(docs))
	if size <= 0 {
		return nil, nil, nil
	}
	docs = upTo(docs, size, order)
	if len(docs) > size+maxAlike {
		places, err := v.places()
		if err != nil {
			return nil, nil, err
		}
		docs = upTo(docs, size, func(a, b uint32) int { return cmp.Or(order(a, b), cmp.Compare(places[a], places[b])) })
	}
	ids := make(map[uint32]string, len(docs))
	for _, doc := range docs {
		id, err := v.id(doc)
		if err != nil {
			return nil, nil, err
		}
		ids[doc] = id
	}
	slices.SortFunc(docs, func(a, b uint32) int { return cmp.Or(order(a, b), cmp.Compare(ids[a], ids[b])) })
	all := make([]string, size)
	for i := range all {
		all[i] = ids[docs[i]]
	}
	return docs[:size], all, nil
}

// maxAlike is how many IDs are read for one search; beyond it all are, for all searches.
const maxAlike = 1000

// places returns where each document stands in the order of IDs.
func (v *view) places() ([]uint32, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.byID != nil {
		return v.byID, nil
	}
	docs, ids, places := slices.Clone(v.docs), make([]string, v.size), make([]uint32, v.size)
	for _, doc := range docs {
		var err error
		ids[doc], err = v.id(doc)
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(docs, func(a, b uint32) int { return cmp.Compare(ids[a], ids[b]) })
	for n, doc := range docs {
		places[doc] = uint32(n) //nolint:gosec // there are fewer documents
	}
	v.byID = places
	return places, nil
}

// upTo returns the first documents in an order, and those that are like the last of them.
func upTo(docs []uint32, size int, order func(a, b uint32) int) []uint32 {
	var best []uint32
	for _, doc := range docs {
		best = insert(best, size, doc, order)
	}
	return slices.DeleteFunc(slices.Clone(docs), func(doc uint32) bool { return order(doc, best[size-1]) > 0 })
}

// insert puts one in its place among the first ones in an order, size at most.
func insert[T any](all []T, size int, one T, order func(a, b T) int) []T {
	if len(all) == size && order(one, all[size-1]) >= 0 {
		return all
	}
	at, _ := slices.BinarySearchFunc(all, one, order)
	all = slices.Insert(all, at, one)
	return all[:min(size, len(all))]
}
