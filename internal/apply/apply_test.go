package apply_test

import (
	"fmt"
	"slices"
	"testing"

	"sitesync/internal/document"
)

// TestApplyWindows: changes go out in the order of the plan, at most a thousand of
// one operation at once, with one transaction before each and one in the end.
func TestApplyWindows(t *testing.T) {
	r := newApplyRig(t)
	r.apply("run-1", applyChanges(document.Put, 0, 2500))
	changes := slices.Concat(applyChanges(document.Put, 3000, 3001), applyChanges(document.Patch, 0, 1200), applyChanges(document.Delete, 1200, 2500))
	r.apply("run-2", changes)

	var sizes []string
	for _, call := range r.calls {
		sizes = append(sizes, fmt.Sprint(call.op, " ", len(call.ids)))
	}
	want := []string{"put 1000", "put 1000", "put 500", "put 1", "patch 1000", "patch 200", "delete 1000", "delete 300"}
	if !slices.Equal(sizes, want) {
		t.Errorf("sent %v, want %v", sizes, want)
	}
	if !slices.Equal(r.sent(), append(idsOfChanges(applyChanges(document.Put, 0, 2500)), idsOfChanges(changes)...)) {
		t.Error("not sent in the order of the plan")
	}
	if most := len(want) + 2 + 2; len(r.batches) > most {
		t.Errorf("%d transactions, expected %d at most", len(r.batches), most)
	}
	for n, batch := range r.batches {
		if len(batch.Intents) > 1000 || len(batch.Settled) > 1000 {
			t.Errorf("transaction %d: %d intents, %d outcomes", n, len(batch.Intents), len(batch.Settled))
		}
	}
	if states := r.states(); states[document.PushOK] != 1201 || len(states) != 1 {
		t.Errorf("records %v", states)
	}
	if got := len(r.entries("run-2")); got != len(changes) {
		t.Errorf("%d entries, expected %d", got, len(changes))
	}
}

// TestApplyOutcomes: each outcome goes into its record, the history and the counts.
func TestApplyOutcomes(t *testing.T) {
	r := newApplyRig(t)
	r.holds(applyID(4), applyID(5), applyID(6), applyID(7), applyID(8))
	refused := document.Outcome{State: document.Refused, Reason: "no"}
	doubted := document.Outcome{State: document.InDoubt, Reason: "time-out"}
	r.script = map[string]document.Outcome{
		applyID(2): refused, applyID(3): doubted, applyID(5): refused, applyID(6): doubted, applyID(8): refused, applyID(9): refused,
		applyID(1): {State: document.Acknowledged, By: "status"},
	}
	again := applyChange(document.Put, applyID(9))
	again.Cause, again.Again = document.CauseRetry, true
	changes := slices.Concat(applyChanges(document.Put, 1, 4), []document.Change{again}, applyChanges(document.Patch, 4, 6), applyChanges(document.Delete, 6, 9))
	var progress []int
	a := r.applier(r.plan("run-1", changes, nil))
	a.Progress = func(done int) { progress = append(progress, done) }
	summary, err := a.Apply(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []document.Push{1: "ok", 2: "refused", 3: "doubt", 4: "ok", 5: "refused", 6: "doubt", 7: "removed", 8: "refused", 9: "refused"} {
		if n > 0 && r.state(applyID(n)) != want {
			t.Errorf("record %d is %q, want %q", n, r.state(applyID(n)), want)
		}
	}
	if rec, _ := r.Ledger.Get(applyID(1)); rec.By != "status" {
		t.Errorf("acknowledged by %q", rec.By)
	}
	want := document.Counts{Discovered: 99, Unchanged: 7, Failed: 3, Put: 1, Patch: 1, Delete: 1, Refused: 4}
	if kinds := (document.Kinds{New: 2, Deleted: 1}); summary.Kinds != kinds {
		t.Errorf("kinds %+v", summary.Kinds)
	}
	if summary.Counts != want {
		t.Errorf("counts %+v, want %+v", summary.Counts, want)
	}
	if summary.New != 2+5 { // the plan's, and all that was not accepted except the one refused before
		t.Errorf("%d new failures", summary.New)
	}
	if !slices.Equal(progress, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("progress %v", progress)
	}
	lines := []string{
		"/00001 acknowledged", "/00002 refused", "/00003 in-doubt", "/00009 refused", "/00004 acknowledged",
		"/00005 refused", "/00006 in-doubt", "/00007 acknowledged", "/00008 refused",
	}
	if got := r.entries("run-1"); !slices.Equal(got, lines) {
		t.Errorf("history %v", got)
	}
	run, found, err := r.Ledger.Run("run-1")
	if err != nil || !found || run.Counts != want || run.Stopped != "" {
		t.Errorf("recorded %+v, %v, %v", run, found, err)
	}
}

// Invariant 13: the delete of a document that moved waits until the service has acknowledged the new one.
func TestDeleteWaitsForItsTarget(t *testing.T) {
	target := applyID(1)
	tests := []struct {
		name    string
		changes []document.Change // of the target
		outcome document.State    // of it
		by      string
		held    bool
	}{
		{"put and acknowledged", applyChanges(document.Put, 1, 2), document.Acknowledged, "row", false},
		{"put and refused", applyChanges(document.Put, 1, 2), document.Refused, "", true},
		{"put and in doubt", applyChanges(document.Put, 1, 2), document.InDoubt, "", true},
		{"in doubt although acknowledged", applyChanges(document.Put, 1, 2), document.InDoubt, "row", false},
		{"never sent", nil, document.Acknowledged, "row", true},
	}
	for _, test := range tests {
		for _, includeHeld := range []bool{false, true} {
			r := newApplyRig(t)
			r.holds(applyID(0), applyID(2))
			r.script[target] = document.Outcome{State: test.outcome, By: test.by, Reason: "why"}
			moved := applyChange(document.Delete, applyID(0))
			moved.Cause, moved.Needs, moved.Next = document.CauseMoved, target, &document.Record{ID: moved.ID}
			a := r.applier(r.plan("run-1", append(test.changes, moved, applyChange(document.Delete, applyID(2))), nil))
			a.IncludeHeld = includeHeld
			summary, err := a.Apply(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			deletes, held, state, entry := 2, 0, document.PushNone, "/00000 acknowledged"
			if test.held {
				deletes, held, state, entry = 1, 1, document.PushOK, "/00000 held target"
			}
			if test.by != "" && summary.New != a.Trailer.Summary.New || summary.Counts.Delete != deletes || summary.Counts.Held != held || r.state(moved.ID) != state || r.state(applyID(2)) != "removed" {
				t.Errorf("%s: %+v; %q, %q", test.name, summary.Counts, r.state(moved.ID), r.state(applyID(2)))
			}
			if slices.Contains(r.sent(), moved.ID) == test.held || !slices.Contains(r.entries("run-1"), entry) {
				t.Errorf("%s: sent %v, history %v", test.name, r.sent(), r.entries("run-1"))
			}
		}
	}
}

// TestApplyHeld: what is held or parked is named and not sent; --include-held sends
// all that is held but what hosts that are not ok hold.
func TestApplyHeld(t *testing.T) {
	brakes := []document.Brake{document.BrakeTotal, document.BrakeIncomplete, document.BrakeHost, document.BrakeOrigin}
	var changes []document.Change
	for n, brake := range brakes {
		c := applyChange(document.Delete, applyID(n))
		if brake == document.BrakeOrigin {
			c = applyChange(document.Put, applyID(n))
		}
		c.State, c.Brake = document.Held, brake
		changes = append(changes, c)
	}
	parked := applyChange(document.Put, applyID(4))
	parked.State = document.Refused
	changes = slices.Concat(changes[3:], []document.Change{parked, applyChange(document.Put, applyID(5))}, changes[:3])

	for _, test := range []struct {
		include bool
		sent    []int
		counts  document.Counts
	}{
		{false, []int{5}, document.Counts{Discovered: 99, Unchanged: 7, Failed: 3, Put: 1, Held: 4, Refused: 1}},
		{true, []int{3, 5, 0, 1}, document.Counts{Discovered: 99, Unchanged: 7, Failed: 3, Put: 2, Delete: 2, Held: 1, Refused: 1}},
	} {
		r := newApplyRig(t)
		r.holds(applyID(0), applyID(1), applyID(2))
		a := r.applier(r.plan("run-1", changes, nil))
		a.IncludeHeld = test.include
		summary, err := a.Apply(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, n := range test.sent {
			want = append(want, applyID(n))
		}
		if got := r.sent(); !slices.Equal(got, want) || summary.Counts != test.counts {
			t.Errorf("include %v: sent %v; %+v", test.include, got, summary.Counts)
		}
		if r.state(applyID(2)) != document.PushOK || r.state(applyID(4)) != "removed" {
			t.Errorf("include %v: records %v", test.include, r.states())
		}
		history := []string{"/00000 held total", "/00001 held incomplete", "/00002 held host", "/00003 held origin", "/00004 refused", "/00005 acknowledged"}
		if test.include {
			history[0], history[1], history[3] = "/00000 acknowledged total", "/00001 acknowledged incomplete", "/00003 acknowledged origin"
		}
		if got := slices.Sorted(slices.Values(r.entries("run-1"))); !slices.Equal(got, history) {
			t.Errorf("include %v: history %v", test.include, got)
		}
	}
}

// TestApplyReleasedStays: a held new document is observed as well, so that it stays
// known; once it was released and sent, the observation does not undo what the
// service said.
func TestApplyReleasedStays(t *testing.T) {
	for state, want := range map[document.State]document.Push{
		document.Acknowledged: document.PushOK, document.InDoubt: document.PushDoubt, document.Refused: document.PushRefused,
	} {
		r := newApplyRig(t)
		held := applyChange(document.Put, applyID(0))
		held.State, held.Brake = document.Held, document.BrakeOrigin
		r.script[held.ID] = document.Outcome{State: state}
		a := r.applier(r.plan("run-1", []document.Change{held}, []document.Observation{{ID: held.ID, Next: &document.Record{ID: held.ID}}}))
		a.IncludeHeld = true
		if _, err := a.Apply(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := r.state(held.ID); got != want {
			t.Errorf("%s: the record is %q, want %q", state, got, want)
		}
	}
}

// TestApplyObservations: records that need no call are kept, or removed, after the
// changes and in few transactions.
func TestApplyObservations(t *testing.T) {
	r := newApplyRig(t)
	r.holds(applyID(0), applyID(1))
	missed := &document.Record{ID: applyID(0), Push: document.PushOK, Misses: 1, Fields: map[string]document.Hash{"Title": document.HashOf("x")}}
	observed := []document.Observation{{ID: applyID(0), Next: missed}, {ID: applyID(1)}}
	for n := range 4500 {
		observed = append(observed, document.Observation{ID: applyID(100 + n), Next: &document.Record{Canonical: applyID(0)}})
	}
	r.apply("run-1", applyChanges(document.Put, 2, 3), observed...)
	if rec, err := r.Ledger.Get(applyID(0)); err != nil || rec.Misses != 1 || rec.Push != document.PushOK {
		t.Errorf("record %+v, %v", rec, err)
	}
	want := map[document.Push]int{document.PushOK: 2, document.PushNone: 4500}
	if states := r.states(); states[document.PushOK] != want[document.PushOK] || states[document.PushNone] != want[document.PushNone] || r.state(applyID(1)) != "removed" {
		t.Errorf("records %v", states)
	}
	if len(r.batches) > 6 {
		t.Errorf("%d transactions", len(r.batches))
	}
}
