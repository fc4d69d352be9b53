package report

import (
	"iter"
	"time"

	"sitesync/internal/document"
)

// Run is everything there is to tell of one run.
type Run struct {
	Summary  document.Summary
	Dry      bool // nothing was sent: what is shown is what would be
	Duration time.Duration
	Exit     int
	Entries  iter.Seq2[document.Entry, error] // every change, held ones included
	Failures iter.Seq2[document.Failure, error]
	Moves    iter.Seq2[document.Move, error]
	Warnings iter.Seq2[document.Warning, error]
}

// warnings yields the warnings, without those that a line of totals stands for unless
// all are asked for.
func (r *Run) warnings(all bool) iter.Seq2[document.Warning, error] {
	return func(yield func(document.Warning, error) bool) {
		for w, err := range r.Warnings {
			if err == nil && !all && (w.Kind == document.WarnNotLinked || w.Kind == document.WarnNotListed) {
				continue
			}
			if !yield(w, err) || err != nil {
				return
			}
		}
	}
}

// entries yields what the brakes hold, or, when held is false, everything else.
func (r *Run) entries(held bool) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		for e, err := range r.Entries {
			if err == nil && (e.State == document.Held) != held {
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}
