package journal

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/testsite/deployed"
	"sitesync/push"
)

var must = deployed.Must

func newBus(t testing.TB) *bus.Bus {
	t.Helper()
	b, _ := deployed.Bus(t)
	return b
}

func changes(op document.Op, from, to int) (all []document.Change) {
	for n := from; n < to; n++ {
		all = append(all, document.Change{Op: op, ID: fmt.Sprintf("https://www.example.com/%d", n), State: document.Planned})
	}
	return all
}

// service answers in calls of size, and keeps what it was sent.
type service struct {
	size  int
	calls [][]document.Change
	after func() error // called when a call was carried out, before its outcomes are reported
}

func (s *service) Apply(_ context.Context, _ document.Op, changes []document.Change, report func([]document.Outcome) error) error {
	for call := range slices.Chunk(changes, s.size) {
		s.calls = append(s.calls, call)
		outcomes := make([]document.Outcome, len(call))
		for i, c := range call {
			outcomes[i] = answer(c.ID)
		}
		if s.after != nil {
			if err := s.after(); err != nil {
				return err
			}
		}
		if err := report(outcomes); err != nil {
			return err
		}
	}
	return nil
}

// answer is what the service says of a document; most it takes.
func answer(id string) document.Outcome {
	n, _ := strconv.Atoi(id[strings.LastIndexByte(id, '/')+1:])
	switch {
	case n%7 == 3:
		return document.Outcome{ID: id, State: document.Refused, Reason: "no " + id}
	case n%11 == 5:
		return document.Outcome{ID: id, State: document.InDoubt, Reason: "no row"}
	case n%5 == 1:
		return document.Outcome{ID: id, State: document.Acknowledged, By: "status"}
	}
	return document.Outcome{ID: id, State: document.Acknowledged, By: "row"}
}

func (s *service) sent() (ids []string) {
	for _, call := range s.calls {
		for _, c := range call {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func open(t testing.TB, b *bus.Bus, plan *lease.Plan, number uint64) *Journal {
	t.Helper()
	j, err := Open(t.Context(), b, "town", *plan, number)
	must(t, err)
	plan.Marks = j.Closed
	return j
}

// keep returns a report that keeps what it is given.
func keep(into *[]document.Outcome) func([]document.Outcome) error {
	return func(outcomes []document.Outcome) error {
		*into = append(*into, outcomes...)
		return nil
	}
}

var errKilled = errors.New("killed")

// send sends until so many calls were carried out, and dies then.
func send(t *testing.T, j *Journal, calls int, all []document.Change) {
	t.Helper()
	s := &service{size: 10, after: func() error {
		calls--
		if calls < 0 {
			return errKilled
		}
		return nil
	}}
	if err := j.Through(s).Apply(t.Context(), all[0].Op, all, keep(new([]document.Outcome))); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
}

func TestTakeOver(t *testing.T) {
	b, all, plan := newBus(t), changes(document.Delete, 0, 100), &lease.Plan{File: lease.File{Number: 5, Sum: "a"}}
	send(t, open(t, b, plan, 5), 3, all)
	send(t, open(t, b, plan, 7), 2, all)
	s, got := &service{size: 10}, []document.Outcome(nil)
	must(t, open(t, b, plan, 8).Through(s).Apply(t.Context(), document.Delete, all, keep(&got)))
	var want []document.Outcome
	for i, c := range all {
		want = append(want, answer(c.ID))
		if again := i/10 == 3 || i/10 == 5; again && want[i].State == document.Acknowledged { // open at a take-over: both calls may come last
			want[i].State, want[i].Reason = document.InDoubt, lateReason
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("reported: %v", got)
	}
	if ids := s.sent(); len(ids) != 50 || ids[0] != all[50].ID {
		t.Errorf("%d were sent, from %s", len(ids), ids[0])
	}
	if want := []lease.Marks{{Number: 5, Count: 3}, {Number: 7, Count: 2}}; !reflect.DeepEqual(plan.Marks, want) {
		t.Errorf("marks: %v, want %v", plan.Marks, want)
	}
	for i, c := range slices.Concat(s.calls...) {
		if c.Doubt != (i == 0) {
			t.Errorf("%s in doubt: %v", c.ID, c.Doubt)
		}
	}
	if all[50].Doubt {
		t.Error("the plan was altered")
	}
	if left, err := b.ListFiles(t.Context(), "mark", "town"); err != nil || len(left[8]) != 5 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestLateMark: what an earlier holder marks once it was closed counts for nothing, also where
// it had marked nothing before, and whoever comes later.
func TestLateMark(t *testing.T) {
	b, all, plan := newBus(t), changes(document.Put, 0, 40), &lease.Plan{File: lease.File{Number: 5}}
	late := open(t, b, plan, 5)
	second := open(t, b, plan, 6)
	send(t, late, 2, all)
	send(t, second, 1, all)
	third := open(t, b, plan, 9)
	send(t, second, 1, all[10:])
	s := &service{size: 10}
	must(t, third.Through(s).Apply(t.Context(), document.Put, all, keep(new([]document.Outcome))))
	if ids := s.sent(); len(ids) != 30 || ids[0] != all[10].ID {
		t.Errorf("%d were sent, from %s", len(ids), ids[0])
	}
	if want := []lease.Marks{{Number: 6, Count: 1}, {Number: 8}}; !reflect.DeepEqual(plan.Marks, want) {
		t.Errorf("marks: %v, want %v", plan.Marks, want)
	}
	fourth := open(t, b, plan, 10)
	s = &service{size: 10}
	must(t, fourth.Through(s).Apply(t.Context(), document.Put, all, keep(new([]document.Outcome))))
	if len(s.calls) > 0 {
		t.Errorf("%d calls, although all is recorded", len(s.calls))
	}
}

func TestAnotherPlan(t *testing.T) {
	b, plan := newBus(t), &lease.Plan{File: lease.File{Number: 5, Sum: "a"}}
	send(t, open(t, b, plan, 5), 2, changes(document.Put, 0, 40))
	for what, apply := range map[string]func(j *Journal) error{
		"other IDs":         func(j *Journal) error { return applyAll(j, document.Put, changes(document.Put, 1, 41)) },
		"fewer":             func(j *Journal) error { return applyAll(j, document.Put, changes(document.Put, 0, 9)) },
		"another operation": func(j *Journal) error { return applyAll(j, document.Patch, changes(document.Patch, 0, 40)) },
		"another plan's name": func(j *Journal) error {
			j.plan.Sum = "b"
			return applyAll(j, document.Put, changes(document.Put, 0, 40))
		},
	} {
		j, err := Open(t.Context(), b, "town", *plan, 6)
		must(t, err)
		if err := apply(j); !errors.Is(err, ErrOther) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func applyAll(j *Journal, op document.Op, all []document.Change) error {
	return j.Through(&service{size: 10}).Apply(context.Background(), op, all, keep(new([]document.Outcome)))
}

// TestMarkStands: a mark that stands is not replaced; one of the same bytes is ours.
func TestMarkStands(t *testing.T) {
	b, all, plan := newBus(t), changes(document.Put, 0, 20), lease.Plan{File: lease.File{Number: 5}}
	first, err := Open(t.Context(), b, "town", plan, 5)
	must(t, err)
	must(t, applyAll(first, document.Put, all[:10]))
	first.next = 0 // as if the answer had been lost
	must(t, applyAll(first, document.Put, all[:10]))
	first.next = 0
	var got []document.Outcome
	err = first.Through(&service{size: 10}).Apply(t.Context(), document.Put, all[10:], keep(&got))
	if err == nil || len(got) > 0 {
		t.Errorf("another mark was replaced, or not: %v; %d outcomes were reported", err, len(got))
	}
}

// TestCutBatchIsNotRecorded: a batch that the end of the lease cut short is sent again.
func TestCutBatchIsNotRecorded(t *testing.T) {
	b, all, plan := newBus(t), changes(document.Put, 4, 6), &lease.Plan{File: lease.File{Number: 5}}
	ctx, cancel := context.WithCancel(t.Context())
	s, got := &service{size: 10, after: func() error { cancel(); return nil }}, []document.Outcome(nil)
	must(t, open(t, b, plan, 5).Through(s).Apply(ctx, document.Put, all, keep(&got)))
	if open(t, b, plan, 6); len(got) != 2 || plan.Marks[0].Count != 0 {
		t.Errorf("reported: %v, marks: %v", got, plan.Marks)
	}
}

// TestLostMarks: where a mark is missing or damaged, nobody goes on with the plan.
func TestLostMarks(t *testing.T) {
	b, plan := newBus(t), &lease.Plan{File: lease.File{Number: 5}}
	send(t, open(t, b, plan, 5), 3, changes(document.Put, 0, 40))
	open(t, b, plan, 6)
	lost := bus.File(kind, "town", 5, "1")
	must(t, b.DropFiles(t.Context(), lost))
	if _, err := Open(t.Context(), b, "town", *plan, 7); !errors.Is(err, bus.ErrMissing) {
		t.Errorf("missing: %v", err)
	}
	must(t, b.PutFile(t.Context(), lost, []byte("noise")))
	if _, err := Open(t.Context(), b, "town", *plan, 7); !errors.Is(err, snapshot.ErrDamaged) {
		t.Errorf("damaged: %v", err)
	}
}

// TestDeletesInDoubt: a delete that finds nothing because the holder before carried it out is
// none of those five after which push stops deleting.
func TestDeletesInDoubt(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"deleted":0}`) }))
	defer server.Close()
	b, all, plan := newBus(t), changes(document.Delete, 0, 5), &lease.Plan{File: lease.File{Number: 5}}
	for number, want := range map[uint64]bool{5: false, 6: true} {
		client, err := push.New(push.Options{BaseURL: server.URL, Customer: 1, Key: "key", Crawler: "c"})
		must(t, err)
		j, err := Open(t.Context(), b, "town-"+strconv.FormatUint(number, 10), *plan, number)
		must(t, err)
		err = j.Through(client).Apply(t.Context(), document.Delete, all, keep(new([]document.Outcome)))
		if (err == nil) != want {
			t.Errorf("lease %d: %v", number, err)
		}
	}
}
