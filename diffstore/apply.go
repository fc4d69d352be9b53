package diffstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Begin starts to apply a plan (a file of changes to send) to the ledger (the record of what the index
// holds). It errs with ErrOther if the plan was made from another ledger, and with ErrMoved if the ledger has
// changed since. It raises the generation, a counter that the plan must match, so no plan is applied twice.
// If the ledger has no target index, Begin stores the target of the plan. If the outcome of a bulk delete (of
// all documents before a date) is unknown, Begin marks every document as "doubt": the index may lack it.
func (l *Ledger) Begin(plan document.PlanHeader) error {
	target := plan.Target
	err := l.update(func(tx *bolt.Tx) error {
		if err := l.fits(tx, plan); err != nil {
			return err
		}
		if err := putNumber(tx, "generation", plan.Generation+1); err != nil {
			return err
		}
		if err := forgetFollowed(tx); err != nil {
			return err
		}
		var pinned document.Target
		found, err := getIn(tx, bucketMeta, "target", &pinned)
		if err != nil {
			return err
		}
		if found {
			if pinned.Base != target.Base || pinned.Customer != target.Customer || pinned.Crawler != target.Crawler {
				return errors.New("the ledger describes another index")
			}
			return nil
		}
		return putIn(tx, bucketMeta, "target", target)
	})
	if err != nil || l.doubt == "" {
		return err
	}
	if err := l.DoubtAll(l.doubt); err != nil {
		return err
	}
	return l.BulkProved()
}

// fits errs unless the plan was made from this ledger in its present state. A plan that was made without a
// ledger fits a ledger to which no plan was applied.
func (l *Ledger) fits(tx *bolt.Tx, plan document.PlanHeader) error {
	now, err := numberIn(tx, "generation")
	if err != nil {
		return err
	}
	var identity string
	if _, err := getIn(tx, bucketMeta, keyIdentity, &identity); err != nil {
		return err
	}
	other := plan.Ledger != identity && (plan.Ledger != "" || now != 0)
	switch file := filepath.Base(l.path); {
	case other && plan.File != file:
		return fmt.Errorf("%w: %s, and the configuration names %s; "+
			"apply it with the configuration that it was made with, or plan again", ErrOther, plan.File, file)
	case now != plan.Generation:
		return fmt.Errorf("%w (it is at %d, the plan at %d); plan again", ErrMoved, now, plan.Generation)
	case other:
		return fmt.Errorf("%w: %s was made anew since; plan again", ErrOther, file)
	}
	return nil
}

// forgetFollowed clears the field Followed of each host, a hash of the link rules. Without it, the next run
// reads even unchanged pages. So it finds the new pages again that an interrupted run found but did not send.
func forgetFollowed(tx *bolt.Tx) error {
	hosts, err := valuesIn[document.HostMemory](tx, bucketHosts)
	if err != nil {
		return err
	}
	for origin, memory := range hosts {
		memory.Followed = ""
		hosts[origin] = memory
	}
	return putAll(tx, bucketHosts, hosts)
}

// Step writes all parts of batch to the ledger in one transaction. run is the ID of the run.
func (l *Ledger) Step(run string, batch document.Batch) error {
	return l.update(func(tx *bolt.Tx) error {
		entries := batch.Noted
		for i := range batch.Settled {
			s := &batch.Settled[i]
			if err := l.settle(tx, run, s); err != nil {
				return err
			}
			entries = append(entries, s.Change.Entry(s.Outcome.State, s.Outcome.Reason))
		}
		for i := range batch.Intents {
			if err := intend(tx, run, &batch.Intents[i]); err != nil {
				return err
			}
		}
		for _, o := range batch.Observed {
			if err := l.keep(tx, o.ID, o.Next); err != nil {
				return err
			}
		}
		if len(entries) == 0 {
			return nil
		}
		raw, err := json.Marshal(entries)
		if err != nil {
			return fmt.Errorf("encode changes of run %s: %w", run, err)
		}
		seq, err := tx.Bucket([]byte(bucketChanges)).NextSequence()
		if err != nil {
			return err
		}
		return putRaw(tx, bucketChanges, fmt.Sprintf("%s/%012d", run, seq), l.enc.EncodeAll(raw, nil))
	})
}

func intend(tx *bolt.Tx, run string, c *document.Change) error {
	rec, err := readRecord(tx, c.ID)
	if err != nil {
		return err
	}
	rec.Maybe = rec.IsDocument()
	if !rec.Maybe && c.Next != nil {
		rec.First = c.Next.First
	}
	rec.Push = document.PushDoubt
	rec.Reason = fmt.Sprintf("%s begun in run %s, no answer recorded", c.Op, run)
	return writeRecord(tx, c.ID, rec)
}

func (l *Ledger) settle(tx *bolt.Tx, run string, s *document.Settled) error {
	c, next := &s.Change, s.Change.Next
	if s.Outcome.State == document.Acknowledged {
		// In queue mode the service fetches the queued URL. It deletes the document if the page is gone.
		if c.Op == document.Delete || c.Op == document.BulkDelete || c.Op == document.Queue && !next.IsDocument() {
			return l.keep(tx, c.ID, next)
		}
		if err := l.keepText(tx, c); err != nil {
			return err
		}
		rec := *next
		rec.Push, rec.By = document.PushOK, s.Outcome.By
		return writeRecord(tx, c.ID, &rec)
	}
	rec, err := readRecord(tx, c.ID)
	if err != nil {
		return err
	}
	rec.Reason = s.Outcome.Reason
	if s.Outcome.State == document.Refused {
		rec.Push = document.PushRefused
		rec.Strikes++
		if rec.Since == "" {
			rec.Since = run
		}
	} else {
		rec.Push, rec.Maybe = document.PushDoubt, true
	}
	return writeRecord(tx, c.ID, rec)
}

func (l *Ledger) keep(tx *bolt.Tx, id string, rec *document.Record) error {
	if !rec.IsDocument() {
		if err := tx.Bucket([]byte(bucketText)).Delete([]byte(id)); err != nil {
			return err
		}
	}
	if rec == nil {
		return tx.Bucket([]byte(bucketRecords)).Delete([]byte(id))
	}
	return writeRecord(tx, id, rec)
}

func (l *Ledger) keepText(tx *bolt.Tx, c *document.Change) error {
	if !l.keepsText || c.Op == document.Queue { // a text from an earlier run is out of date
		return tx.Bucket([]byte(bucketText)).Delete([]byte(c.ID))
	}
	raw := []byte(c.Doc)
	if c.Op == document.Patch {
		doc, found := l.textIn(tx, c.ID)
		if !found {
			return nil
		}
		var patch document.Document
		if err := json.Unmarshal(c.Doc, &patch); err != nil {
			return fmt.Errorf("decode change of %s: %w", c.ID, err)
		}
		maps.Copy(doc.Fields, patch.Fields)
		doc.Type = patch.Type
		raw = doc.Wire()
	}
	return tx.Bucket([]byte(bucketText)).Put([]byte(c.ID), l.enc.EncodeAll(raw, nil))
}

// Adopt assigns the ledger to another target index. Every document becomes "doubt": the index may lack it.
func (l *Ledger) Adopt(target document.Target) error {
	if err := l.DoubtAll("the ledger was taken over to another target"); err != nil {
		return err
	}
	return l.update(func(tx *bolt.Tx) error { return putIn(tx, bucketMeta, "target", target) })
}
