package apply_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/apply"
	"sitesync/internal/document"
)

// applyRig is a real ledger with a sender that keeps what it was given and answers
// by a script.
type applyRig struct {
	t    *testing.T
	path string
	*diffstore.Ledger

	batches []document.Batch // every transaction
	calls   []sentCall
	script  map[string]document.Outcome // by ID; others are acknowledged
	before  func(n int) error           // called when n changes were answered, before the next; an error ends the sending
	n       int                         // changes answered
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
	r.Ledger = ledger
	r.t.Cleanup(func() { _ = ledger.Close() })
}

// Step notes the transaction on its way to the ledger.
func (r *applyRig) Step(run string, batch document.Batch) error {
	r.batches = append(r.batches, batch)
	return r.Ledger.Step(run, batch)
}

// Lend lends nothing: the sender of this rig looks into the ledger.
func (r *applyRig) Lend(_ context.Context, fn func() error) error { return fn() }

// Apply is the sender: it answers in calls of 100, each after having seen that the
// ledger knows of its changes.
func (r *applyRig) Apply(ctx context.Context, op document.Op, changes []document.Change, report func([]document.Outcome) error) error {
	call := sentCall{op: op}
	for _, c := range changes {
		call.ids = append(call.ids, c.ID)
		if c.Op != op {
			r.t.Errorf("%s of %s in a call of %s", c.Op, c.ID, op)
		}
		if rec, err := r.Ledger.Get(c.ID); err != nil || rec == nil || rec.Push != document.PushDoubt {
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
			if stop = r.before(r.n); stop != nil {
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
		r.n++
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
func (r *applyRig) plan(run string, changes []document.Change, observed []document.Observation) *planfile.File {
	r.t.Helper()
	generation, err := r.Ledger.Generation()
	if err != nil {
		r.t.Fatal(err)
	}
	identity, err := r.Ledger.Identity()
	if err != nil {
		r.t.Fatal(err)
	}
	path := filepath.Join(r.t.TempDir(), run)
	out, err := planfile.Create(path, document.PlanHeader{Run: run, Ledger: identity, Start: 1_700_000_000, Generation: generation, Target: applyTarget()})
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
	plan, err := planfile.Open(path)
	if err := errors.Join(append(errs, err)...); err != nil {
		r.t.Fatal(err)
	}
	return plan
}

func (r *applyRig) applier(plan *planfile.File) *apply.Applier {
	return &apply.Applier{Header: plan.Header, Trailer: plan.Trailer, Plan: plan, Book: r, Sender: r}
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
	r.batches, r.calls, r.n = nil, nil, 0
}

// state returns the state of a record, "removed" when there is none.
func (r *applyRig) state(id string) document.Push {
	r.t.Helper()
	rec, err := r.Ledger.Get(id)
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
	counts, err := r.Ledger.Count()
	if err != nil {
		r.t.Fatal(err)
	}
	return counts
}

// entries returns what the history says of a run, "ID state brake" each.
func (r *applyRig) entries(run string) []string {
	r.t.Helper()
	var lines []string
	for e, err := range r.Ledger.Entries(run) {
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
	c.Doc = doc.Wire()
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
