package plan

import (
	"errors"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// bulkWriter stands before the plan's writer. Where bulk deletes are allowed it keeps
// the deletes back, as the brakes left them, until it is known which of them may go by
// one call: only what no brake holds, and nothing that lives.
type bulkWriter struct {
	Writer
	ledger  Ledger
	deletes *pile[document.Change] // with the day of those that may go by bulk; nil: not allowed
	choice  judge.Bulk
	dated   int
	chosen  *document.Bulk
}

func newBulkWriter(p *Planner, out Writer) (*bulkWriter, error) {
	w := &bulkWriter{Writer: out, ledger: p.ledger}
	if !p.Bulk {
		return w, nil
	}
	var err error
	w.deletes, err = newPile[document.Change](p.work.Dir, "bulk")
	return w, err
}

func (w *bulkWriter) close() { _ = w.deletes.close() }

// Change writes a change, or keeps it back.
func (w *bulkWriter) Change(c document.Change) error {
	switch {
	case w.deletes == nil:
	case c.Op == document.Delete:
		rec, err := w.ledger.Get(c.ID)
		if err != nil {
			return err
		}
		day := judge.BulkDay(&c, rec)
		if day != "" {
			w.dated++
		}
		return w.deletes.add(c, []byte(day))
	case c.Next != nil: // held or parked, it may be sent all the same before the bulk delete
		w.choice.Lives(c.Next)
	}
	return w.Writer.Change(c)
}

// finish writes what was kept back: deletes by ID, then those that go by bulk.
func (w *bulkWriter) finish(counts *document.Counts) error {
	if w.deletes == nil {
		return nil
	}
	filter, err := w.choose()
	if err != nil {
		return err
	}
	if w.chosen != nil {
		counts.Delete -= w.chosen.Documents
		counts.BulkDelete += w.chosen.Documents
	}
	byID := func(c document.Change, day []byte) error {
		if filter != nil && w.choice.Takes(string(day)) {
			return nil
		}
		return w.Writer.Change(c)
	}
	err = w.deletes.each(byID)
	if err != nil || filter == nil {
		return err
	}
	return w.deletes.each(func(c document.Change, day []byte) error {
		if !w.choice.Takes(string(day)) {
			return nil
		}
		c.Op, c.Filter = document.BulkDelete, filter
		return w.Writer.Change(c)
	})
}

// choose returns the filter of the bulk delete, nil when there is to be none.
func (w *bulkWriter) choose() ([]byte, error) {
	if w.dated <= judge.BulkSaves || w.choice.Barred() {
		return nil, nil
	}
	if err := w.meetLiving(); err != nil {
		return nil, err
	}
	err := w.deletes.each(func(_ document.Change, day []byte) error {
		w.choice.Take(string(day))
		return nil
	})
	before := w.choice.Before()
	if err != nil || before == "" {
		return nil, err
	}
	w.chosen = &document.Bulk{Before: before, Documents: w.choice.Taken()}
	return judge.BulkFilter(before), nil
}

// meetLiving tells the choice of every document of the ledger that no delete of this
// plan takes away. Both are in the order of IDs.
func (w *bulkWriter) meetLiving() error {
	next, stop := iter.Pull2(w.going())
	defer stop()
	going, failed, more := next()
	err := w.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		for ; more && failed == nil && going < id; going, failed, more = next() {
		}
		if failed != nil || w.choice.Barred() {
			return errStop
		}
		if more && going == id {
			return nil
		}
		rec, err := decode(false)
		if err == nil && rec.IsDocument() {
			w.choice.Lives(rec)
		}
		return err
	})
	if errors.Is(err, errStop) {
		err = nil
	}
	return errors.Join(failed, err)
}

// going yields the IDs of what is certain to go.
func (w *bulkWriter) going() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := w.deletes.each(func(c document.Change, _ []byte) error {
			if judge.Goes(&c) && !yield(c.ID, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield("", err)
		}
	}
}
