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

// order returns a comparison of documents by their values.
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
		if c.of[doc] >= 0 {
			ranks[doc] = place[c.of[doc]]
		}
	}
	return ranks
}

// first returns the first documents in an order and their IDs, by which those are ordered
// that are alike.
func (v *view) first(docs []uint32, size int, order func(a, b uint32) int) (best []uint32, ids []string, err error) {
	if size <= 0 {
		return nil, nil, nil
	}
	id := func(doc uint32) string {
		id, failed := v.id(doc)
		err = cmp.Or(err, failed)
		return id
	}
	for _, doc := range docs {
		best = insert(best, size, doc, func(a, b uint32) int {
			if n := order(a, b); n != 0 {
				return n
			}
			return strings.Compare(id(a), id(b))
		})
	}
	for _, doc := range best {
		ids = append(ids, id(doc))
	}
	return best, ids, err
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
