package diffstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
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
		if _, err := l.get(bucketMeta, "last", &id); err != nil {
			return run, false, err
		}
	}
	if id != "" {
		if found, err = l.get(bucketRuns, id, &run); !found && err == nil {
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

func (l *Ledger) runsIn(bucket string) iter.Seq2[document.Summary, error] {
	return func(yield func(document.Summary, error) bool) {
		err := l.view(func(tx *bolt.Tx) error {
			b := tx.Bucket([]byte(bucket))
			if b == nil {
				return nil
			}
			c := b.Cursor()
			for k, _ := c.Last(); k != nil; k, _ = c.Prev() {
				var run document.Summary
				if _, err := getIn(tx, bucket, string(k), &run); err != nil {
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
			b := tx.Bucket([]byte(bucketChanges))
			if b == nil {
				return nil
			}
			c := b.Cursor()
			prefix := run + "/"
			for k, v := c.Seek([]byte(prefix)); strings.HasPrefix(string(k), prefix); k, v = c.Next() {
				entries, err := l.unpackEntries(v)
				if err != nil {
					return fmt.Errorf("read changes of run %s: %w", run, err)
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

func (l *Ledger) unpackEntries(packed []byte) ([]document.Entry, error) {
	raw, err := l.dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var entries []document.Entry
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return entries, nil
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
	b := tx.Bucket([]byte(bucketChanges))
	b.FillPercent = fill
	seq, err := b.NextSequence()
	if err != nil {
		return err
	}
	return b.Put(fmt.Appendf(nil, "%s/%012d", run, seq), l.enc.EncodeAll(raw, nil))
}

// Finish records a run that went to its end: its summary, what was learned of
// the hosts, the origins it is pinned to, the retention rules that had an effect, and, when the run is complete, that the
// approvals had their chance. Runs older than 90 days are dropped.
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
			if err := clearBucket(tx, bucketApprovals); err != nil {
				return err
			}
		}
		if summary.Stopped == "" && trailer.Rules != nil {
			if err := putIn(tx, bucketMeta, "rules", trailer.Rules); err != nil {
				return err
			}
		}
		if err := pinOrigins(tx, trailer.Origins); err != nil {
			return err
		}
		if err := rememberRules(tx, trailer.Retention); err != nil {
			return err
		}
		if err := errors.Join(putIn(tx, bucketRuns, summary.Run, summary), putIn(tx, bucketMeta, "last", summary.Run)); err != nil {
			return err
		}
		return errors.Join(dropUnsent(tx, summary), dropRuns(tx, summary.Start-int64(keepRuns/time.Second)))
	})
}

// pinOrigins adds origins that the owner approved to the ledger's target.
func pinOrigins(tx *bolt.Tx, origins []string) error {
	var target document.Target
	if _, err := getIn(tx, bucketMeta, "target", &target); err != nil {
		return err
	}
	target.Origins = slices.Compact(slices.Sorted(slices.Values(append(target.Origins, origins...))))
	return putIn(tx, bucketMeta, "target", target)
}

// keyRetention is where the retention rules stand that had an effect.
const keyRetention = "retention"

// Retention returns the retention rules, as written, that had an effect before.
func (l *Ledger) Retention() (rules []string, err error) {
	_, err = l.get(bucketMeta, keyRetention, &rules)
	return rules, err
}

func rememberRules(tx *bolt.Tx, rules []string) error {
	if len(rules) == 0 {
		return nil
	}
	var known []string
	if _, err := getIn(tx, bucketMeta, keyRetention, &known); err != nil {
		return err
	}
	return putIn(tx, bucketMeta, keyRetention, slices.Compact(slices.Sorted(slices.Values(append(known, rules...)))))
}

func dropRuns(tx *bolt.Tx, before int64) error {
	var old []string
	err := tx.Bucket([]byte(bucketRuns)).ForEach(func(k, _ []byte) error {
		var run document.Summary
		if _, err := getIn(tx, bucketRuns, string(k), &run); err != nil {
			return err
		}
		if run.Start < before {
			old = append(old, string(k))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, run := range old {
		if err := deleteIn(tx, bucketRuns, run); err != nil {
			return err
		}
		if err := deletePrefix(tx.Bucket([]byte(bucketChanges)), run+"/"); err != nil {
			return err
		}
	}
	return dropChanges(tx)
}

// dropChanges drops the changes of runs that were killed before the oldest one that
// is kept.
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

func clearBucket(tx *bolt.Tx, name string) error {
	if err := tx.DeleteBucket([]byte(name)); err != nil {
		return err
	}
	_, err := tx.CreateBucket([]byte(name))
	return err
}

func deletePrefix(b *bolt.Bucket, prefix string) error {
	c := b.Cursor()
	for k, _ := c.Seek([]byte(prefix)); strings.HasPrefix(string(k), prefix); k, _ = c.Seek([]byte(prefix)) {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
