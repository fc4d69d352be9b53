package plan

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// flushBytes is how much may wait in memory before it is written.
const flushBytes = 1 << 20

// pile keeps values of one kind on disk until the totals are known.
type pile[T any] struct {
	log *spool.Log
	n   int
}

func newPile[T any](dir, name string) (*pile[T], error) {
	path := filepath.Join(dir, name+".pile")
	if err := os.RemoveAll(path); err != nil {
		return nil, fmt.Errorf("clear work folder: %w", err)
	}
	log, err := spool.OpenLog(path)
	if err != nil {
		return nil, err
	}
	return &pile[T]{log: log}, nil
}

// add piles up v, with raw bytes that are not to be encoded again behind it.
func (p *pile[T]) add(v T, raw []byte) error {
	head, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("spool a verdict: %w", err)
	}
	record := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(head)+len(raw)), uint32(len(head)))
	record = append(append(record, head...), raw...)
	p.log.Append(record)
	p.n++
	if p.log.Pending() > flushBytes {
		return p.log.Flush()
	}
	return nil
}

// each visits what was piled up, in order.
func (p *pile[T]) each(visit func(v T, raw []byte) error) error {
	if err := p.log.Flush(); err != nil {
		return err
	}
	read := 0
	for _, record := range p.log.All() {
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
	if read != p.n {
		return fmt.Errorf("read the spooled verdicts of %s: %d of %d are there; the disk is damaged, name another store.work", p.path(), read, p.n)
	}
	return nil
}

func (p *pile[T]) close() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.log.Abandon(), os.Remove(p.path()))
}

func (p *pile[T]) path() string { return p.log.Path() }

// changeOrder is the order of the piles: new documents before changes, changes before
// deletes, so that nothing is gone before what replaces it is there.
var changeOrder = [...]document.Op{putNew, document.Put, document.Patch, document.Delete}

// putNew is the pile of puts of what the index may lack; those of acknowledged
// documents have their own.
const putNew document.Op = "put-new"

func pileOf(c *document.Change) document.Op {
	switch c.Cause {
	case document.CauseNew, document.CauseRetry, document.CauseInDoubt:
		return putNew
	}
	return c.Op
}
