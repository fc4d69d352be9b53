package diffstore

import (
	"iter"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// Note keeps, for the history, a run that ended before it sent anything. Nothing that a
// plan is made from depends on it.
func (l *Ledger) Note(run document.Summary) error {
	run.Unsent = true
	return l.update(func(tx *bolt.Tx) error {
		if err := dropUnsent(tx, run); err != nil {
			return err
		}
		return putIn(tx, bucketUnsent, run.Run, run)
	})
}

// dropUnsent drops what is older than 90 days at the start of a run, and that run
// itself, which may have been interrupted before.
func dropUnsent(tx *bolt.Tx, run document.Summary) error {
	b := tx.Bucket([]byte(bucketUnsent))
	var old []string
	err := b.ForEach(func(k, _ []byte) error {
		var before document.Summary
		_, err := getIn(tx, bucketUnsent, string(k), &before)
		if before.Run == run.Run || before.Start < run.Start-int64(keepRuns/time.Second) {
			old = append(old, string(k))
		}
		return err
	})
	for _, id := range old {
		if err == nil {
			err = deleteIn(tx, bucketUnsent, id)
		}
	}
	return err
}

// History yields all runs of the last 90 days, those that sent nothing too, the latest
// first.
func (l *Ledger) History() iter.Seq2[document.Summary, error] {
	return func(yield func(document.Summary, error) bool) {
		var unsent []document.Summary
		for run, err := range l.runsIn(bucketUnsent) {
			if err != nil {
				yield(run, err)
				return
			}
			unsent = append(unsent, run)
		}
		for run, err := range l.Runs() {
			later := slices.IndexFunc(unsent, func(u document.Summary) bool { return u.Run < run.Run })
			if later < 0 {
				later = len(unsent)
			}
			for _, u := range unsent[:later] {
				if !yield(u, nil) {
					return
				}
			}
			if unsent = unsent[later:]; !yield(run, err) || err != nil {
				return
			}
		}
		for _, u := range unsent {
			if !yield(u, nil) {
				return
			}
		}
	}
}
