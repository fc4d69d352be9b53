package journal

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sitesync/diffstore"
	"sitesync/internal/apply"
	"sitesync/internal/document"
	"sitesync/internal/fleet/lease"
)

// memoryPlan is a plan without a file.
type memoryPlan []document.Change

func (p memoryPlan) Changes() iter.Seq2[document.Change, error] {
	return func(yield func(document.Change, error) bool) {
		for _, c := range p {
			if !yield(c, nil) {
				return
			}
		}
	}
}
func (p memoryPlan) Heads() iter.Seq2[document.Change, error] { return p.Changes() }
func (memoryPlan) Observations() iter.Seq2[document.Observation, error] {
	return func(func(document.Observation, error) bool) {}
}

// run is one lease's try to send the plan through a real apply, on a ledger of its own.
func run(t testing.TB, plan memoryPlan, sender apply.Sender) (records map[string]document.Record, summary document.Summary, err error) {
	t.Helper()
	ledger, open := diffstore.Open(filepath.Join(t.TempDir(), "sitesync.db"), true)
	must(t, open)
	defer ledger.Close()
	identity, open := ledger.Identity()
	must(t, open)
	a := &apply.Applier{Header: document.PlanHeader{Run: "run-1", Ledger: identity, Start: 1_700_000_000}, Plan: plan, Trailer: document.PlanTrailer{Summary: document.Summary{Run: "run-1", Start: 1_700_000_000}}, Book: ledger, Sender: sender}
	summary, err = a.Apply(context.Background())
	records = map[string]document.Record{}
	for _, c := range plan {
		rec, get := ledger.Get(c.ID)
		must(t, get)
		if rec != nil {
			records[c.ID] = *rec
		}
	}
	return records, summary, err
}

func documents(op document.Op, from, to int) memoryPlan {
	plan := memoryPlan(changes(op, from, to))
	for i := range plan {
		if op != document.Delete {
			doc := document.Document{ID: plan[i].ID, Type: document.PageContent, Fields: map[string]string{"Title": fmt.Sprint(i)}}
			plan[i].Doc, plan[i].Next = doc.Wire(), &document.Record{ID: doc.ID, Type: doc.Type, Fields: doc.FieldHashes()}
		}
	}
	return plan
}

// TestKillsAtRandom kills holders of a plan at random: before a call, after it, after its mark,
// and before and after they closed those before them; some write their last mark late. The one
// that lives reports what would have been reported without any kill, and each kill costs one
// batch at most that is sent twice, and is in doubt.
func TestKillsAtRandom(t *testing.T) {
	b, site := newBus(t), 0
	rapid.Check(t, func(t *rapid.T) {
		site++
		name := fmt.Sprintf("town-%d", site)
		var plan memoryPlan
		for _, op := range []document.Op{document.Put, document.Patch, document.Delete, document.Queue} {
			plan = append(plan, changes(op, len(plan), len(plan)+rapid.IntRange(0, 9).Draw(t, string(op)))...)
		}
		windows := windowsOf(plan, rapid.IntRange(1, 6).Draw(t, "window"))
		size := rapid.IntRange(1, 4).Draw(t, "batch")
		var want []document.Outcome
		for _, c := range plan {
			want = append(want, answer(c.ID))
		}
		state := lease.Plan{File: lease.File{Number: uint64(rapid.IntRange(1, 3).Draw(t, "first")), Sum: "sum"}}
		sent := map[string]int{}
		var late func()
		for number, kills := state.Number, 0; ; number += uint64(rapid.IntRange(1, 3).Draw(t, "step")) {
			j, err := Open(context.Background(), b, name, state, number)
			if err != nil {
				t.Fatal(err)
			}
			if kills > 0 && rapid.IntRange(0, 5).Draw(t, "before closing") == 0 {
				continue
			}
			state.Marks = j.Closed
			if late != nil {
				late()
			}
			late = nil
			var got []document.Outcome
			h := &holder{t: t, journal: j, size: size, sent: sent, late: &late, calls: rapid.IntRange(0, 25).Draw(t, "lives")}
			err = h.all(windows, &got)
			kills++
			if err == nil {
				for i, w := range want {
					if w.State != document.Acknowledged {
						continue
					}
					if sent[w.ID] > 1 && got[i].State != document.InDoubt {
						t.Fatalf("%s was sent by two holders, and is %s", w.ID, got[i].State)
					}
					got[i].State, got[i].Reason = w.State, "" // so may others be that a batch held which was open
				}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("reported after %d kills: %v, want %v", kills-1, got, want)
				}
				twice := 0
				for _, n := range sent {
					twice += n - 1
				}
				if twice > (kills-1)*size || len(sent) != len(plan) {
					t.Fatalf("%d of %d were sent twice after %d kills with batches of %d", twice, len(plan), kills-1, size)
				}
				return
			}
		}
	})
}

func windowsOf(plan memoryPlan, most int) (windows [][]document.Change) {
	for _, c := range plan {
		last := len(windows) - 1
		if last < 0 || len(windows[last]) == most || windows[last][0].Op != c.Op {
			windows, last = append(windows, nil), last+1
		}
		windows[last] = append(windows[last], c)
	}
	return windows
}

// holder sends a plan under one lease until it is killed.
type holder struct {
	t       *rapid.T
	journal *Journal
	size    int
	calls   int // it makes before it is killed
	sent    map[string]int
	late    *func() // writes the mark of the last call
}

func (h *holder) all(windows [][]document.Change, got *[]document.Outcome) error {
	for _, w := range windows {
		if err := h.journal.Through(h).Apply(context.Background(), w[0].Op, w, keep(got)); err != nil {
			return err
		}
	}
	return nil
}

func (h *holder) Apply(_ context.Context, op document.Op, all []document.Change, report func([]document.Outcome) error) error {
	size := h.size
	if op == document.Delete {
		size = 1
	}
	for call := range slices.Chunk(all, size) {
		h.calls--
		where := ""
		if h.calls < 0 {
			where = rapid.SampledFrom([]string{"before", "after", "late", "marked"}).Draw(h.t, "killed")
		}
		if where == "before" {
			return errKilled
		}
		outcomes := make([]document.Outcome, len(call))
		for i, c := range call {
			outcomes[i] = answer(c.ID)
			h.sent[c.ID]++
		}
		switch where {
		case "late":
			*h.late = func() { _ = report(outcomes) }
			return errKilled
		case "after":
			return errKilled
		}
		if err := report(outcomes); err != nil {
			return err
		}
		if where == "marked" {
			return errKilled
		}
	}
	return nil
}

// TestAbandon: of a plan that is given up, what was recorded is recorded in the ledger, what
// was under way is in doubt, and the rest is as if it had never been planned.
func TestAbandon(t *testing.T) {
	b, plan, state := newBus(t), append(documents(document.Put, 0, 1200), documents(document.Delete, 1200, 1210)...), &lease.Plan{File: lease.File{Number: 5}}
	s := &service{size: 100}
	s.after = func() error {
		if len(s.calls) == 4 {
			return errKilled
		}
		return nil
	}
	_, _, err := run(t, plan, open(t, b, state, 5).Through(s))
	if err == nil {
		t.Fatal("it was not killed")
	}
	records, summary, err := run(t, plan, open(t, b, state, 6).Abandon())
	if summary.Stopped != ErrAbandoned.Error() || len(s.calls) != 4 {
		t.Errorf("stopped: %q, %v, %d calls", summary.Stopped, err, len(s.calls))
	}
	for i, c := range plan {
		rec, known := records[c.ID]
		want := document.PushDoubt
		switch answer(c.ID).State {
		case document.Acknowledged:
			want = document.PushOK
		case document.Refused:
			want = document.PushRefused
		}
		if i >= 300 {
			want = document.PushDoubt
		}
		if known != (i < 1000) || known && rec.Push != want {
			t.Fatalf("change %d: %v, %+v, want %s", i, known, rec, want)
		}
	}
}
