package diffstore

import (
	"cmp"
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

const keepRuns = 90 * 24 * time.Hour

// Run returns the summary of the run id, or of the last finished run if id is empty.
func (l *Ledger) Run(id string) (run document.Summary, found bool, err error) {
	if id == "" {
		if _, err := l.get(bucketMeta, keyLast, &id); err != nil {
			return run, false, err
		}
	}
	found, err = l.get(bucketRuns, id, &run)
	return run, found, err
}

// Runs yields the summaries of runs, the latest first. It leaves out runs that were stopped before they sent
// anything.
func (l *Ledger) Runs() iter.Seq2[document.Summary, error] {
	return func(yield func(document.Summary, error) bool) {
		for run, err := range l.History() {
			if !run.Unsent && !yield(run, err) {
				return
			}
		}
	}
}

// History yields the summaries of all runs of the last 90 days, the latest first. The order is that in which
// the runs ended, so a wrong system clock does not change it.
func (l *Ledger) History() iter.Seq2[document.Summary, error] {
	return func(yield func(document.Summary, error) bool) {
		runs, err := values[document.Summary](l, bucketRuns)
		if err != nil {
			yield(document.Summary{}, err)
			return
		}
		latestFirst := func(a, b document.Summary) int { return cmp.Compare(b.Number, a.Number) }
		for _, run := range slices.SortedFunc(maps.Values(runs), latestFirst) {
			if !yield(run, nil) {
				return
			}
		}
	}
}

// Entries yields the changes that a run sent or held back, in order.
func (l *Ledger) Entries(run string) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		err := l.view(func(tx *bolt.Tx) error {
			return l.entriesOf(tx, run, func(e document.Entry) bool { return yield(e, nil) })
		})
		if err != nil {
			yield(document.Entry{}, err)
		}
	}
}

func (l *Ledger) entriesOf(tx *bolt.Tx, run string, yield func(document.Entry) bool) error {
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
			if !yield(entry) {
				return nil
			}
		}
	}
	return nil
}

// Note records a run that ended before it sent anything. Plans (files of changes to send) from before the run
// can still be applied. Note does nothing if the run was resumed, and had sent something before that.
func (l *Ledger) Note(run document.Summary) error {
	run.Unsent = true
	return l.update(func(tx *bolt.Tx) error {
		var before document.Summary
		if found, err := getIn(tx, bucketRuns, run.Run, &before); err != nil || found && !before.Unsent {
			return err
		}
		return putRun(tx, run)
	})
}

// Finish records the end of a run: its summary, and the other facts in trailer. After a complete run, Finish
// drops approvals that are no longer needed. An approval allows a change that a limit held.
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
			if err := l.dropApprovals(tx, summary.Run, summary.Part); err != nil {
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
		target.Origins = union(target.Origins, trailer.Origins)
		var retention []string
		if _, err := getIn(tx, bucketMeta, keyRetention, &retention); err != nil {
			return err
		}
		if err := putRun(tx, summary); err != nil {
			return err
		}
		retention = union(retention, trailer.Retention)
		head := map[string]any{"target": target, keyRetention: retention, keyLast: summary.Run}
		if err := putAll(tx, bucketMeta, head); err != nil {
			return err
		}
		return dropChanges(tx)
	})
}

// dropApprovals drops all approvals except those of changes that the run held. If the run read only a part of
// the site (part is true), it also keeps the approvals of changes that the run did not find due.
func (l *Ledger) dropApprovals(tx *bolt.Tx, run string, part bool) error {
	approved := maps.Collect(entriesFrom(tx, bucketApprovals, ""))
	if len(approved) == 0 {
		return nil
	}
	heldByKey := map[string]bool{}
	err := l.entriesOf(tx, run, func(e document.Entry) bool {
		heldByKey[approval(&e)] = e.State == document.Held
		return true
	})
	if err != nil {
		return err
	}
	for key := range approved {
		if still, decided := heldByKey[key]; still || part && !decided {
			continue
		}
		if err := tx.Bucket([]byte(bucketApprovals)).Delete([]byte(key)); err != nil {
			return err
		}
	}
	return nil
}

// putRun stores the latest run and drops runs that began over 90 days earlier. If the latest run found the
// clock wrong, putRun drops none. If it sent nothing, putRun keeps all runs that sent something.
func putRun(tx *bolt.Tx, latest document.Summary) error {
	runs, err := valuesIn[document.Summary](tx, bucketRuns)
	if err != nil {
		return err
	}
	latest.Number = 1
	for id, run := range runs {
		latest.Number = max(latest.Number, run.Number+1)
		old := !latest.ClockOff && run.Start < latest.Start-int64(keepRuns/time.Second)
		if !old || latest.Unsent && !run.Unsent {
			continue
		}
		if err := tx.Bucket([]byte(bucketRuns)).Delete([]byte(id)); err != nil {
			return err
		}
	}
	return putIn(tx, bucketRuns, latest.Run, latest)
}

// dropChanges drops the changes of all runs that are older than every stored run. The IDs of runs sort by the
// start of the run.
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
