package plan

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"sitesync/internal/spool"
)

// flushBytes is how much may wait in memory before it is written.
const flushBytes = 1 << 20

// scratch is the disk space of one part of a plan.
type scratch struct {
	dir     string
	closers []func() error
}

// close removes the files of all that was made in s.
func (s *scratch) close() {
	for _, closer := range s.closers {
		_ = closer()
	}
}

func (s *scratch) sorter() *spool.Sorter {
	sorter := spool.NewSorter(s.dir)
	s.closers = append(s.closers, sorter.Close)
	return sorter
}

// grouped yields the entries of a sorter whose keys are made by groupKey: each group with
// its URLs in order, and their values.
func grouped(s *spool.Sorter) iter.Seq2[string, iter.Seq2[string, int64]] {
	return func(yield func(string, iter.Seq2[string, int64]) bool) {
		next, stop := iter.Pull(s.All())
		defer stop()
		item, more := next()
		for more {
			group := item.Key[:strings.IndexByte(item.Key, 0)+1]
			urls := func(yield func(string, int64) bool) {
				for more && strings.HasPrefix(item.Key, group) {
					one := item
					if item, more = next(); !yield(one.Key[len(group):], one.Value) {
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

func groupKey(group, url string) string { return group + "\x00" + url }

// spill keeps values of one kind on disk until the totals are known.
type spill[T any] struct {
	path string
	log  *spool.Log // nil: nothing was written
	n    int
}

func newSpill[T any](s *scratch, name string) *spill[T] {
	p := &spill[T]{path: filepath.Join(s.dir, name+".spill")}
	s.closers = append(s.closers, p.close)
	return p
}

// write appends v, with raw bytes that are not to be encoded again behind it.
func (s *spill[T]) write(v T, raw []byte) error {
	if s.log == nil {
		if err := os.RemoveAll(s.path); err != nil {
			return fmt.Errorf("clear work folder: %w", err)
		}
		log, err := spool.OpenLog(s.path)
		if err != nil {
			return err
		}
		s.log = log
	}
	head, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("spool a verdict: %w", err)
	}
	record := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(head)+len(raw)), uint32(len(head)))
	s.log.Append(append(append(record, head...), raw...))
	s.n++
	if s.log.Pending() > flushBytes {
		return s.log.Flush()
	}
	return nil
}

// read visits the values in the order in which they were written.
func (s *spill[T]) read(visit func(v T, raw []byte) error) error {
	if s.log == nil {
		return nil
	}
	if err := s.log.Flush(); err != nil {
		return err
	}
	read := 0
	for _, record := range s.log.All() {
		read++
		size := 4 + binary.LittleEndian.Uint32(record)
		var v T
		if err := json.Unmarshal(record[4:size], &v); err != nil {
			return fmt.Errorf("read a spooled verdict: %w", err)
		}
		if err := visit(v, record[size:]); err != nil {
			return err
		}
	}
	if read != s.n {
		return fmt.Errorf("read the spooled verdicts of %s: %d of %d are there; the disk is damaged, name another store.work", s.path, read, s.n)
	}
	return nil
}

func (s *spill[T]) close() error {
	if s.log == nil {
		return nil
	}
	return errors.Join(s.log.Abandon(), os.Remove(s.path))
}
