package diffstore

import (
	"encoding/json"
	"fmt"
	"iter"

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
