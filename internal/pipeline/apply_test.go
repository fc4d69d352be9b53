package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
	"sitesync/internal/pipeline"
)

// applyRig is a real ledger with a sender that keeps what it was given and answers
// by a script.
type applyRig struct {
	t      *testing.T
	path   string
	ledger *diffstore.Ledger

	batches []document.Batch // every transaction
	calls   []sentCall
	script  map[string]document.Outcome // by ID; others are acknowledged
	before  func(n int) error           // called before the n-th change is answered; an error ends the sending
}

// sentCall is what the sender was given at once.
type sentCall struct {
	op  document.Op
	ids []string
}

func newApplyRig(t *testing.T) *applyRig {
	r := &applyRig{t: t, path: filepath.Join(t.TempDir(), "sitesync.db"), script: map[string]document.Outcome{}}
	r.open()
	return r
}

func (r *applyRig) open() {
	r.t.Helper()
	ledger, err := diffstore.Open(r.path, true)
	if err != nil {
		r.t.Fatal(err)
	}
	r.ledger = ledger
	r.t.Cleanup(func() { _ = ledger.Close() })
}

// Step notes the transaction on its way to the ledger.
func (r *applyRig) Step(run string, batch document.Batch) error {
	r.batches = append(r.batches, batch)
	return r.ledger.Step(run, batch)
}

func (r *applyRig) Begin(generation uint64, target document.Target) error {
	return r.ledger.Begin(generation, target)
}

func (r *applyRig) Finish(trailer document.PlanTrailer) error { return r.ledger.Finish(trailer) }

func (r *applyRig) Get(id string) (*document.Record, error) { return r.ledger.Get(id) }

// Apply is the sender: it answers in calls of 100, each after having seen that the
// ledger knows of its changes.
func (r *applyRig) Apply(ctx context.Context, op document.Op, changes []document.Change, report func([]document.Outcome) error) error {
	call := sentCall{op: op}
	for _, c := range changes {
		call.ids = append(call.ids, c.ID)
		if c.Op != op {
			r.t.Errorf("%s of %s in a call of %s", c.Op, c.ID, op)
		}
		if rec, err := r.ledger.Get(c.ID); err != nil || rec == nil || rec.Push != document.PushDoubt {
			r.t.Errorf("%s of %s was sent before its intent was recorded: %+v, %v", op, c.ID, rec, err)
		}
	}
	r.calls = append(r.calls, call)
	for some := range slices.Chunk(changes, 100) {
		outcomes, stop := r.answer(ctx, some)
		if err := report(outcomes); err != nil {
			return err
		}
		if stop != nil {
			return stop
		}
	}
	return nil
}

func (r *applyRig) answer(ctx context.Context, changes []document.Change) (outcomes []document.Outcome, stop error) {
	for _, c := range changes {
		if r.before != nil {
			if stop = r.before(len(r.sent()) - len(changes) + len(outcomes)); stop != nil {
				return outcomes, stop
			}
		}
		if ctx.Err() != nil {
			return outcomes, ctx.Err()
		}
		outcome, scripted := r.script[c.ID]
		if !scripted {
			outcome = document.Outcome{State: document.Acknowledged, By: "row"}
		}
		outcome.ID = c.ID
		outcomes = append(outcomes, outcome)
	}
	return outcomes, nil
}

// sent returns all IDs that were given to the sender.
func (r *applyRig) sent() []string {
	var ids []string
	for _, call := range r.calls {
		ids = append(ids, call.ids...)
	}
	return ids
}

// plan writes a plan file for the ledger as it stands and opens it.
func (r *applyRig) plan(run string, changes []document.Change, observed []document.Observation) *diffstore.Plan {
	r.t.Helper()
	generation, err := r.ledger.Generation()
	if err != nil {
		r.t.Fatal(err)
	}
	path := filepath.Join(r.t.TempDir(), run)
	out, err := diffstore.CreatePlan(path, document.PlanHeader{Run: run, Start: 1_700_000_000, Generation: generation, Target: applyTarget()})
	if err != nil {
		r.t.Fatal(err)
	}
	var errs []error
	for _, c := range changes {
		errs = append(errs, out.Change(c))
	}
	for _, o := range observed {
		errs = append(errs, out.Observe(o))
	}
	summary := document.Summary{Run: run, Start: 1_700_000_000, Complete: true, New: 2, Counts: document.Counts{
		Discovered: 99, Unchanged: 7, Failed: 3, Put: 1000, Patch: 1000, Delete: 1000, Held: 1000, Refused: 1000,
	}}
	errs = append(errs, out.Close(document.PlanTrailer{Summary: summary, Origins: []string{applySite}}))
	plan, err := diffstore.OpenPlan(path)
	if err := errors.Join(append(errs, err)...); err != nil {
		r.t.Fatal(err)
	}
	return plan
}

func (r *applyRig) applier(plan *diffstore.Plan) *pipeline.Applier {
	return &pipeline.Applier{Header: plan.Header, Trailer: plan.Trailer, Plan: plan, Book: r, Sender: r}
}

// apply applies a plan that must go through.
func (r *applyRig) apply(run string, changes []document.Change, observed ...document.Observation) document.Summary {
	r.t.Helper()
	summary, err := r.applier(r.plan(run, changes, observed)).Apply(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return summary
}

// holds puts documents into the ledger, acknowledged.
func (r *applyRig) holds(ids ...string) {
	r.t.Helper()
	var changes []document.Change
	for _, id := range ids {
		changes = append(changes, applyChange(document.Put, id))
	}
	r.apply("run-0", changes)
	r.batches, r.calls = nil, nil
}

// state returns the state of a record, "removed" when there is none.
func (r *applyRig) state(id string) document.Push {
	r.t.Helper()
	rec, err := r.ledger.Get(id)
	if err != nil {
		r.t.Fatal(err)
	}
	if rec == nil {
		return "removed"
	}
	return rec.Push
}

// states counts records by state.
func (r *applyRig) states() map[document.Push]int {
	r.t.Helper()
	counts, err := r.ledger.Count()
	if err != nil {
		r.t.Fatal(err)
	}
	return counts
}

// entries returns what the history says of a run, "ID state brake" each.
func (r *applyRig) entries(run string) []string {
	r.t.Helper()
	var lines []string
	for e, err := range r.ledger.Entries(run) {
		if err != nil {
			r.t.Fatal(err)
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprint(strings.TrimPrefix(e.ID, applySite), " ", e.State, " ", e.Brake)))
	}
	return lines
}

const applySite = "https://www.example.com"

func applyTarget() document.Target {
	return document.Target{Base: "https://api.example.com", Customer: 10000001, Crawler: "c1", Origins: []string{applySite}}
}

func applyID(n int) string { return fmt.Sprintf("%s/%05d", applySite, n) }

func applyChange(op document.Op, id string) document.Change {
	c := document.Change{Op: op, ID: id, Type: document.PageContent, Cause: document.CauseNew, State: document.Planned}
	if op == document.Delete {
		c.Cause = document.CauseGone
		return c
	}
	doc := document.Document{ID: id, Type: document.PageContent, Fields: map[string]string{"Title": string(op) + " of " + id}}
	c.Doc, _ = doc.Wire()
	c.Next = &document.Record{ID: id, Type: doc.Type, Fields: doc.FieldHashes(), Push: document.PushOK}
	return c
}

func applyChanges(op document.Op, from, to int) []document.Change {
	var changes []document.Change
	for n := from; n < to; n++ {
		changes = append(changes, applyChange(op, applyID(n)))
	}
	return changes
}

func idsOfChanges(changes []document.Change) []string {
	var ids []string
	for _, c := range changes {
		ids = append(ids, c.ID)
	}
	return ids
}

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
	again.Cause = document.CauseRetry
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
	if rec, _ := r.ledger.Get(applyID(1)); rec.By != "status" {
		t.Errorf("acknowledged by %q", rec.By)
	}
	want := document.Counts{Discovered: 99, Unchanged: 7, Failed: 3, Put: 1, Patch: 1, Delete: 1, Refused: 4}
	if summary.Counts != want {
		t.Errorf("counts %+v, want %+v", summary.Counts, want)
	}
	if summary.New != 2+5 { // the plan's, and all that was not accepted but for the one refused before
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
	run, found, err := r.ledger.Run("run-1")
	if err != nil || !found || run.Counts != want || run.Stopped != "" {
		t.Errorf("recorded %+v, %v, %v", run, found, err)
	}
}

// TestApplyNeeds: a delete of what goes on under another ID waits until that one is
// acknowledged.
func TestApplyNeeds(t *testing.T) {
	target := applyID(1)
	tests := []struct {
		name    string
		changes []document.Change // of the target
		outcome document.State    // of it
		held    bool
	}{
		{"put and acknowledged", applyChanges(document.Put, 1, 2), document.Acknowledged, false},
		{"put and refused", applyChanges(document.Put, 1, 2), document.Refused, true},
		{"put and in doubt", applyChanges(document.Put, 1, 2), document.InDoubt, true},
		{"never sent", nil, document.Acknowledged, true},
	}
	for _, test := range tests {
		for _, includeHeld := range []bool{false, true} {
			r := newApplyRig(t)
			r.holds(applyID(0), applyID(2))
			r.script[target] = document.Outcome{State: test.outcome, Reason: "why"}
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
			if summary.Counts.Delete != deletes || summary.Counts.Held != held || r.state(moved.ID) != state || r.state(applyID(2)) != "removed" {
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
		history []string
		counts  document.Counts
	}{
		{false, []int{5}, []string{"/00003 held origin", "/00004 refused", "/00000 held total", "/00001 held incomplete", "/00002 held host", "/00005 acknowledged"},
			document.Counts{Discovered: 99, Unchanged: 7, Failed: 3, Put: 1, Held: 4, Refused: 1}},
		{true, []int{3, 5, 0, 1}, nil, document.Counts{Discovered: 99, Unchanged: 7, Failed: 3, Put: 2, Delete: 2, Held: 1, Refused: 1}},
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
		if got := r.entries("run-1"); len(got) != 6 || !slices.Contains(got, "/00002 held host") || !slices.Contains(got, "/00004 refused") {
			t.Errorf("include %v: history %v", test.include, got)
		} else if slices.Sort(got); test.history != nil && !slices.Equal(got, slices.Sorted(slices.Values(test.history))) {
			t.Errorf("history %v", got)
		}
	}
}

// stoppedPlan has puts to stop in, then a delete that is held, a parked document and
// an observation.
func stoppedPlan(r *applyRig) *diffstore.Plan {
	held, parked := applyChange(document.Delete, applyID(9000)), applyChange(document.Put, applyID(9001))
	held.State, held.Brake, parked.State = document.Held, document.BrakeTotal, document.Refused
	observed := document.Observation{ID: applyID(9002), Next: &document.Record{ID: applyID(9002), Misses: 1}}
	r.holds(held.ID)
	return r.plan("run-1", append(applyChanges(document.Put, 0, 2500), held, parked), []document.Observation{observed})
}

// TestApplyStopped: a run that ends early, by the sender or by the user, records
// what it knows: the outcomes so far, doubt for what was under way, nothing for what
// was not begun, and what the crawl saw.
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
		{"sender, between calls", false, 1500, 1500, 500},
		{"cancelled, first change", true, 0, 0, 1000},
		{"cancelled, first window", true, 250, 250, 750},
		{"cancelled, last window", true, 2499, 2499, 1},
		{"cancelled, between windows", true, 1000, 1000, 1000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newApplyRig(t)
			plan := stoppedPlan(r)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			answered := 0
			r.before = func(int) error {
				switch {
				case answered < test.at:
					answered++
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
			states := r.states()
			if states[document.PushOK] != test.acknowledged+1 || states[document.PushDoubt] != test.doubt || states[document.PushNone] != 1 {
				t.Errorf("records %v", states)
			}
			if r.state(applyID(9000)) != document.PushOK || r.state(applyID(9001)) != "removed" {
				t.Error("held or parked changes were sent")
			}
			run, found, err := r.ledger.Run("run-1")
			if err != nil || !found || run.Stopped != summary.Stopped || run.Counts != summary.Counts {
				t.Errorf("recorded %+v, %v, %v", run, found, err)
			}
		})
	}
}

// TestApplyStoppedNamesHeld: what is held is named on every run, also on one that
// was stopped before it came to it; else nothing shows it and nothing approves it.
func TestApplyStoppedNamesHeld(t *testing.T) {
	r := newApplyRig(t)
	plan := stoppedPlan(r)
	r.before = func(n int) error {
		if n == 10 {
			return errors.New("stop")
		}
		return nil
	}
	summary, err := r.applier(plan).Apply(t.Context())
	if err == nil || summary.Counts.Held != 1 || summary.Counts.Refused != 1 {
		t.Errorf("counts %+v, %v", summary.Counts, err)
	}
	for _, want := range []string{"/09000 held total", "/09001 refused"} {
		if got := r.entries("run-1"); !slices.Contains(got, want) {
			t.Errorf("the history does not say %q", want)
		}
	}
}

// TestApplyCancelledBefore: a run that is cancelled before it sends anything still
// records what the crawl saw, and does not count as a whole one.
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
		if states := r.states(); states[document.PushNone] != 1 || len(states) != 1 {
			t.Errorf("records %v", states)
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
	if rec, err := r.ledger.Get(applyID(0)); err != nil || rec.Misses != 1 || rec.Push != document.PushOK {
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

// TestApplyOnce: a plan that was applied, or made from another state of the ledger,
// sends nothing and changes nothing.
func TestApplyOnce(t *testing.T) {
	r := newApplyRig(t)
	first, rival := r.plan("run-1", applyChanges(document.Put, 0, 2), nil), r.plan("run-2", applyChanges(document.Put, 5, 6), nil)
	if _, err := r.applier(first).Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	calls, batches := len(r.calls), len(r.batches)
	for _, plan := range []*diffstore.Plan{first, rival} {
		summary, err := r.applier(plan).Apply(t.Context())
		if !errors.Is(err, diffstore.ErrMoved) || summary.Run != "" {
			t.Errorf("%+v, %v", summary, err)
		}
	}
	if len(r.calls) != calls || len(r.batches) != batches || r.states()[document.PushOK] != 2 {
		t.Errorf("%v, records %v", r.calls, r.states())
	}
	if _, found, err := r.ledger.Run("run-2"); found || err != nil {
		t.Errorf("a run that never was is in the history (%v)", err)
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
			return r.ledger.Close()
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
	if _, found, err := r.ledger.Run("run-1"); found || err != nil {
		t.Errorf("the run counts as ended (%v)", err)
	}
}
