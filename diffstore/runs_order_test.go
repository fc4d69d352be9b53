package diffstore

import (
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// TestRunsWithoutNumbers: runs that ended before numbers were recorded come before those
// that have one, in the order of their IDs.
func TestRunsWithoutNumbers(t *testing.T) {
	l, err := Open(filepath.Join(t.TempDir(), "ledger"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	err = l.update(func(tx *bolt.Tx) error {
		for _, id := range []string{"8", "9"} {
			if err := putIn(tx, bucketRuns, id, document.Summary{Run: id}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Finish(document.PlanTrailer{Summary: document.Summary{Run: "1"}}); err != nil {
		t.Fatal(err)
	}
	var runs []string
	for run, err := range l.Runs() {
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run.Run)
	}
	if !slices.Equal(runs, []string{"1", "9", "8"}) {
		t.Errorf("runs %v", runs)
	}
}
