package spool

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sortChunk is how many bytes a Sorter keeps in memory before it writes a run.
const sortChunk = 4 << 20

// Item is one entry of a Sorter.
type Item struct {
	Key   string
	Value int64
}

// Sorter sorts more items than fit in memory by key, then value.
type Sorter struct {
	scratch *Scratch
	items   []Item
	bytes   int
	runs    []*Log
}

// Add takes one item in. An error of writing, and later of reading, is kept for Scratch.Err.
func (s *Sorter) Add(key string, value int64) {
	if s.scratch.err != nil {
		return // nothing is sorted any more
	}
	s.items = append(s.items, Item{key, value})
	s.bytes += len(key) + 24
	if s.bytes >= sortChunk {
		s.scratch.err = s.spill()
	}
}

func (s *Sorter) spill() error {
	slices.SortFunc(s.items, compareItems)
	file, err := os.CreateTemp(s.scratch.dir, "sort-*.run")
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
	clear(s.items) // else the keys stay in memory
	s.items, s.bytes = s.items[:0], 0
	return run.Flush()
}

func compareItems(a, b Item) int {
	return cmp.Or(strings.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
}

// All yields the items in order.
func (s *Sorter) All() iter.Seq[Item] {
	slices.SortFunc(s.items, compareItems)
	sorted := slices.Values(s.items)
	for _, run := range s.runs { // in a row: a tree of merges would switch between more coroutines
		sorted = merge(sorted, func(yield func(Item) bool) {
			for _, record := range run.All() {
				if !yield(Item{string(record[8:]), int64(binary.LittleEndian.Uint64(record))}) {
					return
				}
			}
			s.scratch.err = cmp.Or(s.scratch.err, run.Err())
		})
	}
	return sorted
}

// merge yields the items of two sorted sequences in order.
func merge(a, b iter.Seq[Item]) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		next, stop := iter.Pull(b)
		defer stop()
		other, more := next()
		for item := range a {
			for ; more && compareItems(other, item) < 0; other, more = next() {
				if !yield(other) {
					return
				}
			}
			if !yield(item) {
				return
			}
		}
		for ; more && yield(other); other, more = next() {
		}
	}
}

// flushBytes is how much may wait in memory before it is written.
const flushBytes = 1 << 20

// Scratch is disk space for sorters and spills, which end together. The zero value has no
// folder; make one with NewScratch.
type Scratch struct {
	dir     string
	closers []func()
	err     error // of a sorter
}

// NewScratch returns disk space in a folder.
func NewScratch(dir string) *Scratch { return &Scratch{dir: dir} }

// Close removes the files of all that was made in s.
func (s *Scratch) Close() {
	for _, closer := range s.closers {
		closer()
	}
}

// Err returns the first error of the disk that a sorter of s met: what they yield since is
// not all that was added.
func (s *Scratch) Err() error { return s.err }

// Sorter returns a sorter that ends with s.
func (s *Scratch) Sorter() *Sorter {
	sorter := &Sorter{scratch: s}
	s.closers = append(s.closers, func() {
		for _, run := range sorter.runs {
			run.remove()
		}
	})
	return sorter
}

// Grouped yields the entries of a sorter whose keys were made by GroupKey: each group with
// its URLs in order, and their values.
func Grouped(s *Sorter) iter.Seq2[string, iter.Seq2[string, int64]] {
	return func(yield func(string, iter.Seq2[string, int64]) bool) {
		next, stop := iter.Pull(s.All())
		defer stop()
		item, more := next()
		for more {
			group := item.Key[:strings.IndexByte(item.Key, 0)+1]
			urls := func(yield func(string, int64) bool) {
				for more && strings.HasPrefix(item.Key, group) {
					one := item
					item, more = next()
					if !yield(one.Key[len(group):], one.Value) {
						return
					}
				}
			}
			if !yield(group[:len(group)-1], urls) {
				return
			}
			for range urls { // what the visitor left
			}
		}
	}
}

// GroupKey returns the key of a URL in a group.
func GroupKey(group, url string) string { return group + "\x00" + url }

// Spill keeps values of one kind on disk until the totals are known. An error of writing
// is kept until they are read.
type Spill[T any] struct {
	path string
	log  *Log // nil: nothing was written
	n    int
	err  error
}

// NewSpill returns a spill with a name of its own in s, with which it ends.
func NewSpill[T any](s *Scratch, name string) *Spill[T] {
	p := &Spill[T]{path: filepath.Join(s.dir, name+".spill")}
	s.closers = append(s.closers, func() {
		if p.log != nil {
			p.log.remove()
		}
	})
	return p
}

// Add appends v, with raw bytes that are not to be encoded again behind it.
func (s *Spill[T]) Add(v T, raw []byte) {
	if s.err != nil {
		return
	}
	if s.log == nil {
		if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.err = fmt.Errorf("clear work folder: %w", err)
			return
		}
		s.log, s.err = OpenLog(s.path)
		if s.err != nil {
			return
		}
	}
	head := Encode(v)
	s.log.Append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head, raw)
	s.n++
	if s.log.Pending() > flushBytes {
		s.err = s.log.Flush()
	}
}

// Each visits the values in the order in which they were added. It errs with what visit
// returns, when they could not be written, and with ErrCorrupt when the disk lost some.
func (s *Spill[T]) Each(visit func(v T, raw []byte) error) error {
	if s.err != nil || s.log == nil {
		return s.err
	}
	if err := s.log.Flush(); err != nil {
		return err
	}
	for _, record := range s.log.All() {
		size := 4 + binary.LittleEndian.Uint32(record)
		var v T
		if err := Decode(record[4:size], &v); err != nil {
			return fmt.Errorf("read a spooled verdict: %w", err)
		}
		if err := visit(v, record[size:]); err != nil {
			return err
		}
	}
	return s.log.Err()
}

// Len returns how many values were added.
func (s *Spill[T]) Len() int { return s.n }
