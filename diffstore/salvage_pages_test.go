package diffstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/document"
)

// largeLedger writes a ledger of n documents and returns the pages that hold its records.
func largeLedger(t testing.TB, path string, n int) (leaves []int, raw []byte) {
	t.Helper()
	l, err := Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range n {
		ids = append(ids, fmt.Sprintf("https://www.example.com/page/%05d", i))
	}
	err = errors.Join(l.MarkDoubt(ids, "x", true), l.db.View(func(tx *bolt.Tx) error {
		for id := 2; ; id++ {
			page, err := tx.Page(id)
			if err != nil || page == nil {
				return err
			}
			if page.Type == "leaf" && page.Count > 5 {
				leaves = append(leaves, id)
			}
		}
	}), l.Close())
	raw, readErr := os.ReadFile(path)
	leaves = slices.DeleteFunc(leaves, func(id int) bool {
		return !bytes.Contains(raw[id*os.Getpagesize():][:os.Getpagesize()], []byte("/page/"))
	})
	if err := errors.Join(err, readErr); err != nil {
		t.Fatal(err)
	}
	return leaves, raw
}

// salvaged returns how many records a salvage of the file finds, all of which must be
// the ledger's own and in doubt.
func salvaged(t *testing.T, path string) Salvaged {
	t.Helper()
	l, err := Open(filepath.Join(t.TempDir(), "new.db"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done, err := l.Salvage(t.Context(), path, 9, "salvaged")
	if err != nil {
		t.Fatal(err)
	}
	known(t, l, done.Records)
	return done
}

func known(t testing.TB, l *Ledger, want int) {
	t.Helper()
	found := 0
	err := l.Records(func(id string, decode func(bool) (*document.Record, error)) error {
		found++
		var n int
		rec, err := decode(false)
		if _, scanErr := fmt.Sscanf(id, "https://www.example.com/page/%05d", &n); err == nil && (scanErr != nil || rec.Push != document.PushDoubt || rec.Reason != "salvaged") {
			t.Errorf("%s: %+v", id, rec)
		}
		return err
	})
	if err != nil || found != want {
		t.Errorf("%d records, %d were counted, %v", found, want, err)
	}
}

// TestSalvageBehind: the records before, between and behind pages that can't be read
// come back, whichever pages those are.
func TestSalvageBehind(t *testing.T) {
	const n = 3000
	path := filepath.Join(t.TempDir(), "sitesync.db")
	leaves, whole := largeLedger(t, path, n)
	if len(leaves) < 20 {
		t.Fatalf("%d leaves", len(leaves))
	}
	page := os.Getpagesize()
	most := n/len(leaves)*2 + 50 // records of a page
	last := len(leaves) - 1
	for _, bad := range [][]int{{}, {0}, {last}, {7}, {7, 8}, {3, 9, 15}, {6, last}} {
		raw := bytes.Clone(whole)
		for _, leaf := range bad {
			clear(raw[leaves[leaf]*page:][:page])
		}
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		done := salvaged(t, path)
		if done.Records < n-most*len(bad) || done.Documents != done.Records || (done.Lost > 0) != (len(bad) > 0) || len(bad) > 0 && done.Records == n {
			t.Errorf("pages %v: %+v", bad, done)
		}
	}
}

// FuzzSalvage: whatever a file holds, records come out of it whose checksums are right, and
// nothing else.
func FuzzSalvage(f *testing.F) {
	_, whole := largeLedger(f, filepath.Join(f.TempDir(), "sitesync.db"), 50)
	f.Add(0, []byte{}, len(whole))
	f.Add(0, []byte("no ledger at all"), 16)
	f.Add(3*os.Getpagesize()+8, []byte{1, 0, 255, 255, 255}, len(whole))
	f.Add(30, []byte{7}, 3*os.Getpagesize())
	f.Fuzz(func(t *testing.T, at int, over []byte, size int) {
		raw := bytes.Clone(whole)[:min(max(size, 0), len(whole))]
		copy(raw[min(max(at, 0), len(raw)):], over)
		damaged, path := filepath.Join(t.TempDir(), "damaged.db"), filepath.Join(t.TempDir(), "new.db")
		l, err := Open(path, true)
		if err := errors.Join(err, os.WriteFile(damaged, raw, 0o600)); err != nil {
			t.Fatal(err)
		}
		done, err := l.Salvage(t.Context(), damaged, 0, "salvaged")
		if err != nil {
			t.Fatal(err)
		}
		known(t, l, done.Records)
		if err := errors.Join(l.Close(), Check(path)); err != nil {
			t.Fatal(err)
		}
	})
}
