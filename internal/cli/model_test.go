package cli_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// crash is when a run ends before its time.
type crash struct {
	At      int  // calls of the service, or requests of the site, before
	Crawl   bool // at a request of the site
	Applied bool // the service heard the call
	Kill    bool // of a process, not a signal
}

// scene is one night of a history.
type scene struct {
	Ops     []op
	Trouble trouble
	Again   bool // the trouble of the night before goes on
	Service string
	Clock   int // days since the night before
	Approve document.Cause
	Run     string
	Crash   crash
	N       int
}

// history is a site and what happens to it.
type history struct {
	Pages   int
	Mapped  bool
	Confirm int
	Max     int
	Batch   int
	Twin    string
	Nights  []scene
}

const approveAll, approveNone document.Cause = "all", "none"

func drawHistory(rt *rapid.T) history {
	h := history{
		Pages: rapid.IntRange(5, 28).Draw(rt, "pages"), Mapped: rapid.Bool().Draw(rt, "mapped"),
		Confirm: rapid.IntRange(1, 2).Draw(rt, "confirm"), Max: rapid.SampledFrom([]int{10, 30, 2}).Draw(rt, "max"),
		Batch: rapid.SampledFrom([]int{100, 3}).Draw(rt, "batch"),
		Twin:  rapid.SampledFrom([]string{"", "", "", "", "steps", "crash"}).Draw(rt, "twin"),
	}
	kinds := slices.Sorted(maps.Keys(opKinds()))
	troubles := append(make([]troubleKind, 12), troubleKinds()...)
	services := append(make([]string, 20), slices.Sorted(maps.Keys(serviceTroubles()))...)
	runs := []string{"sync", "sync", "sync", "full", "only", "limit", "allow", "steps", "dry", "workers", "crash", "crash", "none"}
	one := rapid.Custom(func(rt *rapid.T) op {
		return op{rapid.SampledFrom(kinds).Draw(rt, "kind"), rapid.IntRange(0, 40).Draw(rt, "a"), rapid.IntRange(0, 40).Draw(rt, "b")}
	})
	h.Nights = rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) scene {
		return scene{
			Ops:     rapid.SliceOfN(one, 0, 4).Draw(rt, "ops"),
			Trouble: trouble{rapid.SampledFrom(troubles).Draw(rt, "trouble"), rapid.IntRange(0, 20).Draw(rt, "n")},
			Again:   rapid.IntRange(0, 3).Draw(rt, "again") == 3,
			Service: rapid.SampledFrom(services).Draw(rt, "service"),
			Clock:   rapid.SampledFrom([]int{1, 1, 1, 1, 0, 8, 90, -3}).Draw(rt, "clock"),
			Approve: rapid.SampledFrom([]document.Cause{approveNone, approveNone, approveNone, approveAll, document.CauseMissing}).Draw(rt, "approve"),
			Run:     rapid.SampledFrom(runs).Draw(rt, "run"),
			Crash: crash{rapid.IntRange(0, 30).Draw(rt, "at"), rapid.Bool().Draw(rt, "crawl"), rapid.Bool().Draw(rt, "applied"),
				rapid.IntRange(0, 9).Draw(rt, "kill") == 9},
			N: rapid.IntRange(0, 5).Draw(rt, "N"),
		}
	}), 2, 7).Draw(rt, "nights")
	return h
}

// TestHistories runs random histories of a site, with crashes, against a small model
// of what the law lets the index hold after each night, and of how it must end: after
// the trouble has passed, the index is what a ledger that knows nothing would make of
// the site. Each night holds the invariants that its checks name. Of the others,
// memory (6) is held by TestMemoryOfAKnownURL, secrets (7) by the scripts' guard, the
// addresses that are dialled (8) by crawl's TestGuard, the second that Ctrl-C may take
// (9) by scripts; that an interrupted run ends as if it had not happened is held here.
//
// Ordinary runs make the same 10 histories each time, 4 with -short;
// -rapid.checks=10000 makes more, and any -rapid.seed others.
func TestHistories(t *testing.T) {
	t.Parallel()
	checks := "10"
	if testing.Short() {
		checks = "4"
	}
	for name, ours := range map[string]string{"rapid.seed": "5", "rapid.checks": checks} {
		if f := flag.Lookup(name); f.Value.String() == f.DefValue {
			if err := f.Value.Set(ours); err != nil {
				t.Fatal(err)
			}
		}
	}
	site := testsite.New()
	t.Cleanup(site.Close)
	dir := t.TempDir()
	c := newClerk(t, dir)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		h := drawHistory(rt)
		here := filepath.Join(dir, fmt.Sprint(n))
		if err := os.Mkdir(here, 0o700); err != nil {
			rt.Fatal(err)
		}
		rt.Cleanup(func() { os.RemoveAll(here) })
		h.play(rt, site, c, here)
	})
}
