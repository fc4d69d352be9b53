package diffstore

import (
	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// MarkDoubt sets the records of ids to doubt, creating those that are missing, so
// that the next run sends them again; for calls made by hand.
func (l *Ledger) MarkDoubt(ids []string, reason string) error {
	_, err := l.mark(ids, func(_ int, rec *document.Record) bool {
		rec.Push, rec.Reason, rec.Repair = document.PushDoubt, reason, false
		return true
	})
	return err
}

// MarkKnown sets the documents among ids to doubt and leaves out what is none: what we
// did not push is not made ours by changing or deleting it by hand.
func (l *Ledger) MarkKnown(ids []string, reason string) error {
	_, err := l.mark(ids, func(_ int, rec *document.Record) bool {
		known := rec.IsDocument()
		rec.Push, rec.Reason, rec.Repair = document.PushDoubt, reason, false
		return known
	})
	return err
}

// TakeOver makes the IDs of documents that the index holds the ledger's: their records
// go to doubt. It returns how many the ledger did not know as documents before; the
// others are left as they are.
func (l *Ledger) TakeOver(ids []string, reason string) (taken int, err error) {
	return l.mark(ids, func(_ int, rec *document.Record) bool {
		known := rec.IsDocument()
		rec.Push, rec.Reason = document.PushDoubt, reason
		return !known
	})
}

// MarkFound sets to doubt what was found not to be as its record says, where that
// record is still an acknowledged one.
func (l *Ledger) MarkFound(findings []document.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	ids := make([]string, len(findings))
	for i, f := range findings {
		ids[i] = f.ID
	}
	_, err := l.mark(ids, func(i int, rec *document.Record) bool {
		known := rec.Push == document.PushOK
		rec.Push, rec.Repair, rec.Reason = document.PushDoubt, findings[i].Differs(), findings[i].Reason
		return known
	})
	return err
}

// mark lets change alter the record of each of ids, the empty one where there is none,
// and writes those of which it says so; all in one transaction, which makes plans that
// were made before unfit. It returns how many were written.
func (l *Ledger) mark(ids []string, change func(i int, rec *document.Record) bool) (n int, err error) {
	err = l.update(func(tx *bolt.Tx) error {
		for i, id := range ids {
			rec, err := readRecord(tx, id)
			if err != nil {
				return err
			}
			if !change(i, rec) {
				continue
			}
			if err := writeRecord(tx, id, rec); err != nil {
				return err
			}
			n++
		}
		generation, err := l.generationIn(tx)
		if err != nil {
			return err
		}
		return putNumber(tx, "generation", generation+1)
	})
	return n, err
}

// Acknowledged returns the acknowledged records whose IDs come after the given one, n
// at most, in the order of IDs: a way through all of them that leaves the ledger free
// to be written in between.
func (l *Ledger) Acknowledged(after string, n int) (records []*document.Record, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(bucketRecords))
		if b == nil {
			return nil
		}
		c := b.Cursor()
		k, v := c.Seek([]byte(after))
		if string(k) == after {
			k, v = c.Next()
		}
		for ; k != nil && len(records) < n; k, v = c.Next() {
			rec, err := l.decode(string(k), v, false)
			if err != nil {
				return err
			}
			if rec.Push == document.PushOK {
				records = append(records, rec)
			}
		}
		return nil
	})
	return records, err
}
