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

const (
	sortChunk  = 4 << 20 // a Sorter whose items take so many bytes of memory writes the items to a file
	flushBytes = 1 << 20 // a log whose pending records have more bytes is flushed
)

// Item is one entry of a Sorter.
type Item struct {
	Key   string
	Value int64
}

// Sorter sorts items by key, then by value. The items need not fit in memory.
type Sorter struct {
	scratch *Scratch
	items   []Item
	bytes   int
	runs    []*Log
}

// Add adds an item. Scratch.Err returns the errors of writing and of reading.
func (s *Sorter) Add(key string, value int64) {
	if s.scratch.err != nil {
		return
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
	s.runs, s.scratch.files = append(s.runs, run), append(s.scratch.files, run)
	for _, item := range s.items {
		run.Append(append(binary.LittleEndian.AppendUint64(nil, uint64(item.Value)), item.Key...))
		if run.Pending() > flushBytes {
			if err := run.Flush(); err != nil {
				return err
			}
		}
	}
	clear(s.items)
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
	for _, run := range s.runs { // a chain of merges: a tree would need more coroutine switches
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

// Scratch is a folder for the temporary files of sorters and spills.
type Scratch struct {
	dir   string
	files []*Log
	err   error
}

// NewScratch returns a Scratch for files in the folder dir.
func NewScratch(dir string) *Scratch { return &Scratch{dir: dir} }

// Close deletes the files of all sorters and spills.
func (s *Scratch) Close() {
	for _, file := range s.files {
		file.remove()
	}
}

// Err returns the first disk error of a sorter. After an error, sorters may yield only a part of their items.
func (s *Scratch) Err() error { return s.err }

// Sorter returns a new sorter, which is valid until s is closed.
func (s *Scratch) Sorter() *Sorter { return &Sorter{scratch: s} }

// Grouped yields the items of a sorter whose keys come from GroupKey, one group at a time. Each group yields
// its URLs in order, with their values.
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
			for range urls { // skips the URLs that the caller did not read
			}
		}
	}
}

// GroupKey returns the Sorter key of a URL in a group, for Grouped.
func GroupKey(group, url string) string { return group + "\x00" + url }

// Spill stores values of one type on disk.
type Spill[T any] struct {
	scratch *Scratch
	name    string
	log     *Log
	n       int
	err     error
}

// NewSpill returns an empty spill, which is valid until s is closed. name must be unique in s.
func NewSpill[T any](s *Scratch, name string) *Spill[T] { return &Spill[T]{scratch: s, name: name} }

// Add appends a value, and raw bytes that belong to it. Errors of Add are returned by Each.
func (s *Spill[T]) Add(v T, raw []byte) {
	if s.err != nil {
		return
	}
	if s.log == nil {
		path := filepath.Join(s.scratch.dir, s.name+".spill")
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.err = fmt.Errorf("clear work folder: %w", err)
			return
		}
		s.log, s.err = OpenLog(path)
		if s.err != nil {
			return
		}
		s.scratch.files = append(s.scratch.files, s.log)
	}
	head := Encode(v)
	s.log.Append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head, raw)
	s.n++
	if s.log.Pending() > flushBytes {
		s.err = s.log.Flush()
	}
}

// Each calls visit for all values in the order in which they were added. It returns the first error of Add or
// visit, and ErrCorrupt if the file is damaged.
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

// Len returns the number of values.
func (s *Spill[T]) Len() int { return s.n }
