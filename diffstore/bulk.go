package diffstore

import (
	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// bulkKey is where, in the ledger's head, it stands that a bulk delete was begun and
// nothing proved yet what it took.
const bulkKey = "bulk"

// doubtWindow is how many records one transaction sets to doubt.
const doubtWindow = 2000

// BulkBegun notes, before the call, that a bulk delete is under way, and why it is to
// be doubted. Until BulkProved who opens the ledger finds all documents in doubt, since
// nobody knows which of them a filter reached; the next apply writes that into their
// records.
func (l *Ledger) BulkBegun(why string) error {
	return l.update(func(tx *bolt.Tx) error { return putIn(tx, bucketMeta, bulkKey, why) })
}

// BulkProved notes that the bulk delete took what it was to take, or nothing.
func (l *Ledger) BulkProved() error {
	err := l.update(func(tx *bolt.Tx) error { return deleteIn(tx, bucketMeta, bulkKey) })
	if err == nil {
		l.unproved = ""
	}
	return err
}

// settleBulk sets every document to doubt where an earlier bulk delete proved nothing.
func (l *Ledger) settleBulk() error {
	if l.unproved == "" {
		return nil
	}
	if err := l.DoubtAll(l.unproved); err != nil {
		return err
	}
	return l.BulkProved()
}

// decode reads the stored form of a record, as decodeRecord does.
func (l *Ledger) decode(id string, data []byte, brief bool) (*document.Record, error) {
	rec, err := decodeRecord(id, data, brief)
	if err == nil && l.unproved != "" && rec.IsDocument() {
		rec.Push, rec.Reason = document.PushDoubt, l.unproved
	}
	return rec, err
}

// DoubtAll sets the record of every document to doubt.
func (l *Ledger) DoubtAll(reason string) error {
	for last := ""; ; {
		var ids []string
		more, err := l.documentsAfter(&last, &ids)
		if err == nil {
			err = l.MarkDoubt(ids, reason)
		}
		if err != nil || !more {
			return err
		}
	}
}

// documentsAfter appends the IDs of documents among the next records after last, and
// moves last on; it reports whether there are more.
func (l *Ledger) documentsAfter(last *string, ids *[]string) (more bool, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		c := tx.Bucket([]byte(bucketRecords)).Cursor()
		seen := 0
		for k, v := c.Seek([]byte(*last)); k != nil; k, v = c.Next() {
			id := string(k)
			if id == *last {
				continue
			}
			if more = seen == doubtWindow; more {
				return nil
			}
			rec, err := decodeRecord(id, v, true)
			if err != nil {
				return err
			}
			if rec.IsDocument() {
				*ids = append(*ids, id)
			}
			*last = id
			seen++
		}
		return nil
	})
	return more, err
}
