package app

import (
	"iter"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// HoldingRuns returns the last run. If that looked at a part of the site, the earlier ones
// follow, back to a run of all of it: what they held is held still, unless a later one
// decided on it.
func HoldingRuns(ledger *diffstore.Ledger) ([]document.Summary, error) {
	last, found, err := ledger.Run("")
	if err != nil || !found {
		return nil, err
	}
	runs := []document.Summary{last}
	if !last.Part {
		return runs, nil
	}
	for run, err := range ledger.Runs() {
		if err != nil {
			return nil, err
		}
		if run.Run != last.Run {
			runs = append(runs, run)
		}
		if !run.Part {
			break
		}
	}
	return runs, nil
}

// Held yields the changes that the runs of HoldingRuns held.
func Held(ledger *diffstore.Ledger, runs []document.Summary) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		decided := map[string]bool{} // by a later run of a part
		for _, run := range runs {
			var ids []string
			for e, err := range ledger.Entries(run.Run) {
				if run.Part {
					ids = append(ids, e.ID)
				}
				if held := err == nil && e.State == document.Held && !decided[e.ID]; (held || err != nil) && (!yield(e, err) || err != nil) {
					return
				}
			}
			for _, id := range ids {
				decided[id] = true
			}
		}
	}
}
