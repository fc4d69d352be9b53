package diffstore

import (
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// approval is the key of one approved change. The cause belongs to that of a delete:
// an approval for one is none for another. One of an update stands whatever call it
// takes: when a run is killed, what it was about to patch is put by the next. But what
// many pages turn to belongs to it: an approval for one text is none for another.
func approval(op document.Op, id string, cause document.Cause, brake document.Brake, group string) string {
	if op == document.Put || op == document.Patch {
		op, cause = "update", ""
		if brake == document.BrakeMassUpdate {
			cause = document.Cause(group)
		}
	}
	return fmt.Sprintf("%s\x00%s\x00%s", op, cause, id)
}

// Approve stores approvals for exactly the given held changes; the next complete
// run acts on them where they are still due.
func (l *Ledger) Approve(entries []document.Entry) error {
	return l.update(func(tx *bolt.Tx) error {
		for _, e := range entries {
			if err := tx.Bucket([]byte(bucketApprovals)).Put([]byte(approval(e.Op, e.ID, e.Cause, e.Brake, e.Group)), []byte{1}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Approved reports whether the change was approved, of which Brake and Group say what
// would hold it.
func (l *Ledger) Approved(c *document.Change) (approved bool, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		if b := tx.Bucket([]byte(bucketApprovals)); b != nil {
			approved = b.Get([]byte(approval(c.Op, c.ID, c.Cause, c.Brake, c.Group))) != nil
		}
		return nil
	})
	return approved, err
}
