package diffstore_test

import (
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestBegin: a plan is applied only to the ledger it was made from, and only once.
func TestBegin(t *testing.T) {
	path := newPath(t)
	ledger := open(t, path, true)
	for _, test := range []struct {
		generation uint64
		moved      bool
		after      uint64
	}{{1, true, 0}, {0, false, 1}, {0, true, 1}, {2, true, 1}, {1, false, 2}, {1, true, 2}} {
		err := beginIn(ledger, test.generation, testTarget())
		if errors.Is(err, diffstore.ErrMoved) != test.moved || !test.moved && err != nil {
			t.Errorf("Begin(%d): %v", test.generation, err)
		}
		if after, err := ledger.Generation(); after != test.after || err != nil {
			t.Errorf("after Begin(%d) the ledger is at %d, %v; expected %d", test.generation, after, err, test.after)
		}
	}
	if err := ledger.Close(); err != nil {
		t.Fatal(err)
	}
	if after, err := open(t, path, true).Generation(); after != 2 || err != nil {
		t.Errorf("opened again: %d, %v", after, err)
	}
}

// TestBeginOther: two ledgers may stand at the same generation. A plan that was made when
// there was no ledger fits a new one alone, also where the apply that made it was killed.
func TestBeginOther(t *testing.T) {
	for _, test := range []struct {
		name    string
		born    bool // the ledger had its first plan before
		anew    bool // the ledger of the plan is another one
		missing bool // there was no ledger when the plan was made
		file    string
		want    error
		says    string
	}{
		{"the very ledger", true, false, false, "ledger", nil, ""},
		{"another file", true, true, false, "a.db", diffstore.ErrOther, "a.db, and the configuration names ledger"},
		{"a ledger made anew", true, true, false, "ledger", diffstore.ErrOther, "ledger was made anew since"},
		{"another ledger that was never applied to", false, true, false, "ledger", diffstore.ErrOther, "ledger was made anew since"},
		{"no ledger, a new one", false, false, true, "ledger", nil, ""},
		{"no ledger, one that was applied to", true, false, true, "ledger", diffstore.ErrOther, "ledger was made anew since"},
	} {
		path := filepath.Join(t.TempDir(), "ledger")
		ledger := open(t, path, true)
		if test.born {
			if err := beginIn(ledger, 0, testTarget()); err != nil {
				t.Fatal(err)
			}
		}
		if err := ledger.Close(); err != nil { // a kill
			t.Fatal(err)
		}
		ledger = open(t, path, true)
		generation, err := ledger.Generation()
		identity, identityErr := ledger.Identity()
		if err != nil || identityErr != nil || len(identity) < 20 {
			t.Fatalf("%q, %v, %v", identity, err, identityErr)
		}
		plan := document.PlanHeader{Ledger: identity, File: test.file, Generation: generation, Target: testTarget()}
		switch {
		case test.missing:
			plan.Ledger = ""
		case test.anew:
			other := open(t, path+"2", true)
			plan.Ledger, err = other.Identity()
			if err != nil {
				t.Fatal(err)
			}
		}
		err = ledger.Begin(plan)
		if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestBeginPins(t *testing.T) {
	ledger := open(t, newPath(t), true)
	if err := beginIn(ledger, 7, testTarget()); !errors.Is(err, diffstore.ErrMoved) {
		t.Fatal(err)
	}
	if target, found, err := ledger.Target(); found || err != nil {
		t.Errorf("a refused Begin pinned the ledger to %+v, %v", target, err)
	}
	more := testTarget()
	more.Origins = append(more.Origins, "https://unapproved.example.com")
	for generation, target := range []document.Target{testTarget(), more} {
		if err := beginIn(ledger, uint64(generation), target); err != nil {
			t.Fatal(err)
		}
		if pinned, found, err := ledger.Target(); !found || err != nil || !reflect.DeepEqual(pinned, testTarget()) {
			t.Errorf("pinned to %+v, %v, %v", pinned, found, err)
		}
	}
	base, customer, crawler := testTarget(), testTarget(), testTarget()
	base.Base, customer.Customer, crawler.Crawler = "https://us.example.com", 10000002, "c2"
	for _, other := range []document.Target{base, customer, crawler} {
		if err := beginIn(ledger, 2, other); err == nil {
			t.Errorf("the ledger of %+v took a plan for %+v", testTarget(), other)
		}
	}
}

// TestFollowed: what lets a page be skipped holds only after a run that went to its
// end; one that was begun and killed, or stopped, takes it back.
func TestFollowed(t *testing.T) {
	ledger := newLedger(t)
	const origin = "https://a.example"
	memory := document.HostMemory{Sitemap: 3, Lastmod: document.Trust{Checks: 7}, Followed: "links"}
	want := func(when, followed string) {
		t.Helper()
		expected := memory
		expected.Followed = followed
		if got, err := ledger.Host(origin); err != nil || !reflect.DeepEqual(got, expected) {
			t.Errorf("%s: %+v, %v", when, got, err)
		}
	}
	trailer := document.PlanTrailer{Summary: document.Summary{Run: "run"}, Hosts: map[string]document.HostMemory{origin: memory}}
	for generation, stopped := range []string{"", "", "interrupted", ""} {
		if generation > 0 {
			if err := beginIn(ledger, uint64(generation), testTarget()); err != nil {
				t.Fatal(err)
			}
			want("begun", "")
		}
		trailer.Summary.Stopped = stopped
		if err := ledger.Finish(trailer); err != nil {
			t.Fatal(err)
		}
		if stopped == "" {
			want("finished", "links")
		} else {
			want("stopped", "")
		}
	}
	if err := beginIn(ledger, 0, testTarget()); !errors.Is(err, diffstore.ErrMoved) {
		t.Fatal(err)
	}
	want("after a Begin that was refused", "links")
}

// inDoubt returns the reasons of the records that are in doubt.
func inDoubt(t *testing.T, ledger *diffstore.Ledger) map[string]string {
	t.Helper()
	reasons := map[string]string{}
	for rec, err := range ledger.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Push == document.PushDoubt {
			reasons[rec.ID] = rec.Reason
		}
	}
	return reasons
}

// variety writes a record of each state, named by it.
func variety(t *testing.T) *diffstore.Ledger {
	t.Helper()
	ledger := newLedger(t)
	held, hub := record(1), &document.Record{ID: "hub", Hints: document.Hints{ETag: "e"}}
	held.ID, held.Push, held.Maybe, held.Strikes = "refused", document.PushRefused, true, 2
	step(t, ledger, "run-1", document.Batch{Observed: []document.Observation{
		{ID: "ok", Next: record(2)}, {ID: "refused", Next: held}, {ID: "hub", Next: hub},
		{ID: "never-held", Next: &document.Record{ID: "never-held", Push: document.PushRefused, Strikes: 1}},
	}})
	return ledger
}

func TestDoubtByHand(t *testing.T) {
	other := testTarget()
	other.Crawler = "c2"
	tests := []struct {
		name   string
		do     func(*diffstore.Ledger) error
		want   map[string]string
		target document.Target
	}{
		{"MarkDoubt", func(l *diffstore.Ledger) error { return l.MarkDoubt([]string{"ok", "hub", "unknown"}, "by hand", true) },
			map[string]string{"ok": "by hand", "hub": "by hand", "unknown": "by hand"}, testTarget()},
		{"MarkKnown", func(l *diffstore.Ledger) error {
			return l.MarkDoubt([]string{"ok", "refused", "hub", "never-held", "unknown"}, "by hand", false)
		},
			map[string]string{"ok": "by hand", "refused": "by hand"}, testTarget()},
		{"DoubtAll", func(l *diffstore.Ledger) error { return l.DoubtAll("all") },
			map[string]string{"ok": "all", "refused": "all"}, testTarget()},
		{"Adopt", func(l *diffstore.Ledger) error { return l.Adopt(other) },
			map[string]string{"ok": "the ledger was taken over to another target", "refused": "the ledger was taken over to another target"}, other},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ledger := variety(t)
			was := *get(t, ledger, "ok")
			if err := test.do(ledger); err != nil {
				t.Fatal(err)
			}
			if got := inDoubt(t, ledger); !maps.Equal(got, test.want) {
				t.Errorf("in doubt %v, expected %v", got, test.want)
			}
			was.Push, was.Reason = document.PushDoubt, test.want["ok"]
			if rec := get(t, ledger, "ok"); !reflect.DeepEqual(*rec, was) {
				t.Errorf("more than the doubt was changed: %+v, was %+v", *rec, was)
			}
			if err := beginIn(ledger, 1, test.target); !errors.Is(err, diffstore.ErrMoved) {
				t.Errorf("a plan made before it still fits: %v", err)
			}
			if target, _, err := ledger.Target(); err != nil || !reflect.DeepEqual(target, test.target) {
				t.Errorf("target %+v, %v", target, err)
			}
		})
	}
}
