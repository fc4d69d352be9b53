package diffstore

import (
	"encoding/json"
	"fmt"

	"github.com/fxamacker/cbor/v2"
	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Get returns the record of id, nil when there is none.
func (l *Ledger) Get(id string) (*document.Record, error) {
	rec := &document.Record{ID: id}
	if found, err := l.get(bucketRecords, id, rec); err != nil || !found {
		return nil, err
	}
	return rec, nil
}

// Records calls visit for every record in the order of IDs, with a function that
// decodes it. It ends with the first error, visit's own included.
func (l *Ledger) Records(visit func(id string, decode func() (*document.Record, error)) error) error {
	return l.view(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(bucketRecords))
		if b == nil {
			return nil
		}
		c := b.Cursor()
		for k, v := c.First(); k != nil; k, v = c.Next() {
			id := string(k)
			if err := visit(id, func() (*document.Record, error) { return decodeRecord(id, v) }); err != nil {
				return err
			}
		}
		return nil
	})
}

func decodeRecord(id string, data []byte) (*document.Record, error) {
	rec := &document.Record{ID: id}
	if err := cbor.Unmarshal(data, rec); err != nil {
		return nil, fmt.Errorf("decode record of %s: %w: %v", id, ErrDamaged, err)
	}
	return rec, nil
}

// Text returns the document as the service last acknowledged it; false when its
// text is not kept.
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
	if err != nil {
		return doc, false, fmt.Errorf("unpack text of %s: %w: %v", id, ErrDamaged, err)
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return doc, false, fmt.Errorf("decode text of %s: %w: %v", id, ErrDamaged, err)
	}
	return doc, true, nil
}

// Count returns the number of records by state of push.
func (l *Ledger) Count() (map[document.Push]int, error) {
	counts := map[document.Push]int{}
	err := l.Records(func(_ string, decode func() (*document.Record, error)) error {
		rec, err := decode()
		if err == nil {
			counts[rec.Push]++
		}
		return err
	})
	return counts, err
}

// Host returns what is remembered of a host; zero when nothing is.
func (l *Ledger) Host(origin string) (document.HostMemory, error) {
	var memory document.HostMemory
	_, err := l.get(bucketHosts, origin, &memory)
	return memory, err
}
