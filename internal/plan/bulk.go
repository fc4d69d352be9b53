package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
)

// bulkWriter stands before the plan's writer. Where bulk deletes are allowed it keeps
// the deletes back, as the brakes left them, until it is known which of them may go by
// one call: only what no brake holds, and nothing that lives.
type bulkWriter struct {
	out     Writer
	ledger  Ledger
	deletes *spool.Spill[document.Change] // with the day of those that may go by bulk; nil: not allowed
	choice  judge.Bulk
	dated   int
	chosen  *document.Bulk
}

// chooses reports whether a bulk delete is still possible: then it must be told of all
// that lives.
func (w *bulkWriter) chooses() bool { return w.deletes != nil && !w.choice.Barred() }

// lives takes in a record of which no delete is due, or one that may not go.
func (w *bulkWriter) lives(rec *document.Record) {
	if w.chooses() && rec.IsDocument() {
		w.choice.Lives(rec)
	}
}

// change writes a change, or keeps it back.
func (w *bulkWriter) change(c document.Change) error {
	switch {
	case w.deletes == nil:
	case c.Op == document.Delete:
		rec, err := w.ledger.Get(c.ID)
		if err != nil {
			return err
		}
		if !judge.Goes(&c) {
			w.lives(rec)
		}
		day := judge.BulkDay(&c, rec)
		if day != "" {
			w.dated++
		}
		w.deletes.Add(c, []byte(day))
		return nil
	case c.Next != nil: // held or parked, it may be sent all the same before the bulk delete
		w.choice.Lives(c.Next)
	}
	return w.out.Change(c)
}

// finish writes what was kept back: deletes by ID, then those that go by bulk.
func (w *bulkWriter) finish(counts *document.Counts) error {
	if w.deletes == nil {
		return nil
	}
	if err := w.choose(); err != nil {
		return err
	}
	err := w.deletes.Each(func(c document.Change, day []byte) error {
		if w.chosen != nil && w.choice.Takes(string(day)) {
			return nil
		}
		return w.out.Change(c)
	})
	if err != nil || w.chosen == nil {
		return err
	}
	counts.Delete -= w.chosen.Documents
	counts.BulkDelete += w.chosen.Documents
	filter := judge.BulkFilter(w.chosen.Before)
	return w.deletes.Each(func(c document.Change, day []byte) error {
		if !w.choice.Takes(string(day)) {
			return nil
		}
		c.Op, c.Filter = document.BulkDelete, filter
		return w.out.Change(c)
	})
}

// choose decides whether there is to be a bulk delete, and of what.
func (w *bulkWriter) choose() error {
	if w.dated <= judge.BulkSaves || w.choice.Barred() {
		return nil
	}
	err := w.deletes.Each(func(_ document.Change, day []byte) error {
		w.choice.Take(string(day))
		return nil
	})
	if before := w.choice.Before(); err == nil && before != "" {
		w.chosen = &document.Bulk{Before: before, Documents: w.choice.Taken()}
	}
	return err
}
