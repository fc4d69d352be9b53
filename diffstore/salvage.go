package diffstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// One transaction of a salvage covers so many entries, or so many bytes.
const (
	salvageEntries = 5000
	salvageBytes   = 8 << 20
)

// Glimpse is what a ledger's file says of itself, as far as it can be read.
type Glimpse struct {
	Target     document.Target
	Pinned     bool // there is a target
	Generation uint64
	Schema     uint64
}

// Glance reads what the file at path says of itself. Nothing in it can break the
// program. It errs where the file can't be read.
func Glance(path string) (g Glimpse, err error) {
	err = withPages(path, func(f *pageFile) error {
		f.buckets(func(name string) bool { return name == bucketMeta }, func(_, key string, value []byte) {
			switch {
			case key == "target":
				g.Pinned = decodeValue(value, &g.Target) == nil
			case key == "generation" && len(value) == 8:
				g.Generation = binary.BigEndian.Uint64(value)
			case key == "schema" && len(value) == 8:
				g.Schema = binary.BigEndian.Uint64(value)
			}
		})
		return nil
	})
	return g, err
}

// IsLedger reports whether the file at path is a ledger, or was one before it was
// damaged: anything else has no parts of a ledger, or no pages at all. Nothing in it
// can break the program.
func IsLedger(path string) (is bool) {
	err := withPages(path, func(f *pageFile) error {
		if f.root == 0 {
			is = f.hasPage()
			return nil
		}
		f.buckets(func(name string) bool {
			is = is || name == bucketRecords || name == bucketApprovals
			return false
		}, nil)
		is = is || f.bad > 0
		return nil
	})
	return err == nil && is
}

func withPages(path string, do func(*pageFile) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read ledger: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("read ledger: %w", err)
	}
	return do(openPages(file, info.Size()))
}

// Salvaged is what became of a salvage.
type Salvaged struct {
	Records   int // that were added
	Documents int // of those
	Lost      int // pages, or parts of pages, that could not be read
}

// Salvage adds all that can be read of the ledger's file from, and that this ledger
// does not know: records of documents in doubt for the given reason, texts, hosts,
// profile, runs; no approvals. Nothing that is there is changed but for the
// generation, which is at least the given one, and beyond its own and that of the
// file; and every page is read in full in the next run. Nothing in the file can
// break the program. It errs where from can't be read or the ledger not be written;
// what was added until then stays.
func (l *Ledger) Salvage(from string, generation uint64, reason string) (Salvaged, error) {
	s := &salvage{ledger: l, reason: reason}
	g, err := Glance(from)
	if err != nil {
		return s.done, err
	}
	if err := l.update(func(tx *bolt.Tx) error { return l.outdate(tx, g, generation) }); err != nil {
		return s.done, err
	}
	err = withPages(from, func(f *pageFile) error {
		f.buckets(func(name string) bool {
			return name != bucketMeta && name != bucketApprovals && slices.Contains(buckets[:], name)
		}, s.add)
		if s.done.Lost = f.bad; f.bad > 0 {
			s.proved = true
			f.strays(func(key string, value []byte) { s.add(bucketRecords, key, value) })
		}
		return errors.Join(s.err, s.flush())
	})
	return s.done, err
}

// outdate makes every plan a thing of the past, and the next run a whole one.
func (l *Ledger) outdate(tx *bolt.Tx, g Glimpse, generation uint64) error {
	now, err := l.generationIn(tx)
	if err != nil {
		return err
	}
	if err := putNumber(tx, "generation", max(now+1, g.Generation+1, generation)); err != nil {
		return err
	}
	if tx.Bucket([]byte(bucketMeta)).Get([]byte("target")) == nil && g.Pinned {
		if err := putIn(tx, bucketMeta, "target", g.Target); err != nil {
			return err
		}
	}
	return forgetFollowed(tx)
}

// salvage gathers entries until a transaction is full.
type salvage struct {
	ledger *Ledger
	reason string
	proved bool // only records whose checksum is right: they may be anything
	wait   []entry
	size   int
	done   Salvaged
	err    error
}

type entry struct {
	bucket, key string
	value       []byte
}

// add takes an entry where it is what its bucket holds.
func (s *salvage) add(bucket, key string, value []byte) {
	fits := key != "" && len(key) <= bolt.MaxKeySize && s.ledger.checkValue(bucket, key, value) == nil
	if s.err != nil || !fits || s.proved && (len(value) == 0 || value[0] != recordFormat) {
		return
	}
	s.wait, s.size = append(s.wait, entry{bucket, key, value}), s.size+len(key)+len(value)
	if len(s.wait) == salvageEntries || s.size > salvageBytes {
		s.err = s.flush()
	}
}

func (s *salvage) flush() error {
	entries := s.wait
	s.wait, s.size = nil, 0
	if s.err != nil || len(entries) == 0 {
		return nil
	}
	return s.ledger.update(func(tx *bolt.Tx) error {
		for _, e := range entries {
			if err := s.put(tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// put writes an entry that the ledger does not have.
func (s *salvage) put(tx *bolt.Tx, e entry) error {
	b, err := tx.CreateBucketIfNotExists([]byte(e.bucket)) // there may be none for tools yet
	if err != nil {
		return err
	}
	if b.Get([]byte(e.key)) != nil {
		return nil
	}
	switch e.bucket {
	case bucketRecords:
		return s.record(tx, e)
	case bucketText:
		rec, err := readRecord(tx, e.key)
		if err != nil || rec.Push != document.PushDoubt || rec.Reason != s.reason || !s.ledger.keepsText {
			return err
		}
	case bucketHosts:
		var memory document.HostMemory
		if err := decodeValue(e.value, &memory); err != nil {
			return err
		}
		memory.Followed = ""
		return putIn(tx, bucketHosts, e.key, memory)
	}
	b.FillPercent = fill
	return b.Put([]byte(e.key), e.value)
}

func (s *salvage) record(tx *bolt.Tx, e entry) error {
	rec, err := decodeRecord(e.key, e.value, false)
	if err != nil || !strings.Contains(e.key, "://") {
		return nil // it is not one
	}
	s.done.Records++
	if rec.IsDocument() {
		s.done.Documents++
		rec.Push, rec.Reason = document.PushDoubt, s.reason
	}
	return writeRecord(tx, e.key, rec)
}
