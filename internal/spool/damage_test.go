package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A byte that is not what was written, wherever it stands, is an error and no end of the
// file: neither for who reads on nor for who opens the log again.
func TestDamageIsNoEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	for at := range int64(3 * (headerSize + 5)) {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		log := open(t, path)
		for i := range 3 {
			log.Append(fmt.Appendf(nil, "rec %d", i))
		}
		if err := log.Flush(); err != nil {
			t.Fatal(err)
		}
		flip(t, path, at)
		if n := len(records(log)); n > 2 {
			t.Fatalf("byte %d: %d records", at, n)
		}
		for what, err := range map[string]error{"Err": log.Err(), "Flush": log.Flush(), "Close": log.Close()} {
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), path) {
				t.Fatalf("byte %d: %s returns %v", at, what, err)
			}
		}
		if _, err := OpenLog(path); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("byte %d: opened again, %v", at, err)
		}
	}
}

// What a sorter can't read back is an error of its scratch.
func TestSorterDamage(t *testing.T) {
	scratch := NewScratch(t.TempDir())
	defer scratch.Close()
	sorter := scratch.Sorter()
	sorter.Add("a", 1)
	if err := sorter.spill(); err != nil {
		t.Fatal(err)
	}
	flip(t, sorter.runs[0].file.Name(), headerSize)
	for item := range sorter.All() {
		t.Errorf("read back: %v", item)
	}
	if err := scratch.Err(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

// A spill that lost its end on disk is an error, never a shorter plan.
func TestSpillCutShort(t *testing.T) {
	scratch := NewScratch(t.TempDir())
	defer scratch.Close()
	p := NewSpill[int](scratch, "numbers")
	for i := range 3 {
		p.Add(i, nil)
	}
	read := func() error { return p.Each(func(int, []byte) error { return nil }) }
	if err := read(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(p.log.file.Name(), p.log.Size()-1); err != nil {
		t.Fatal(err)
	}
	if err := read(); err == nil {
		t.Error("a verdict is missing, and nobody was told")
	}
}

// After a write that failed nothing more of the group is written: it would refer to what is
// not there.
func TestGroupStopsAtAFault(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, filepath.Join(dir, "a")), open(t, filepath.Join(dir, "b"))
	var group Group
	group.Add(first, false)
	group.Add(second, false)
	first.Append([]byte("lost"))
	if err := first.file.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		second.Append([]byte("refers to it"))
		if err := group.Flush(); err == nil {
			t.Error("nobody was told")
		}
	}
	_ = second.Close()
	if raw, err := os.ReadFile(filepath.Join(dir, "b")); err != nil || len(raw) > 0 {
		t.Errorf("the second log holds %q, %v", raw, err)
	}
}

func flip(t *testing.T, path string, at int64) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw[at] ^= 0x10
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}
