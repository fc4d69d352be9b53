package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// changes decides on the due changes of one operation. What may go by one call does where
// no brake holds any of it and that saves enough.
func (b *braking) changes(op document.Op) error {
	due, bulk := b.verdicts.changes[op], b.verdicts.bulk
	if op == document.BulkDelete && due.Len() > judge.BulkSaves && bulk.Possible() {
		err := due.Each(func(c dueChange, _ []byte) error {
			hold, err := b.holds(&c)
			bulk.Barred = bulk.Barred || hold.Brake != document.BrakeNone
			return err
		})
		if err != nil {
			return err
		}
		if bulk.Possible() {
			b.bulk = &document.Bulk{Before: bulk.Before, Documents: due.Len()}
		}
	}
	return due.Each(b.change)
}

// tellBulk makes a change part of the bulk delete that was chosen, and tells an earlier one
// of what stays.
func (b *braking) tellBulk(c *document.Change) error {
	bulk := b.verdicts.bulk
	switch {
	case b.bulk != nil:
		c.Op = document.BulkDelete
	case !bulk.Possible() || judge.Goes(c):
	case c.Op == document.Delete:
		rec, err := b.site.ledger.Get(c.ID)
		if err != nil || !rec.IsDocument() {
			return err
		}
		bulk.Lives(rec)
	default: // held or parked, it may be sent all the same before the bulk delete
		bulk.Lives(c.Next)
	}
	return nil
}
