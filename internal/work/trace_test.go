package work

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTrace: the trace outlives a run's end, is that of one ledger alone, moves with it,
// and goes with the work folder. A damaged one is none.
func TestTrace(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	dir, path := filepath.Join(home, "site.db.work"), filepath.Join(home, "site.db")
	if left := Left(dir, path); left != (Trace{}) {
		t.Errorf("before anything was left: %+v", left)
	}
	w := openWork(t, dir, State{Run: "1", Start: began}, 0)
	if err := Leave(dir, path, Trace{Ledger: "identity", Run: "1", Documents: 9}); err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	want := Trace{File: "../site.db", Ledger: "identity", Run: "1", Documents: 9}
	if left := Left(dir, path); left != want {
		t.Errorf("after the run: %+v", left)
	}
	if left := Left(dir, filepath.Join(home, "other.db")); left != (Trace{}) {
		t.Errorf("of another ledger: %+v", left)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	moved := home + "-moved"
	if err := os.Rename(home, moved); err != nil {
		t.Fatal(err)
	}
	dir, path = filepath.Join(moved, "site.db.work"), filepath.Join(moved, "site.db")
	if left := Left(dir, path); left != want {
		t.Errorf("after a move of both: %+v", left)
	}
	if err := os.WriteFile(filepath.Join(dir, traceFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if left := Left(dir, path); left != (Trace{}) {
		t.Errorf("of a damaged file: %+v", left)
	}
}
