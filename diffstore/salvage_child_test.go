package diffstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
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

// TestSalvageChild: a child that dies, hangs or repeats itself, at once or at an entry,
// costs what it did not send, and no more.
func TestSalvageChild(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sitesync.db")
	largeLedger(t, path, 100)
	for how, patience := range map[string]time.Duration{
		"dies": time.Minute, "dies at 50": time.Minute, "sends noise": time.Minute, "is not there": time.Minute,
		"hangs": 300 * time.Millisecond, "hangs at 50": 2 * time.Second, "repeats at 50": 2 * time.Second,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			l, err := Open(filepath.Join(t.TempDir(), "new.db"), true)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			s := &salvage{ledger: l, reason: "salvaged", command: []string{os.Args[0], "salvage", how}, patience: patience}
			if how == "is not there" {
				s.command = []string{filepath.Join(t.TempDir(), "none")}
			}
			err = s.readAll(t.Context(), path)
			known(t, l, s.done.Records)
			all := strings.HasSuffix(how, "at 50")
			if (err != nil) != (how == "is not there") || err == nil && (s.done.Lost == 0 || all != (s.done.Records == 100)) {
				t.Errorf("%+v, %v", s.done, err)
			}
		})
	}
}

// FuzzSalvageTake: whatever a child sends, its parent takes records whose checksums
// are right, and nothing else.
func FuzzSalvageTake(f *testing.F) {
	rec := &document.Record{ID: "https://www.example.com/page/00001", Push: document.PushOK}
	var good bytes.Buffer
	out := cbor.NewEncoder(&good)
	err := errors.Join(out.Encode(entry{Bucket: bucketRecords, Key: []byte(rec.ID), Value: encodeRecord(rec.ID, rec)}),
		out.Encode(entry{Bucket: bucketMeta, Key: []byte("generation"), Value: []byte("12345678")}), out.Encode(entry{Lost: 1}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good.Bytes())
	f.Add(good.Bytes()[:50])
	f.Add([]byte{0x84, 0x60, 0xf6, 0xf6, 0x00})
	path := filepath.Join(f.TempDir(), "sitesync.db")
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := Open(path, true)
		if err != nil {
			t.Fatal(err)
		}
		s := &salvage{ledger: l, reason: "salvaged"}
		if _, err := s.take(bytes.NewReader(raw), func() {}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.flush(), l.Close(), Check(path)); err != nil {
			t.Fatal(err)
		}
	})
}
