package work

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestScratchOfTheDeadIsSwept: what a killed process left beside the work folder goes with
// the next run, dry or not; what a living one holds, and what is not ours, stays.
func TestScratchOfTheDeadIsSwept(t *testing.T) {
	if dir := os.Getenv("SITESYNC_SCRATCH"); dir != "" {
		if _, _, err := Scratch(dir, Holder{Since: began}); err != nil {
			t.Fatal(err)
		}
		os.Exit(0) // as if killed: nothing is removed
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "a.work")
	leave := func() {
		child := exec.Command(os.Args[0], "-test.run=^TestScratchOfTheDeadIsSwept$")
		child.Env = append(os.Environ(), "SITESYNC_SCRATCH="+dir)
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for _, foreign := range []string{"a.work-dry-mine/keep", "b.work-dry-1/keep"} {
		if err := os.MkdirAll(filepath.Join(parent, foreign), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	if got := files(t, parent); len(got) != 3 {
		t.Fatalf("the child left no folder: %q", got)
	}
	own, remove, err := Scratch(dir, Holder{Since: began})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Base(own), "a.work-dry-mine", "b.work-dry-1"}
	slices.Sort(want)
	if got := files(t, parent); !slices.Equal(got, want) {
		t.Errorf("after a dry run: %q, want %q", got, want)
	}
	leave()
	openWork(t, dir, State{Run: "1", Start: began}, 0)
	want = slices.Sorted(slices.Values(append(want, "a.work")))
	if got := files(t, parent); !slices.Equal(got, want) {
		t.Errorf("after a run: %q, want %q", got, want)
	}
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(own); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}
