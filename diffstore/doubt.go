package diffstore

import (
	"iter"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// MarkDoubt sets the records of ids to doubt, so that the next run sends them again; it is for
// calls made by hand. It leaves out IDs that the ledger holds no document of, unless they were
// put: a document of others does not become ours because it was changed or deleted by hand.
func (l *Ledger) MarkDoubt(ids []string, reason string, put bool) error {
	_, err := l.mark(ids, func(_ int, rec *document.Record) bool {
		due := put || rec.IsDocument()
		rec.Push, rec.Reason, rec.Repair = document.PushDoubt, reason, false
		return due
	})
	return err
}

// TakeOver makes the IDs of documents that the index holds the ledger's: their records
// go to doubt. It returns how many the ledger did not know as documents before; the
// others are left as they are. Until a page is read, its address decides the type, which
// shares and brakes count by.
func (l *Ledger) TakeOver(ids []string, reason string) (taken int, err error) {
	return l.mark(ids, func(i int, rec *document.Record) bool {
		known := rec.IsDocument()
		rec.Push, rec.Reason = document.PushDoubt, reason
		if rec.Type == "" {
			rec.Type = document.PageContent
			if document.FileMedia(weburl.Path(ids[i])) != "" {
				rec.Type = document.FileContent
			}
		}
		return !known
	})
}

// DoubtPlan sets to doubt what a plan was to send, as if all of its calls had been begun and no
// answer recorded.
func (l *Ledger) DoubtPlan(run, reason string, changes iter.Seq2[document.Change, error]) error {
	var intents []document.Change
	var ids []string
	for c, err := range changes {
		if err != nil {
			return err
		}
		if c.State == document.Planned {
			intents, ids = append(intents, c), append(ids, c.ID)
		}
	}
	if err := l.Step(run, document.Batch{Intents: intents}); err != nil {
		return err
	}
	return l.MarkDoubt(ids, reason, true)
}

// MarkFound sets to doubt the documents that were found to differ from their records, as far
// as those are still acknowledged.
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

// mark calls change with the record of each ID, and with an empty record for an unknown ID. It writes the
// record if change returns true. All is one transaction. Plans that were made before no longer fit the
// ledger. mark returns how many records it wrote.
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
		generation, err := numberIn(tx, "generation")
		if err != nil {
			return err
		}
		return putNumber(tx, "generation", generation+1)
	})
	return n, err
}

// Acknowledged returns the acknowledged records whose IDs come after the given one, n
// at most, in the order of IDs. Between two calls the ledger can be written.
func (l *Ledger) Acknowledged(after string, n int) ([]*document.Record, error) {
	return l.next(after, n, func(rec *document.Record) bool { return rec.Push == document.PushOK })
}

// next returns the records that fit and come after an ID, n at most.
func (l *Ledger) next(after string, n int, fits func(*document.Record) bool) (records []*document.Record, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		for id, data := range entriesFrom(tx, bucketRecords, after+"\x00") {
			if len(records) == n {
				return nil
			}
			rec, err := l.decode(id, data, false)
			if err != nil {
				return err
			}
			if fits(rec) {
				records = append(records, rec)
			}
		}
		return nil
	})
	return records, err
}

// doubtWindow is how many records one transaction sets to doubt.
const doubtWindow = 2000

// DoubtAll sets the record of every document to doubt.
func (l *Ledger) DoubtAll(reason string) error {
	for last, more := "", true; more; {
		documents, err := l.next(last, doubtWindow, (*document.Record).IsDocument)
		if err != nil {
			return err
		}
		ids := make([]string, len(documents))
		for i, rec := range documents {
			ids[i], last = rec.ID, rec.ID
		}
		if err := l.MarkDoubt(ids, reason, true); err != nil {
			return err
		}
		more = len(ids) == doubtWindow
	}
	return nil
}

// BulkBegun notes, before the call, that a bulk delete begins, and the reason of the doubt.
// Until BulkProved, whoever opens the ledger finds all documents in doubt, since nobody knows
// which of them the filter matched; the next apply writes that into their records.
func (l *Ledger) BulkBegun(why string) error {
	return l.update(func(tx *bolt.Tx) error { return putIn(tx, bucketMeta, keyBulk, why) })
}

// BulkProved notes that the bulk delete deleted exactly what was planned, or nothing.
func (l *Ledger) BulkProved() error {
	err := l.update(func(tx *bolt.Tx) error { return tx.Bucket([]byte(bucketMeta)).Delete([]byte(keyBulk)) })
	if err == nil {
		l.doubt = ""
	}
	return err
}

// decode reads the stored form of a record, as decodeRecord does.
func (l *Ledger) decode(id string, data []byte, brief bool) (*document.Record, error) {
	rec, err := decodeRecord(id, data, brief)
	if err == nil && l.doubt != "" && rec.IsDocument() {
		rec.Push, rec.Reason = document.PushDoubt, l.doubt
	}
	return rec, err
}
