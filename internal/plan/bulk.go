package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// writeChanges writes the changes of operation op. The brakes (limits) hold suspicious changes back.
// It uses one bulk delete for expired documents only if no brake holds any of their deletes.
func (b *braking) writeChanges(op document.Op) error {
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

// tellBulk adds c to the planned bulk delete, if any. Otherwise it tells bulk if the document of c must stay.
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
	default: // a put that is held now may still be sent before the bulk delete
		bulk.Lives(c.Next)
	}
	return nil
}
