package diffstore

import (
	"context"
	"encoding/binary"
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
