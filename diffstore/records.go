package diffstore

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Get returns the record of id, nil when there is none.
func (l *Ledger) Get(id string) (*document.Record, error) { return l.record(id, false) }

// Brief returns the record of id as Get does, but without its Fields.
func (l *Ledger) Brief(id string) (*document.Record, error) { return l.record(id, true) }

func (l *Ledger) record(id string, brief bool) (rec *document.Record, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(bucketRecords))
		if b == nil {
			return nil
		}
		if data := b.Get([]byte(id)); data != nil {
			rec, err = l.decode(id, data, brief)
		}
		return err
	})
	return rec, err
}

// readRecord returns the record of id to be changed: an empty one when there is
// none.
func readRecord(tx *bolt.Tx, id string) (*document.Record, error) {
	data := tx.Bucket([]byte(bucketRecords)).Get([]byte(id))
	if data == nil {
		return &document.Record{ID: id}, nil
	}
	return decodeRecord(id, data, false)
}

func writeRecord(tx *bolt.Tx, id string, rec *document.Record) error {
	b := tx.Bucket([]byte(bucketRecords))
	b.FillPercent = fill
	return b.Put([]byte(id), encodeRecord(id, rec))
}

// Records calls visit for every record in the order of IDs, with a function that
// decodes it: briefly, without its Fields, or whole. It ends with the first error,
// visit's own included.
func (l *Ledger) Records(visit func(id string, decode func(brief bool) (*document.Record, error)) error) error {
	return l.view(func(tx *bolt.Tx) error {
		for id, data := range recordsAfter(tx, "") {
			if err := visit(id, func(brief bool) (*document.Record, error) { return l.decode(id, data, brief) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordsAfter yields the stored records whose IDs come after the given one.
func recordsAfter(tx *bolt.Tx, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		b := tx.Bucket([]byte(bucketRecords))
		if b == nil {
			return
		}
		c := b.Cursor()
		for k, v := c.Seek([]byte(after)); k != nil; k, v = c.Next() {
			if id := string(k); id != after && !yield(id, v) {
				return
			}
		}
	}
}

// Text returns the document as the service last acknowledged it; false when its
// text is not kept, or is not what was written.
func (l *Ledger) Text(id string) (doc document.Document, found bool, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		doc, found, err = l.textIn(tx, id)
		return err
	})
	return doc, found, err
}

func (l *Ledger) textIn(tx *bolt.Tx, id string) (doc document.Document, found bool, err error) {
	b := tx.Bucket([]byte(bucketText))
	if b == nil {
		return doc, false, nil
	}
	packed := b.Get([]byte(id))
	if packed == nil {
		return doc, false, nil
	}
	raw, err := l.dec.DecodeAll(packed, nil)
	if err != nil { // the next PUT writes it again, and nothing hangs on it meanwhile
		return doc, false, nil
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return doc, false, fmt.Errorf("decode text of %s: %w: %w", id, ErrDamaged, err)
	}
	return doc, true, nil
}

// Count returns the number of records by state of push.
func (l *Ledger) Count() (map[document.Push]int, error) {
	counts := map[document.Push]int{}
	err := l.Records(func(_ string, decode func(bool) (*document.Record, error)) error {
		rec, err := decode(true)
		if err == nil {
			counts[rec.Push]++
		}
		return err
	})
	return counts, err
}

// Diff returns what differs between a document, given as its type and field
// hashes, and what its record says the index holds.
func Diff(t document.Type, fields map[string]document.Hash, rec *document.Record) document.Delta {
	var delta document.Delta
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if held, ok := rec.Fields[name]; !ok || held != fields[name] {
			delta.Changed = append(delta.Changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rec.Fields)) {
		if _, ok := fields[name]; !ok {
			delta.Lost = append(delta.Lost, name)
		}
	}
	delta.Type = t != rec.Type
	return delta
}

// Shared returns the first ID that is a document's in both ledgers; empty when there is
// none, or none was found in so many steps. A step passes over all that one ledger has
// before the other's next ID.
func Shared(a, b *Ledger, steps int) (shared string, err error) {
	err = a.view(func(mine *bolt.Tx) error {
		return b.view(func(theirs *bolt.Tx) error {
			ours, others := mine.Bucket([]byte(bucketRecords)), theirs.Bucket([]byte(bucketRecords))
			if ours == nil || others == nil {
				return nil
			}
			one, other := ours.Cursor(), others.Cursor()
			k, v := one.First()
			for ; k != nil && steps > 0; steps-- {
				k2, v2 := other.Seek(k)
				if string(k2) != string(k) { // it is the other's turn to catch up
					one, other, k, v = other, one, k2, v2
					continue
				}
				rec, err := decodeRecord(string(k), v, true)
				if err != nil {
					return err
				}
				rec2, err := decodeRecord(string(k), v2, true)
				if err != nil {
					return err
				}
				if rec.IsDocument() && rec2.IsDocument() {
					shared = string(k)
					return nil
				}
				k, v = one.Next()
			}
			return nil
		})
	})
	return shared, err
}
