package diffstore

import (
	"iter"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// MarkDoubt marks the records of ids as "doubt": the service may or may not hold the document as recorded.
// The next run sends these documents again. After a PUT, put is true: MarkDoubt then also adds a record for
// each ID without a record. After a patch or a delete, put is false, because a document without a record
// belongs to another program.
func (l *Ledger) MarkDoubt(ids []string, reason string, put bool) error {
	_, err := l.markAll(ids, func(_ int, rec *document.Record) bool {
		due := put || rec.IsDocument()
		rec.Push, rec.Reason, rec.Repair = document.PushDoubt, reason, false
		return due
	})
	return err
}

// TakeOver adds a record, marked "doubt", for each of ids (documents of the index) that the ledger does not
// have yet. It returns the number of these records. It guesses the type of a new document from the URL.
func (l *Ledger) TakeOver(ids []string, reason string) (taken int, err error) {
	return l.markAll(ids, func(i int, rec *document.Record) bool {
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

// DoubtPlan marks the records of all planned changes as "doubt", as if every call had been made and none had
// been answered.
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

// MarkFound marks the record of each finding as "doubt". A finding is a difference between the ledger (the
// stored records) and the index. MarkFound skips documents that the service has not acknowledged.
func (l *Ledger) MarkFound(findings []document.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	ids := make([]string, len(findings))
	for i, f := range findings {
		ids[i] = f.ID
	}
	_, err := l.markAll(ids, func(i int, rec *document.Record) bool {
		known := rec.Push == document.PushOK
		rec.Push, rec.Repair, rec.Reason = document.PushDoubt, findings[i].Differs(), findings[i].Reason
		return known
	})
	return err
}

// markAll calls update with the record of each ID, or with an empty record if the ledger has no record. It
// writes the record if update returns true. n is the number of written records. markAll also raises the
// generation, a counter. So plans (files of changes to send) that were made before can't be applied any more.
func (l *Ledger) markAll(ids []string, update func(i int, rec *document.Record) bool) (n int, err error) {
	err = l.update(func(tx *bolt.Tx) error {
		for i, id := range ids {
			rec, err := readRecord(tx, id)
			if err != nil {
				return err
			}
			if !update(i, rec) {
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

// Acknowledged returns up to n records of acknowledged documents with IDs greater than after, in order.
func (l *Ledger) Acknowledged(after string, n int) ([]*document.Record, error) {
	return l.next(after, n, func(rec *document.Record) bool { return rec.Push == document.PushOK })
}

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

const doubtWindow = 2000

// DoubtAll marks the records of all documents as "doubt", and stores reason in each record.
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

// BulkBegun notes that a bulk delete (a call that deletes all documents before a date) begins. Call BulkBegun
// before the bulk delete. If the ledger is opened again before BulkProved was called, such as after a crash,
// all documents are in doubt, for this reason. The next run then writes "doubt" to the records.
func (l *Ledger) BulkBegun(reason string) error {
	return l.update(func(tx *bolt.Tx) error { return putIn(tx, bucketMeta, keyBulk, reason) })
}

// BulkProved notes that the bulk delete deleted exactly the planned documents, or none.
func (l *Ledger) BulkProved() error {
	err := l.update(func(tx *bolt.Tx) error { return tx.Bucket([]byte(bucketMeta)).Delete([]byte(keyBulk)) })
	if err == nil {
		l.doubt = ""
	}
	return err
}

func (l *Ledger) decode(id string, data []byte, brief bool) (*document.Record, error) {
	rec, err := decodeRecord(id, data, brief)
	if err == nil && l.doubt != "" && rec.IsDocument() {
		rec.Push, rec.Reason = document.PushDoubt, l.doubt
	}
	return rec, err
}
