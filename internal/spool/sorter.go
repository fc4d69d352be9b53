package spool

import (
	"cmp"
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
	slices.SortFunc(s.items, compareItems)
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

func compareItems(a, b Item) int {
	return cmp.Or(strings.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
}

// All yields the items in order.
func (s *Sorter) All() iter.Seq[Item] {
	slices.SortFunc(s.items, compareItems)
	sorted := []iter.Seq[Item]{slices.Values(s.items)}
	if len(s.runs) == 0 {
		return sorted[0]
	}
	for _, run := range s.runs {
		sorted = append(sorted, runItems(run))
	}
	return func(yield func(Item) bool) {
		type source struct {
			item Item // the next
			next func() (Item, bool)
		}
		var sources []source
		for _, items := range sorted {
			next, stop := iter.Pull(items)
			defer stop()
			if item, ok := next(); ok {
				sources = append(sources, source{item, next})
			}
		}
		for len(sources) > 0 {
			least := 0 // there are few sources, one for every 16 MB
			for i := range sources {
				if compareItems(sources[i].item, sources[least].item) < 0 {
					least = i
				}
			}
			if !yield(sources[least].item) {
				return
			}
			if item, ok := sources[least].next(); ok {
				sources[least].item = item
			} else {
				sources = slices.Delete(sources, least, least+1)
			}
		}
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

// Close removes the files.
func (s *Sorter) Close() error {
	var errs []error
	for _, run := range s.runs {
		errs = append(errs, run.file.Close(), os.Remove(filepath.Clean(run.file.Name())))
	}
	return errors.Join(errs...)
}
