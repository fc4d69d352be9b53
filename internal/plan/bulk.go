package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// changes brakes and writes the changes of one operation. It uses the bulk delete only if no change is held.
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

// tellBulk makes the change part of the bulk delete, or reports to an earlier one that a document must stay.
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
	default: // a held or parked change may still be sent before the bulk delete
		bulk.Lives(c.Next)
	}
	return nil
}
