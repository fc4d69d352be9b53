package worker_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/fleet/worker"
)

// ran is a worker's folder after a run that left text as the ledger, in a fleet whose servers are
// then lost.
func ran(t *testing.T, text string) (dir string) {
	t.Helper()
	f, dir := newTown(t), t.TempDir()
	a := f.workIn(dir, "a", &scripted{sync: func(_ context.Context, job worker.Job) worker.Outcome { return writes(job, text) }}, 0)
	f.now()
	f.until("a result", done)
	a.end()
	return dir
}

func kept(t *testing.T, s lease.State, want string) {
	t.Helper()
	raw, err := os.ReadFile(s.Kept.Path)
	if err != nil || string(raw) != want || s.Kept.Worker != "a" {
		t.Errorf("kept is %+v: %q, %v", s.Kept, raw, err)
	}
}

// A site whose ledger the servers lost is run by no worker until an operator says how it goes on.
func TestLostLedger(t *testing.T) {
	t.Parallel()
	dir := ran(t, "one")
	f := newTown(t)
	began := make(chan string, 1)
	p := &scripted{sync: func(_ context.Context, job worker.Job) worker.Outcome {
		raw, _ := os.ReadFile(filepath.Join(job.Dir, "sitesync.db"))
		began <- string(raw)
		return writes(job, "anew")
	}}
	a := f.workIn(dir, "a", p, 0)
	f.until("word of the ledger, before the site is due", func(s lease.State) bool { return s.Kept != nil && s.Holder == "" })
	a.end()
	f.work("b", p, 0)
	f.now()
	state := f.until("a result", done)
	kept(t, state, "one")
	if state.Last.Exit != 3 || state.Ledger != nil || len(began) > 0 || state.Last.Stopped != state.Kept.Text("home") {
		t.Errorf("the state is %+v, last %+v", state, state.Last)
	}

	entry, err := f.sites.Get(t.Context(), "home")
	must(t, err)
	must(t, f.sites.Remove(t.Context(), "home", true))
	entry.Revision = 0
	must(t, f.sites.Put(t.Context(), &entry, "add", "test"))
	f.now()
	if got := <-began; got != "" {
		t.Errorf("after the purge it began with %q", got)
	}
	if state = f.until("the first result", done); state.Kept != nil || state.Last.Exit != 0 {
		t.Errorf("after the purge the state is %+v, last %+v", state, state.Last)
	}
}

// Another worker may have begun anew before the one that has the ledger comes: then the site runs,
// and the fleet tells of it all the same.
func TestLostLedgerIsFoundLate(t *testing.T) {
	t.Parallel()
	dir := ran(t, "one")
	f, runs := newTown(t), 0
	p := &scripted{sync: func(_ context.Context, job worker.Job) worker.Outcome { runs++; return writes(job, "anew") }}
	b := f.work("b", p, 0)
	for n := range uint64(3) { // the numbers of its leases pass that of the one which is lost
		f.now()
		f.until("a result", func(s lease.State) bool { return done(s) && s.Number > n })
	}
	b.end()
	f.workIn(dir, "a", p, 0)
	state := f.until("word of the ledger", func(s lease.State) bool { return s.Kept != nil && s.Holder == "" })
	kept(t, state, "one")
	f.now()
	state = f.until("a result", func(s lease.State) bool { return done(s) && s.Last.Worker == "a" })
	kept(t, state, "one")
	if state.Last.Exit != 0 || runs != 4 {
		t.Errorf("%d runs; the state is %+v, last %+v", runs, state, state.Last)
	}
}

// The servers lost parts of a ledger: the worker that lacks it leaves the site to the one that has it,
// and that one stores it whole.
func TestLostPartsHeal(t *testing.T) {
	t.Parallel()
	f, dir := newTown(t), t.TempDir()
	p := &scripted{sync: func(_ context.Context, job worker.Job) worker.Outcome { return writes(job, "one") }}
	a := f.workIn(dir, "a", p, 0)
	f.now()
	f.until("a result", done)
	a.end()
	must(t, f.bus.Files.Purge(t.Context()))
	f.work("b", p, 0)
	f.now()
	state := f.until("word of it", func(s lease.State) bool { return s.Trouble != "" && s.Holder == "" })
	for _, part := range []string{"it is missing on the server", "sitesync fleet set --ledger"} {
		if !strings.Contains(state.Trouble, part) || state.Tries != 0 {
			t.Errorf("%d tries, and the trouble is %q, without %q", state.Tries, state.Trouble, part)
		}
	}
	f.workIn(dir, "a", p, 0)
	state = f.until("a result", func(s lease.State) bool { return done(s) && s.Trouble == "" })
	must(t, snapshot.New(f.bus).Get(t.Context(), "ledger", "home", *state.Ledger, filepath.Join(t.TempDir(), "whole")))
	if state.Last.Worker != "a" {
		t.Errorf("the last run is %+v", state.Last)
	}
}
