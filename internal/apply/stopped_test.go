package apply_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
)

// stoppedPlan has puts to stop in, then a delete that is held, a parked document and
// an observation.
func stoppedPlan(r *applyRig) *planfile.File {
	held, parked := applyChange(document.Delete, applyID(9000)), applyChange(document.Put, applyID(9001))
	held.State, held.Brake, parked.State = document.Held, document.BrakeTotal, document.Refused
	observed := document.Observation{ID: applyID(9002), Next: &document.Record{ID: applyID(9002), Misses: 1}}
	r.holds(held.ID)
	return r.plan("run-1", append(applyChanges(document.Put, 0, 1500), held, parked), []document.Observation{observed})
}

// TestApplyStopped: a run that ends early, by the sender or by the user, records
// what it knows: the outcomes so far, doubt for what was under way, nothing for what
// was not begun, and what the crawl saw, unless it was interrupted: the next run sees
// that again, and it counts once.
func TestApplyStopped(t *testing.T) {
	errStop := errors.New("three calls in a row failed")
	tests := []struct {
		name         string
		cancel       bool
		at           int // changes answered before the end
		acknowledged int
		doubt        int
	}{
		{"sender, first window", false, 250, 250, 750},
		{"sender, between calls", false, 1200, 1200, 300},
		{"cancelled, first change", true, 0, 0, 1000},
		{"cancelled, first window", true, 250, 250, 750},
		{"cancelled, last change", true, 1499, 1499, 1},
		{"cancelled, second window", true, 1000, 1000, 500},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newApplyRig(t)
			plan := stoppedPlan(r)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r.before = func(n int) error {
				switch {
				case n < test.at:
				case test.cancel:
					cancel()
				default:
					return errStop
				}
				return nil
			}
			want := errStop
			if test.cancel {
				want = context.Canceled
			}
			summary, err := r.applier(plan).Apply(ctx)
			if !errors.Is(err, want) || summary.Run != "run-1" || summary.Stopped == "" || summary.Counts.Put != test.acknowledged {
				t.Errorf("%+v, %v", summary, err)
			}
			states, observed := r.states(), 1
			if test.cancel {
				observed = 0
			}
			if states[document.PushOK] != test.acknowledged+1 || states[document.PushDoubt] != test.doubt || states[document.PushNone] != observed {
				t.Errorf("records %v", states)
			}
			if r.state(applyID(9000)) != document.PushOK || r.state(applyID(9001)) != "removed" {
				t.Error("held or parked changes were sent")
			}
			if history := r.entries("run-1"); !test.cancel && (summary.Counts.Held != 1 || summary.Counts.Refused != 1 ||
				!slices.Contains(history, "/09000 held total") || !slices.Contains(history, "/09001 refused")) {
				t.Errorf("what is held is not named: %+v", summary.Counts) // else nothing shows it and nothing approves it
			}
			run, found, err := r.Ledger.Run("run-1")
			if err != nil || !found || run.Stopped != summary.Stopped || run.Counts != summary.Counts {
				t.Errorf("recorded %+v, %v, %v", run, found, err)
			}
		})
	}
}

// TestApplyCancelledBefore: a run that is cancelled before it sends anything does not
// count: no look of it does.
func TestApplyCancelledBefore(t *testing.T) {
	for _, changes := range [][]document.Change{nil, applyChanges(document.Put, 0, 3)} {
		r := newApplyRig(t)
		observed := document.Observation{ID: applyID(9), Next: &document.Record{ID: applyID(9), Misses: 1}}
		plan := r.plan("run-1", changes, []document.Observation{observed})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		summary, err := r.applier(plan).Apply(ctx)
		if !errors.Is(err, context.Canceled) || summary.Stopped == "" || len(r.calls) != 0 {
			t.Errorf("%+v, %v, %v", summary, err, r.calls)
		}
		if states := r.states(); len(states) != 0 {
			t.Errorf("records %v", states)
		}
	}
}

// TestApplyCancelledBetween: what was not begun when the run was cancelled is not in
// doubt.
func TestApplyCancelledBetween(t *testing.T) {
	r := newApplyRig(t)
	ctx, cancel := context.WithCancel(t.Context())
	a := r.applier(r.plan("run-1", applyChanges(document.Put, 0, 1500), nil))
	a.Progress = func(done int) {
		if done == 1000 {
			cancel()
		}
	}
	if summary, err := a.Apply(ctx); !errors.Is(err, context.Canceled) || summary.Counts.Put != 1000 {
		t.Errorf("%+v, %v", summary, err)
	}
	if states := r.states(); states[document.PushOK] != 1000 || len(states) != 1 {
		t.Errorf("records %v", states)
	}
}

// TestApplyWrongOrder: an outcome that fits no change is believed for none.
func TestApplyWrongOrder(t *testing.T) {
	r := newApplyRig(t)
	a := r.applier(r.plan("run-1", applyChanges(document.Put, 0, 3), nil))
	a.Sender = outOfOrder{}
	if _, err := a.Apply(t.Context()); err == nil || !strings.Contains(err.Error(), applyID(2)) {
		t.Errorf("got %v", err)
	}
	for n, want := range []document.Push{document.PushOK, document.PushDoubt, document.PushDoubt} {
		if got := r.state(applyID(n)); got != want {
			t.Errorf("record %d is %q", n, got)
		}
	}
}

// outOfOrder reports the first change and then the last.
type outOfOrder struct{}

func (outOfOrder) Apply(_ context.Context, _ document.Op, changes []document.Change, report func([]document.Outcome) error) error {
	return report([]document.Outcome{
		{ID: changes[0].ID, State: document.Acknowledged}, {ID: changes[len(changes)-1].ID, State: document.Acknowledged},
	})
}

// TestApplyLedgerLost: when the ledger can't be written any more the run ends with
// an error, and what was sent is in doubt for the next one.
func TestApplyLedgerLost(t *testing.T) {
	r := newApplyRig(t)
	plan := r.plan("run-1", applyChanges(document.Put, 0, 1500), nil)
	r.before = func(n int) error {
		if n == 500 {
			return r.Ledger.Close()
		}
		return nil
	}
	if _, err := r.applier(plan).Apply(t.Context()); err == nil {
		t.Fatal("no error")
	}
	if len(r.calls) != 1 {
		t.Errorf("%d calls, the last without an intent", len(r.calls))
	}
	r.open()
	if states := r.states(); states[document.PushDoubt] != 1000 || len(states) != 1 {
		t.Errorf("records %v", states)
	}
	if _, found, err := r.Ledger.Run("run-1"); found || err != nil {
		t.Errorf("the run counts as ended (%v)", err)
	}
}
