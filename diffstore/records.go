package diffstore

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Get returns the record of id in the ledger (a file that says what the index holds), or nil if it has none.
func (l *Ledger) Get(id string) (*document.Record, error) { return l.record(id, false) }

// Brief returns the record of id without its Fields, or nil if the ledger has no such record.
func (l *Ledger) Brief(id string) (*document.Record, error) { return l.record(id, true) }

func (l *Ledger) record(id string, brief bool) (rec *document.Record, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		if data := rawIn(tx, bucketRecords, id); data != nil {
			rec, err = l.decode(id, data, brief)
		}
		return err
	})
	return rec, err
}

func readRecord(tx *bolt.Tx, id string) (*document.Record, error) {
	data := rawIn(tx, bucketRecords, id)
	if data == nil {
		return &document.Record{ID: id}, nil
	}
	return decodeRecord(id, data, false)
}

func writeRecord(tx *bolt.Tx, id string, rec *document.Record) error {
	return putRaw(tx, bucketRecords, id, encodeRecord(id, rec))
}

// Records yields every record in the order of IDs, and ends at the first error. The body of the loop must not
// write to the ledger: the database (bbolt) would wait forever. If another goroutine may write at the same
// time, the body must not read the ledger either.
func (l *Ledger) Records() iter.Seq2[*document.Record, error] { return l.records(false) }

// Briefs yields every record as Records does, but without its Fields.
func (l *Ledger) Briefs() iter.Seq2[*document.Record, error] { return l.records(true) }

func (l *Ledger) records(brief bool) iter.Seq2[*document.Record, error] {
	return func(yield func(*document.Record, error) bool) {
		err := l.view(func(tx *bolt.Tx) error {
			for id, data := range entriesFrom(tx, bucketRecords, "") {
				rec, err := l.decode(id, data, brief)
				if err != nil || !yield(rec, nil) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// Text returns the acknowledged document of id. found is false if its text is not stored or can't be read.
func (l *Ledger) Text(id string) (doc document.Document, found bool, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		doc, found = l.textIn(tx, id)
		return nil
	})
	return doc, found, err
}

// textIn does what Text does, in a transaction. A damaged text counts as missing: no decision depends on a
// text, and the next PUT replaces it.
func (l *Ledger) textIn(tx *bolt.Tx, id string) (doc document.Document, found bool) {
	packed := rawIn(tx, bucketText, id)
	if packed == nil {
		return doc, false
	}
	raw, err := l.dec.DecodeAll(packed, nil)
	if err != nil || json.Unmarshal(raw, &doc) != nil || doc.Fields == nil {
		return document.Document{}, false
	}
	return doc, true
}

// Count returns the number of records by their field Push.
func (l *Ledger) Count() (map[document.Push]int, error) {
	counts := map[document.Push]int{}
	for rec, err := range l.Briefs() {
		if err != nil {
			return counts, err
		}
		counts[rec.Push]++
	}
	return counts, nil
}

// HasDocuments reports whether the ledger has a document that the service holds or may hold.
func (l *Ledger) HasDocuments() (bool, error) {
	first, err := l.next("", 1, (*document.Record).IsDocument)
	return len(first) > 0, err
}

// Diff returns the difference between a document, given by its type and field hashes, and its record.
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

func (l *Ledger) get(bucket, key string, v any) (found bool, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		found, err = getIn(tx, bucket, key, v)
		return err
	})
	return found, err
}

func rawIn(tx *bolt.Tx, bucket, key string) []byte {
	if b := tx.Bucket([]byte(bucket)); b != nil {
		return b.Get([]byte(key))
	}
	return nil
}

func entriesFrom(tx *bolt.Tx, bucket, key string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		b := tx.Bucket([]byte(bucket))
		if b == nil {
			return
		}
		c := b.Cursor()
		for k, v := c.Seek([]byte(key)); k != nil && yield(string(k), v); k, v = c.Next() {
		}
	}
}

func getIn(tx *bolt.Tx, bucket, key string, v any) (bool, error) {
	raw := rawIn(tx, bucket, key)
	if raw == nil {
		return false, nil
	}
	if err := spool.Decode(raw, v); err != nil {
		return false, fmt.Errorf("decode %s of %s: %w: %w", bucket, key, ErrDamaged, err)
	}
	return true, nil
}

func values[T any](l *Ledger, bucket string) (all map[string]T, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		all, err = valuesIn[T](tx, bucket)
		return err
	})
	return all, err
}

func valuesIn[T any](tx *bolt.Tx, bucket string) (map[string]T, error) {
	var values map[string]T
	for key, raw := range entriesFrom(tx, bucket, "") {
		var v T
		if err := spool.Decode(raw, &v); err != nil {
			return values, fmt.Errorf("decode %s of %s: %w: %w", bucket, key, ErrDamaged, err)
		}
		if values == nil {
			values = map[string]T{}
		}
		values[key] = v
	}
	return values, nil
}

// putAll stores the values in the order of keys, so that equal ledgers have equal files.
func putAll[T any](tx *bolt.Tx, bucket string, values map[string]T) error {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := putIn(tx, bucket, key, values[key]); err != nil {
			return err
		}
	}
	return nil
}

func putIn(tx *bolt.Tx, bucket, key string, v any) error {
	return putRaw(tx, bucket, key, spool.Encode(v))
}

func putRaw(tx *bolt.Tx, bucket, key string, raw []byte) error {
	b := tx.Bucket([]byte(bucket))
	b.FillPercent = 0.9 // keys are mostly written in order, so pages can be filled more than by default
	return b.Put([]byte(key), raw)
}
