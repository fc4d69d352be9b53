package diffstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"strings"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// How much of a salvage one transaction writes, at most.
const (
	salvageEntries = 5000
	salvageBytes   = 8 << 20
)

// Salvaged is the outcome of a salvage.
type Salvaged struct {
	Records   int // that were added
	Documents int // of those
	Lost      int // places in the file that could not be read
}

// Salvage adds what can be read of the ledger's file from, and this ledger does not know:
// records of documents in doubt for the given reason, texts, hosts, profile, runs; no
// approvals. Nothing that is there is changed except the generation, which is at least the
// given one, and beyond its own and that of the file; and every page is read in full in the
// next run. It errs where from can't be read or the ledger not be written; what was added
// until then stays.
func (l *Ledger) Salvage(ctx context.Context, from string, generation uint64, reason string) (Salvaged, error) {
	s := &salvage{ledger: l, reason: reason}
	t, err := openTree(from)
	if err != nil {
		return s.done, err
	}
	defer t.file.Close()
	err = l.update(func(tx *bolt.Tx) error {
		now, err := numberIn(tx, "generation")
		if err != nil {
			return err
		}
		if err := putNumber(tx, "generation", max(now+1, generation)); err != nil {
			return err
		}
		return forgetFollowed(tx)
	})
	for _, name := range buckets {
		if err == nil && name != bucketApprovals { // those are of another time
			err = t.bucket(name, func(key string, value []byte) error { return s.add(ctx, entry{name, key, value}) })
		}
	}
	s.done.Lost += t.lost
	if err == nil {
		err = s.flush()
	}
	return s.done, err
}

// salvage writes what a tree holds, as soon as a transaction is full.
type salvage struct {
	ledger *Ledger
	reason string
	wait   []entry
	size   int
	done   Salvaged
}

type entry struct {
	bucket, key string
	value       []byte
}

// add takes an entry where it is what its bucket holds.
func (s *salvage) add(ctx context.Context, e entry) error {
	if e.key == "" || len(e.key) > bolt.MaxKeySize || s.ledger.checkValue(e.bucket, e.key, e.value) != nil {
		s.done.Lost++
		return nil
	}
	s.wait, s.size = append(s.wait, e), s.size+len(e.key)+len(e.value)
	if len(s.wait) < salvageEntries && s.size < salvageBytes {
		return ctx.Err()
	}
	return s.flush()
}

func (s *salvage) flush() error {
	entries := s.wait
	s.wait, s.size = nil, 0
	return s.ledger.update(func(tx *bolt.Tx) error {
		for _, e := range entries {
			if err := s.put(tx, e.bucket, e.key, e.value); err != nil {
				return err
			}
		}
		return nil
	})
}

// put writes an entry that the ledger does not have.
func (s *salvage) put(tx *bolt.Tx, bucket, key string, value []byte) error {
	if bucket == bucketMeta && key == "generation" { // go beyond that of the file
		now, err := numberIn(tx, "generation")
		if err != nil {
			return err
		}
		return putNumber(tx, "generation", max(now, binary.BigEndian.Uint64(value)+1))
	}
	known := rawIn(tx, bucket, key) != nil
	if bucket == bucketMeta && key != "target" || known && bucket != bucketRecords {
		return nil
	}
	switch bucket {
	case bucketRecords:
		rec, err := decodeRecord(key, value, false)
		if err != nil || !strings.Contains(key, "://") {
			return nil // it is not one
		}
		// the record of an address that is not there any more must not hide the document that the index holds
		if now, err := readRecord(tx, key); err != nil || known && (now.IsDocument() || !rec.IsDocument()) {
			return nil
		}
		s.done.Records++
		if rec.IsDocument() {
			s.done.Documents++
			rec.Push, rec.Reason = document.PushDoubt, s.reason
		}
		return writeRecord(tx, key, rec)
	case bucketText:
		rec, err := readRecord(tx, key)
		if err != nil || rec.Push != document.PushDoubt || rec.Reason != s.reason || !s.ledger.keepsText {
			return err
		}
	case bucketHosts:
		var memory document.HostMemory
		if err := decodeValue(value, &memory); err != nil {
			return err
		}
		memory.Followed = ""
		return putIn(tx, bucketHosts, key, memory)
	}
	return putRaw(tx, bucket, key, value)
}

// What bbolt's file is made of: pages of one size, each with a head and elements, which may go
// on in the pages behind it. The first two hold a fileHead, of which the later one counts that
// is whole.
type (
	pageHead struct {
		Number      uint64
		Kind, Count uint16
		More        uint32 // pages behind it
	}
	branchElement struct {
		At, Key uint32
		Page    uint64
	}
	leafElement struct{ Kind, At, Key, Value uint32 } // At is from its beginning on; Key and Value are sizes
	bucketHead  struct{ Root, Sequence uint64 }
	fileHead    struct {
		Magic, Version, PageSize, Flags    uint32
		Root, Sequence, Free, Pages, Write uint64
	}
)

const (
	boltMagic   = 0xED0CDAED
	elementSize = 16 // of pageHead, bucketHead and the elements
	branchPage  = 1
	leafPage    = 2
	maxPage     = 64 << 20 // bytes, with those behind it
)

func decodeTo(v any, raw []byte) bool {
	_, err := binary.Decode(raw, binary.LittleEndian, v)
	return err == nil
}

// tree reads a ledger's file without bbolt, which a damaged page can make end the process, or
// go round in a circle. A page that is not what leads to it says costs what stands in and below
// it, and no more.
type tree struct {
	file     *os.File
	end      int64 // of the file
	pageSize int64
	met      map[uint64]bool
	lost     int // pages that could not be read, or not in full
	buckets  map[string][]byte
	magic    bool // a head says that bbolt wrote it
}

func openTree(path string) (*tree, error) {
	file, err := os.Open(path) //nolint:gosec // a file of our own
	if err != nil {
		return nil, fmt.Errorf("read ledger: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read ledger: %w", err), file.Close())
	}
	t := &tree{file: file, end: info.Size(), met: map[uint64]bool{}, buckets: map[string][]byte{}}
	return t, t.walk(t.root(), func(key string, value []byte) error {
		t.buckets[key] = value
		return nil
	})
}

// bucket visits what is stored in a bucket, if there is such a bucket.
func (t *tree) bucket(name string, visit func(key string, value []byte) error) error {
	var head bucketHead
	if !decodeTo(&head, t.buckets[name]) { // an older ledger lacks some
		return nil
	}
	if head.Root == 0 { // a small one stands in place of its address
		return t.elements(t.buckets[name][elementSize:], visit)
	}
	return t.walk(head.Root, visit)
}

// isBolt reports whether bbolt wrote the file: a head says so, or a page holds its own number.
func (t *tree) isBolt() bool {
	raw := make([]byte, 8)
	for n := uint64(2); !t.magic; n++ {
		if _, err := t.file.ReadAt(raw, int64(n)*int64(os.Getpagesize())); err != nil {
			return false
		}
		t.magic = binary.LittleEndian.Uint64(raw) == n
	}
	return true
}

// root returns the page where the tree begins; where no head is whole, one that is not there.
func (t *tree) root() (page uint64) {
	const size = 56 // of a fileHead; its checksum stands behind it
	latest, raw := uint64(0), make([]byte, elementSize+size+8)
	for at := int64(0); at <= 64<<10; at = max(512, 2*at) {
		if _, err := t.file.ReadAt(raw, at); err != nil {
			break
		}
		var head fileHead
		if !decodeTo(&head, raw[elementSize:]) || head.Magic != boltMagic {
			continue
		}
		t.magic = true
		sum := fnv.New64a()
		_, _ = sum.Write(raw[elementSize:][:size])
		if sum.Sum64() == binary.LittleEndian.Uint64(raw[elementSize+size:]) && head.PageSize >= elementSize && head.Write >= latest {
			latest, page, t.pageSize = head.Write, head.Root, int64(head.PageSize)
		}
	}
	return page
}

// walk visits what is stored in a page and below it, in the order of keys.
func (t *tree) walk(page uint64, visit func(key string, value []byte) error) error {
	var raw []byte
	if t.pageSize > 0 && page <= uint64(t.end/t.pageSize) && !t.met[page] {
		at, head := int64(page)*t.pageSize, pageHead{}
		raw = make([]byte, elementSize)
		_, err := t.file.ReadAt(raw, at)
		if err == nil && decodeTo(&head, raw) && head.Number == page {
			raw = make([]byte, min(t.pageSize*(1+int64(head.More)), t.end-at, maxPage))
			_, err = t.file.ReadAt(raw, at)
		}
		if err != nil || head.Number != page {
			raw = nil
		}
	}
	t.met[page] = true
	return t.elements(raw, visit)
}

// elements visits those of one page.
func (t *tree) elements(raw []byte, visit func(key string, value []byte) error) error {
	var head pageHead
	var below []uint64
	whole := decodeTo(&head, raw) && (head.Kind == branchPage || head.Kind == leafPage)
	for n := 1; n <= int(head.Count); n++ {
		element := raw[min(n*elementSize, len(raw)):]
		var branch branchElement
		var leaf leafElement
		switch {
		case head.Kind == branchPage && decodeTo(&branch, element):
			below = append(below, branch.Page)
		case head.Kind == leafPage && decodeTo(&leaf, element) && int(leaf.At)+int(leaf.Key)+int(leaf.Value) <= len(element):
			key, value := element[leaf.At:][:leaf.Key], element[leaf.At+leaf.Key:][:leaf.Value]
			if err := visit(string(key), value); err != nil {
				return err
			}
		default:
			whole = false
		}
	}
	if !whole {
		t.lost++
	}
	for _, page := range below {
		if err := t.walk(page, visit); err != nil {
			return err
		}
	}
	return nil
}
