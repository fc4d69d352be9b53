package apply_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/apply"
	"sitesync/internal/document"
)

const bulkBefore = "2018/05/07"

// bulkRig answers bulk deletes as well, and can die before any write of the ledger.
type bulkRig struct {
	*applyRig
	answer func() (deleted int, ran bool, err error)
	bulks  []string // filters that were sent
	writes int      // that are left before it dies; below 0: it lives on
}

var errKilled = errors.New("killed")

func (r *bulkRig) ApplyBulk(_ context.Context, filter json.RawMessage) (int, bool, error) {
	r.bulks = append(r.bulks, string(filter))
	return r.answer()
}

func (r *bulkRig) write(do func() error) error {
	if r.writes == 0 {
		return errKilled
	}
	r.writes--
	return do()
}

func (r *bulkRig) Begin(plan document.PlanHeader) error {
	return r.write(func() error { return r.Ledger.Begin(plan) })
}
func (r *bulkRig) Learn(profile document.Profile) error {
	return r.write(func() error { return r.Ledger.Learn(profile) })
}
func (r *bulkRig) Step(run string, batch document.Batch) error {
	return r.write(func() error { return r.applyRig.Step(run, batch) })
}
func (r *bulkRig) Finish(trailer document.PlanTrailer) error {
	return r.write(func() error { return r.Ledger.Finish(trailer) })
}
func (r *bulkRig) BulkBegun(why string) error {
	return r.write(func() error { return r.Ledger.BulkBegun(why) })
}
func (r *bulkRig) BulkProved() error { return r.write(r.Ledger.BulkProved) }

func newBulkRig(t *testing.T, living, going int) *bulkRig {
	r := &bulkRig{applyRig: newApplyRig(t), writes: -1}
	r.answer = func() (int, bool, error) { return going, true, nil }
	r.holds(idsOfChanges(applyChanges(document.Put, 0, living+going))...)
	return r
}

// applier returns an applier of a plan with these changes and a bulk delete of the
// documents from one number to another.
func (r *bulkRig) applier(from, to int, changes ...document.Change) *apply.Applier {
	for _, c := range applyChanges(document.BulkDelete, from, to) {
		c.Cause, c.Next = document.CauseMissing, nil
		changes = append(changes, c)
	}
	plan := r.plan("run-1", changes, nil)
	plan.Trailer.Summary.Bulk = &document.Bulk{Before: bulkBefore, Documents: to - from}
	return &apply.Applier{Header: plan.Header, Trailer: plan.Trailer, Plan: plan, Book: r, Sender: r, Bulk: r}
}

// read returns how many records are in which state for who opens the ledger anew.
func (r *bulkRig) read() map[document.Push]int {
	r.t.Helper()
	ledger, err := diffstore.OpenRead(r.path)
	if err != nil {
		r.t.Fatal(err)
	}
	defer ledger.Close()
	counts, err := ledger.Count()
	if err != nil {
		r.t.Fatal(err)
	}
	return counts
}

func dated(op document.Op, n int, date string) document.Change {
	c := applyChange(op, applyID(n))
	c.Next.Date, c.Next.Fields["Date"] = date, document.HashOf(date)
	return c
}

func TestApplyBulk(t *testing.T) {
	const living, going = 5, 1100
	held := applyChange(document.Delete, applyID(0))
	held.State, held.Brake = document.Held, document.BrakeTotal
	broken := errors.New("no whole answer")
	var interrupt context.CancelFunc
	for name, test := range map[string]struct {
		answer  func() (int, bool, error)
		changes []document.Change
		script  map[string]document.Outcome
		bulks   int
		ok      int // documents acknowledged afterwards
		doubt   int
		err     string // empty: none
		counts  document.Counts
	}{
		"as foretold": {nil, nil, nil, 1, living, 0, "", document.Counts{BulkDelete: going}},
		"more":        {func() (int, bool, error) { return going + 1, true, nil }, nil, nil, 1, 0, living + going, "1,100 documents by the ledger, in run run-1, deleted 1101", document.Counts{}},
		"fewer":       {func() (int, bool, error) { return going - 1, true, nil }, nil, nil, 1, 0, living + going, "deleted 1099", document.Counts{}},
		"unknown":     {func() (int, bool, error) { return 0, true, broken }, nil, nil, 1, 0, living + going, "may have been carried out; every document is in doubt, and the next run puts it again: no whole answer", document.Counts{}},
		"interrupted": {func() (int, bool, error) { interrupt(); return 0, true, context.Canceled }, nil, nil, 1, 0, living + going, "canceled", document.Counts{}},
		"turned down": {func() (int, bool, error) { return 0, false, broken }, nil, nil, 1, living, 0, "", document.Counts{Delete: going}},

		"beside a put of a young one":     {nil, []document.Change{dated(document.Put, 0, "2018/05/08")}, nil, 1, living, 0, "", document.Counts{Put: 1, BulkDelete: going}},
		"beside a put of an old one":      {nil, []document.Change{dated(document.Put, 0, bulkBefore)}, nil, 0, living, 0, "", document.Counts{Put: 1, Delete: going}},
		"beside a patch of an old one":    {nil, []document.Change{dated(document.Patch, 0, "2001/01/01")}, nil, 0, living, 0, "", document.Counts{Patch: 1, Delete: going}},
		"beside a delete that is refused": {nil, applyChanges(document.Delete, 0, 1), map[string]document.Outcome{applyID(0): {State: document.Refused}}, 0, living - 1, 0, "", document.Counts{Delete: going, Refused: 1}},
		"beside a delete in doubt":        {nil, applyChanges(document.Delete, 0, 1), map[string]document.Outcome{applyID(0): {State: document.InDoubt}}, 0, living - 1, 1, "", document.Counts{Delete: going}},
		"beside a delete":                 {nil, applyChanges(document.Delete, 0, 1), nil, 1, living - 1, 0, "", document.Counts{Delete: 1, BulkDelete: going}},
		"beside what is held":             {nil, []document.Change{held}, nil, 1, living, 0, "", document.Counts{Held: 1, BulkDelete: going}},
	} {
		r := newBulkRig(t, living, going)
		if test.answer != nil {
			r.answer = test.answer
		}
		if test.script != nil {
			r.script = test.script
		}
		ctx, cancel := context.WithCancel(t.Context())
		interrupt = cancel
		summary, err := r.applier(living, living+going, test.changes...).Apply(ctx)
		cancel()
		if (err == nil) != (test.err == "") || err != nil && (!strings.Contains(err.Error(), test.err) || summary.Stopped == "") {
			t.Errorf("%s: %v; stopped: %s", name, err, summary.Stopped)
		}
		test.counts.Discovered, test.counts.Unchanged, test.counts.Failed = 99, 7, 3
		if summary.Counts != test.counts || len(r.bulks) != test.bulks || test.counts.Delete >= going != (summary.Bulk == nil) {
			t.Errorf("%s: %d calls, %+v, %+v", name, len(r.bulks), summary.Counts, summary.Bulk)
		}
		if len(r.bulks) > 0 && r.bulks[0] != `{"Date_date":{"operator":"Lt","values":["2018/05/07"]}}` {
			t.Errorf("%s: sent %s", name, r.bulks[0])
		}
		for _, batch := range r.batches {
			if len(batch.Intents) > 1000 || len(batch.Settled) > 1000 {
				t.Errorf("%s: %d intents, %d outcomes in one transaction", name, len(batch.Intents), len(batch.Settled))
			}
		}
		if err := r.Ledger.Close(); err != nil {
			t.Fatal(err)
		}
		if got := r.read(); got[document.PushOK] != test.ok || got[document.PushDoubt] != test.doubt {
			t.Errorf("%s: records %v", name, got)
		}
	}
}

// TestApplyBulkSingly: what nobody may send as one call is deleted by ID.
func TestApplyBulkSingly(t *testing.T) {
	r := newBulkRig(t, 5, 60)
	a := r.applier(5, 65)
	a.Bulk = nil
	if summary, err := a.Apply(t.Context()); err != nil || summary.Counts.Delete != 60 {
		t.Errorf("nobody to send it: %v, %+v", err, summary.Counts)
	}
}

// TestApplyBulkKilled kills an apply before each of its writes, whatever the service made
// of the call: whoever reads the ledger then believes of no document what nothing
// proved, and so does the next apply.
func TestApplyBulkKilled(t *testing.T) {
	const living, going = 3, 1010
	for _, deleted := range []int{going, living + going, 0} {
		for writes := 0; ; writes++ {
			r := newBulkRig(t, living, going)
			r.answer = func() (int, bool, error) { return deleted, true, nil }
			r.writes = writes
			_, err := r.applier(living, living+going).Apply(t.Context())
			if err := r.Ledger.Close(); err != nil {
				t.Fatal(err)
			}
			got := r.read()
			at := fmt.Sprintf("deleted %d, killed before write %d, %d calls: %v", deleted, writes, len(r.bulks), got)
			proved := deleted == going && got[document.PushOK] == living
			switch {
			case len(r.bulks) == 0 && got[document.PushOK] < living:
				t.Error(at, "the living are in doubt before the call")
			case len(r.bulks) > 0 && got[document.PushOK] > 0 && !proved:
				t.Error(at, "documents are believed in though the call proved nothing")
			case len(r.bulks) > 0 && deleted != going && got[document.PushDoubt] != living+going:
				t.Error(at, "not all are in doubt")
			}
			r.open()
			r.writes = -1
			r.apply("run-2", nil)
			if after := r.states(); after[document.PushOK] != got[document.PushOK] || after[document.PushDoubt] != got[document.PushDoubt] {
				t.Error(at, "the next apply makes it", after)
			}
			if !errors.Is(err, errKilled) {
				break
			}
		}
	}
}
