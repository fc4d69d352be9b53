package plan

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sitesync/internal/spool"
)

// flushBytes is how much may wait in memory before it is written.
const flushBytes = 1 << 20

// spill keeps values of one kind on disk until the totals are known.
type spill[T any] struct {
	log *spool.Log
	n   int
}

func newSpill[T any](dir, name string) (*spill[T], error) {
	path := filepath.Join(dir, name+".spill")
	if err := os.RemoveAll(path); err != nil {
		return nil, fmt.Errorf("clear work folder: %w", err)
	}
	log, err := spool.OpenLog(path)
	if err != nil {
		return nil, err
	}
	return &spill[T]{log: log}, nil
}

// write appends v, with raw bytes that are not to be encoded again behind it.
func (s *spill[T]) write(v T, raw []byte) error {
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
		return fmt.Errorf("read the spooled verdicts of %s: %d of %d are there; the disk is damaged, name another store.work", s.log.Path(), read, s.n)
	}
	return nil
}

// close removes the file.
func (s *spill[T]) close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.log.Abandon(), os.Remove(s.log.Path()))
}
