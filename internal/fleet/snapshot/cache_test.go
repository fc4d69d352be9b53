package snapshot

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sitesync/internal/fleet/lease"
)

// ready makes the folder of a site ready and checks that its ledger is raw; nil: none.
func (r *rig) ready(t *testing.T, c *Cache, f *lease.File, raw []byte) (fetched bool) {
	t.Helper()
	must(t, r.bus.Conn.Flush())
	before := r.bus.Conn.Stats().InMsgs
	must(t, c.Ready(t.Context(), r.store, "town", f))
	got, err := os.ReadFile(filepath.Join(c.Folder("town"), LedgerFile))
	if raw == nil && !os.IsNotExist(err) || raw != nil && !bytes.Equal(got, raw) {
		t.Fatalf("the ledger is not what the state says: %v", err)
	}
	return r.bus.Conn.Stats().InMsgs > before
}

func TestLedgerIsFetchedOnlyIfItDiffers(t *testing.T) {
	r, random := newRig(t), rand.New(rand.NewPCG(2, 1))
	c := &Cache{Dir: filepath.Join(t.TempDir(), "sites")}
	if r.ready(t, c, nil, nil) {
		t.Error("nothing was fetched")
	}
	path := filepath.Join(c.Folder("town"), LedgerFile)
	one := bytesOf(random, 2*partSize)
	must(t, c.Begin("town"))
	write(t, path, one)
	f, err := r.store.Put(t.Context(), "ledger", "town", 1, path, nil)
	must(t, err)
	must(t, c.Keep("town", f))
	if r.ready(t, c, &f, one) {
		t.Error("fetched although it is there")
	}
	info, err := os.Stat(path)
	must(t, err)

	two := bytesOf(random, 2*partSize)
	for what, spoil := range map[string]func(){
		"killed after Begin": func() { must(t, c.Begin("town")) },
		"killed in the run":  func() { must(t, c.Begin("town")); write(t, path, two) },
		"killed in the run, and the clock lies": func() {
			must(t, c.Begin("town"))
			write(t, path, two)
			must(t, os.Chtimes(path, time.Time{}, info.ModTime()))
		},
		"changed without Begin": func() { write(t, path, two); must(t, os.Chtimes(path, time.Time{}, time.Unix(1_700_000_000, 0))) },
		"cut":                   func() { must(t, os.Truncate(path, 5)) },
		"ledger removed":        func() { must(t, os.Remove(path)) },
		"note removed":          func() { must(t, os.Remove(path+".note")) },
		"note damaged":          func() { write(t, path+".note", []byte(`{"file":{"number":1`)) },
		"folder removed":        func() { must(t, os.RemoveAll(c.Folder("town"))) },
	} {
		spoil()
		if !r.ready(t, c, &f, one) {
			t.Errorf("%s: believed", what)
		}
		if r.ready(t, c, &f, one) {
			t.Errorf("%s: fetched twice", what)
		}
	}

	// Another worker had the site meanwhile; then the site was begun anew.
	second := r.put(t, 2, two, &f)
	left := filepath.Join(c.Folder("town"), LedgerFile+".work", "state.json")
	must(t, os.MkdirAll(filepath.Dir(left), 0o700))
	write(t, left, []byte("{}"))
	if !r.ready(t, c, &second, two) {
		t.Error("the older ledger is believed")
	}
	r.ready(t, c, nil, nil)
	if _, err := os.Stat(left); err != nil {
		t.Errorf("what a run can resume is gone: %v", err)
	}
	must(t, filepath.WalkDir(c.Dir, func(path string, entry fs.DirEntry, err error) error {
		must(t, err)
		info, err := entry.Info()
		must(t, err)
		if mode := info.Mode().Perm(); mode != 0o600 && mode != 0o700 {
			t.Errorf("%s has mode %o", path, mode)
		}
		return nil
	}))
}

// TestLastCopyOfALedgerIsSetAside: a ledger that was committed, and that the fleet's does not come from, is set aside as
// it is, also where a run was killed in it; one that the fleet has a later one of makes room.
func TestLastCopyOfALedgerIsSetAside(t *testing.T) {
	r, random := newRig(t), rand.New(rand.NewPCG(2, 2))
	one, two := bytesOf(random, 2*partSize), bytesOf(random, partSize)
	for what, test := range map[string]struct {
		number uint64 // of the fleet's ledger; 0: none
		line   string
		killed bool
		aside  bool
	}{
		"none":                    {0, "", false, true},
		"none, killed in the run": {0, "", true, true},
		"begun anew":              {9, "index other", false, true},
		"set back":                {4, "index one", false, true},
		"a later one":             {9, "index one", false, false},
		"a later one, killed":     {9, "index one", true, false},
	} {
		c := &Cache{Dir: filepath.Join(t.TempDir(), "sites")}
		r.ready(t, c, nil, nil)
		write(t, filepath.Join(c.Folder("town"), LedgerFile), one)
		must(t, c.Keep("town", lease.File{Number: 5, Sum: "0123456789abcdef", Line: "index one"}))
		if test.killed {
			must(t, c.Begin("town"))
		}
		if test.number == 0 {
			r.ready(t, c, nil, nil)
		} else {
			f := r.put(t, test.number, two, nil)
			f.Line = test.line
			r.ready(t, c, &f, two)
		}
		must(t, c.Trim(func(string) bool { return false })) // nor is it trimmed
		got, err := os.ReadFile(filepath.Join(c.Dir, "town.0123456789ab.db"))
		if (err == nil) != test.aside || test.aside && !bytes.Equal(got, one) {
			t.Errorf("%s: set aside: %v, want %v", what, err, test.aside)
		}
	}
}

// TestTrimKeepsFoldersInUse: the folders used longest ago go, none that is in use.
func TestTrimKeepsFoldersInUse(t *testing.T) {
	c := &Cache{Dir: t.TempDir(), Max: 3500}
	add := func(site string, age time.Duration) {
		must(t, os.MkdirAll(c.Folder(site)+"/"+LedgerFile+".work", 0o700))
		write(t, filepath.Join(c.Folder(site), LedgerFile), make([]byte, 700))
		write(t, filepath.Join(c.Folder(site), LedgerFile+".work", "drafts.log"), make([]byte, 300))
		must(t, c.Keep(site, lease.File{Number: 1}))
		at := time.Now().Add(-age)
		must(t, os.Chtimes(filepath.Join(c.Folder(site), noteFile), at, at))
	}
	for i, site := range []string{"a", "b", "c"} {
		add(site, time.Duration(10-i)*time.Hour)
	}
	trim := func(want ...string) {
		t.Helper()
		must(t, c.Trim(func(site string) bool { return site == "a" }))
		entries, err := os.ReadDir(c.Dir)
		must(t, err)
		var left []string
		for _, entry := range entries {
			left = append(left, entry.Name())
		}
		if !slices.Equal(left, want) {
			t.Errorf("left: %v, want %v", left, want)
		}
	}
	trim("a", "b", "c") // each takes 1,000 and a note
	add("d", time.Hour)
	trim("a", "c", "d")
	add("e", 0)
	add("f", 0)
	trim("a", "e", "f")
	must(t, (&Cache{Dir: filepath.Join(c.Dir, "none")}).Trim(func(string) bool { return false }))
}
