package spool

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sortChunk is how many bytes a Sorter keeps in memory before it writes a run.
const sortChunk = 16 << 20

// Item is one entry of a Sorter.
type Item struct {
	Key   string
	Value int64
}

// Sorter sorts more items than fit in memory by key, then value.
type Sorter struct {
	dir   string
	items []Item
	bytes int
	runs  []*Log
}

// NewSorter returns a sorter that spills into files in dir.
func NewSorter(dir string) *Sorter { return &Sorter{dir: dir} }

// Add takes one item in.
func (s *Sorter) Add(key string, value int64) error {
	s.items = append(s.items, Item{key, value})
	s.bytes += len(key) + 24
	if s.bytes < sortChunk {
		return nil
	}
	return s.spill()
}

func (s *Sorter) spill() error {
	s.sort()
	file, err := os.CreateTemp(s.dir, "sort-*.run")
	if err != nil {
		return fmt.Errorf("sort on disk: %w", err)
	}
	run := &Log{file: file}
	for _, item := range s.items {
		run.Append(append(binary.LittleEndian.AppendUint64(nil, uint64(item.Value)), item.Key...))
		if run.Pending() > 1<<20 {
			if err := run.Flush(); err != nil {
				return err
			}
		}
	}
	s.runs = append(s.runs, run)
	s.items, s.bytes = s.items[:0], 0
	return run.Flush()
}

func (s *Sorter) sort() { slices.SortFunc(s.items, compareItems) }

func compareItems(a, b Item) int {
	if c := strings.Compare(a.Key, b.Key); c != 0 {
		return c
	}
	return cmp.Compare(a.Value, b.Value)
}

// All yields the items in order.
func (s *Sorter) All() iter.Seq[Item] {
	s.sort()
	return func(yield func(Item) bool) {
		sources := []func() (Item, bool){nextOf(s.items)}
		for _, run := range s.runs {
			next, stop := iter.Pull(runItems(run))
			defer stop()
			sources = append(sources, next)
		}
		merge(sources, yield)
	}
}

func nextOf(items []Item) func() (Item, bool) {
	return func() (Item, bool) {
		if len(items) == 0 {
			return Item{}, false
		}
		item := items[0]
		items = items[1:]
		return item, true
	}
}

func runItems(run *Log) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, record := range run.All() {
			if !yield(Item{string(record[8:]), int64(binary.LittleEndian.Uint64(record))}) {
				return
			}
		}
	}
}

func merge(sources []func() (Item, bool), yield func(Item) bool) {
	h := &mergeHeap{}
	for _, next := range sources {
		if item, ok := next(); ok {
			heap.Push(h, head{item, next})
		}
	}
	for h.Len() > 0 {
		top := &(*h)[0]
		if !yield(top.item) {
			return
		}
		item, ok := top.next()
		if !ok {
			heap.Pop(h)
			continue
		}
		top.item = item
		heap.Fix(h, 0)
	}
}

type head struct {
	item Item
	next func() (Item, bool)
}

type mergeHeap []head

func (h mergeHeap) Len() int           { return len(h) }
func (h mergeHeap) Less(i, j int) bool { return compareItems(h[i].item, h[j].item) < 0 }
func (h mergeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *mergeHeap) Push(x any)        { *h = append(*h, x.(head)) }
func (h *mergeHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// Close removes the files.
func (s *Sorter) Close() error {
	var errs []error
	for _, run := range s.runs {
		errs = append(errs, run.file.Close(), os.Remove(filepath.Clean(run.file.Name())))
	}
	return errors.Join(errs...)
}
