package diffstore

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// keepRuns is how long the history reaches back.
const keepRuns = 90 * 24 * time.Hour

// Run returns the summary of the run with the given ID, or of the one that finished
// last when id is empty; false when there is none. By the IDs, which begin with the
// time, that need not be the latest: clocks are set back.
func (l *Ledger) Run(id string) (run document.Summary, found bool, err error) {
	if id == "" {
		if _, err := l.get(bucketMeta, keyLast, &id); err != nil {
			return run, false, err
		}
	}
	if id != "" {
		found, err = l.get(bucketRuns, id, &run)
		if !found && err == nil {
			found, err = l.get(bucketUnsent, id, &run)
		}
		return run, found, err
	}
	for last, err := range l.Runs() {
		return last, err == nil, err
	}
	return run, false, nil
}

// Runs yields the runs that sent what was due, the latest first.
func (l *Ledger) Runs() iter.Seq2[document.Summary, error] { return l.runsIn(bucketRuns) }

// History yields all runs of the last 90 days, those that sent nothing too, the latest
// first.
func (l *Ledger) History() iter.Seq2[document.Summary, error] {
	return l.runsIn(bucketUnsent, bucketRuns)
}

func (l *Ledger) runsIn(buckets ...string) iter.Seq2[document.Summary, error] {
	return func(yield func(document.Summary, error) bool) {
		err := l.view(func(tx *bolt.Tx) error {
			bucketOf := map[string]string{} // by run
			for _, bucket := range buckets {
				for id := range entriesFrom(tx, bucket, "") {
					bucketOf[id] = bucket
				}
			}
			for _, id := range slices.Backward(slices.Sorted(maps.Keys(bucketOf))) {
				var run document.Summary
				if _, err := getIn(tx, bucketOf[id], id, &run); err != nil {
					return err
				}
				if !yield(run, nil) {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			yield(document.Summary{}, err)
		}
	}
}

// Entries yields what a run changed or held, in the order in which it was done.
func (l *Ledger) Entries(run string) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		err := l.view(func(tx *bolt.Tx) error {
			for key, packed := range entriesFrom(tx, bucketChanges, run+"/") {
				if !strings.HasPrefix(key, run+"/") {
					return nil
				}
				raw, err := l.dec.DecodeAll(packed, nil)
				var entries []document.Entry
				if err == nil {
					err = json.Unmarshal(raw, &entries)
				}
				if err != nil {
					return fmt.Errorf("read changes of run %s: %w: %w", run, ErrDamaged, err)
				}
				for _, entry := range entries {
					if !yield(entry, nil) {
						return nil
					}
				}
			}
			return nil
		})
		if err != nil {
			yield(document.Entry{}, err)
		}
	}
}

// log appends a chunk of entries to what the run did.
func (l *Ledger) log(tx *bolt.Tx, run string, entries []document.Entry) error {
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
}

// Note keeps, for the history, a run that ended before it sent anything. No plan
// depends on it.
func (l *Ledger) Note(run document.Summary) error {
	run.Unsent = true
	return l.update(func(tx *bolt.Tx) error {
		if err := dropRuns(tx, bucketUnsent, run); err != nil {
			return err
		}
		return putIn(tx, bucketUnsent, run.Run, run)
	})
}

// Finish records a run that went to its end: its summary, what was learned of
// the hosts, the origins it is pinned to, the retention rules that had an effect, and,
// when the run is complete, that the approvals had their chance. Runs older than 90
// days are dropped.
func (l *Ledger) Finish(trailer document.PlanTrailer) error {
	summary := trailer.Summary
	return l.update(func(tx *bolt.Tx) error {
		for origin, memory := range trailer.Hosts {
			if summary.Stopped != "" {
				memory.Followed = ""
			}
			if err := putIn(tx, bucketHosts, origin, memory); err != nil {
				return err
			}
		}
		if summary.Complete && summary.Stopped == "" {
			if err := tx.DeleteBucket([]byte(bucketApprovals)); err != nil {
				return err
			}
			if _, err := tx.CreateBucket([]byte(bucketApprovals)); err != nil {
				return err
			}
		}
		if summary.Stopped == "" && trailer.Rules != nil {
			if err := putIn(tx, bucketMeta, keyRules, trailer.Rules); err != nil {
				return err
			}
		}
		var target document.Target
		if _, err := getIn(tx, bucketMeta, "target", &target); err != nil {
			return err
		}
		target.Origins = union(target.Origins, trailer.Origins) // which the owner approved
		if err := putIn(tx, bucketMeta, "target", target); err != nil {
			return err
		}
		if err := addTo(tx, keyRetention, trailer.Retention); err != nil {
			return err
		}
		for _, bucket := range [...]string{bucketRuns, bucketUnsent} {
			if err := dropRuns(tx, bucket, summary); err != nil {
				return err
			}
		}
		if err := putIn(tx, bucketRuns, summary.Run, summary); err != nil {
			return err
		}
		if err := putIn(tx, bucketMeta, keyLast, summary.Run); err != nil {
			return err
		}
		return dropChanges(tx)
	})
}

// dropRuns drops the runs that are older than 90 days at the start of a run, and what
// is known of that run itself, which may have been interrupted before.
func dropRuns(tx *bolt.Tx, bucket string, now document.Summary) error {
	runs, err := valuesIn[document.Summary](tx, bucket)
	if err != nil {
		return err
	}
	for id, run := range runs {
		if run.Run == now.Run || run.Start < now.Start-int64(keepRuns/time.Second) {
			if err := tx.Bucket([]byte(bucket)).Delete([]byte(id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropChanges drops the changes of runs before the oldest one that is kept, those of
// runs that were killed too.
func dropChanges(tx *bolt.Tx) error {
	oldest, _ := tx.Bucket([]byte(bucketRuns)).Cursor().First()
	b := tx.Bucket([]byte(bucketChanges))
	c := b.Cursor()
	for k, _ := c.First(); k != nil && string(k) < string(oldest); k, _ = c.First() {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
