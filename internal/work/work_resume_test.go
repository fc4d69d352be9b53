package work

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// TestResume: a run goes on where another stopped when configuration and ledger are
// the same and it began not too long ago; else the folder is cleared.
func TestResume(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	left := State{Run: "left", Start: began, Config: "c", Generation: 7}
	for name, c := range map[string]struct {
		now     State
		age     time.Duration
		resume  time.Duration
		resumed bool
	}{
		"just young enough":    {State{Config: "c", Generation: 7}, day - time.Second, day, true},
		"too old":              {State{Config: "c", Generation: 7}, day, day, false},
		"from the future":      {State{Config: "c", Generation: 7}, -time.Second, day, false},
		"never":                {State{Config: "c", Generation: 7}, 0, 0, false},
		"other configuration":  {State{Config: "d", Generation: 7}, time.Hour, day, false},
		"the ledger has moved": {State{Config: "c", Generation: 8}, time.Hour, day, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "work")
			w := openWork(t, dir, left, 0)
			if w.Resumed || w.State != left {
				t.Fatalf("a new folder: %+v", w)
			}
			spoolSome(t, w)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			c.now.Run, c.now.Start = "now", began.Add(c.age)
			w = openWork(t, dir, c.now, c.resume)
			want := c.now
			if c.resumed {
				want = left
			}
			if w.Resumed != c.resumed || w.State != want {
				t.Errorf("resumed %v, %+v", w.Resumed, w.State)
			}
			wantFiles := []string{"drafts.log", "holder.json", "lock", "sightings.log", "sizes.log", "state.json"}
			wantMarked := 0
			if c.resumed {
				wantFiles, wantMarked = []string{"drafts.log", "frontier", "holder.json", "lock", "sightings.log", "sizes.log", "state.json"}, 3
			}
			if got := files(t, dir); !slices.Equal(got, wantFiles) {
				t.Errorf("left in the folder: %q", got)
			}
			if got := w.Table.Count(spool.Sighted | spool.Queued); got != wantMarked || w.Table.Count(spool.Kept) != wantMarked/3 {
				t.Errorf("%d URLs are marked", got)
			}
			if !c.resumed {
				return
			}
			if d, err := w.Draft(1); err != nil || d.Fields["Title"] != "Draft" {
				t.Errorf("the draft is now %+v, %v", d, err)
			}
		})
	}
}

// spoolSome spools three sightings, one of them with a draft, and a queue.
func spoolSome(t *testing.T, w *Folder) {
	t.Helper()
	at := w.AddDraft(document.Draft{Fields: map[string]string{"Title": "Draft"}})
	for _, s := range []document.Sighting{{URL: "http://a.test/1", Seen: document.Read, Draft: at}, {URL: "http://a.test/2", Seen: document.Gone}} {
		w.AddSighting(s)
	}
	w.AddKept("http://a.test/3")
	if err := os.MkdirAll(filepath.Join(w.Dir, "frontier"), 0o700); err != nil {
		t.Fatal(err)
	}
	queue, err := spool.OpenLog(filepath.Join(w.Dir, "frontier", "wave-0-0.log"))
	if err != nil {
		t.Fatal(err)
	}
	w.Group.Add(queue, true)
	queue.Append([]byte("http://a.test/4"))
	if err := errors.Join(w.Group.Remove(queue), queue.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestResumeFromDamage: whatever became of the folder's files, a run begins, at
// worst from the beginning: all that is there can be fetched again.
func TestResumeFromDamage(t *testing.T) {
	t.Parallel()
	state := State{Run: "1", Start: began, Config: "c"}
	write := func(name, text string) func(dir string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	for name, c := range map[string]struct {
		damage  func(dir string) error
		resumed bool
		marked  int
	}{
		"state cut":                     {write("state.json", `{"run":"1","sta`), false, 0},
		"sightings cut":                 {func(dir string) error { return cutEnd(filepath.Join(dir, "sightings.log"), 3) }, true, 2},
		"no sightings":                  {func(dir string) error { return os.Remove(filepath.Join(dir, "sightings.log")) }, true, 0},
		"sightings are rubbish":         {write("sightings.log", "rubbish"), true, 0},
		"sightings damaged, then whole": {func(dir string) error { return damage(filepath.Join(dir, "sightings.log"), 20) }, false, 0},
		"drafts damaged":                {func(dir string) error { return damage(filepath.Join(dir, "drafts.log"), 20) }, false, 0},
		"drafts cut":                    {func(dir string) error { return cutEnd(filepath.Join(dir, "drafts.log"), 3) }, false, 0},
		"a queue cut":                   {func(dir string) error { return os.Truncate(filepath.Join(dir, "frontier", "wave-0-0.log"), 0) }, false, 0},
		"a queue missing":               {func(dir string) error { return os.Remove(filepath.Join(dir, "frontier", "wave-0-0.log")) }, false, 0},
		"died where it was resumed":     {func(dir string) error { return died(dir, 3, "") }, false, 0},
		"died further on":               {func(dir string) error { return died(dir, 2, "") }, true, 3},
		"died on this machine":          {func(dir string) error { return died(dir, noMatter, boot()) }, true, 3},
		"died with another start":       {func(dir string) error { return died(dir, noMatter, "another") }, false, 0},
		"sightings of another make": {func(dir string) error {
			log, err := spool.OpenLog(filepath.Join(dir, "sightings.log"))
			if err != nil {
				return err
			}
			log.Append([]byte{0xff, 1, 2})
			return log.Close()
		}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "work")
			w := openWork(t, dir, state, 0)
			spoolSome(t, w)
			if err := errors.Join(w.Close(), c.damage(dir)); err != nil {
				t.Fatal(err)
			}
			w = openWork(t, dir, State{Run: "2", Start: began.Add(time.Minute), Config: "c"}, time.Hour)
			if marked := w.Table.Count(spool.Sighted); w.Resumed != c.resumed || marked != c.marked {
				t.Errorf("resumed %v with %d URLs marked", w.Resumed, marked)
			}
		})
	}
}

// TestFailedResume: what failed after it was resumed is not resumed again, what was
// interrupted is, and what failed on damage is not even once.
func TestFailedResume(t *testing.T) {
	t.Parallel()
	state := State{Run: "1", Start: began, Config: "c"}
	for name, c := range map[string]struct {
		first, second error // how the runs end; nil: interrupted
		once, twice   bool  // resumed
	}{
		"interrupted":              {nil, nil, true, true},
		"failed, then interrupted": {errors.New("no"), nil, true, true},
		"failed twice":             {nil, errors.New("no"), true, false},
		"damaged":                  {spool.ErrCorrupt, nil, false, true},
	} {
		dir := filepath.Join(t.TempDir(), "work")
		w := openWork(t, dir, state, 0)
		spoolSome(t, w)
		for i, want := range []bool{c.once, c.twice} {
			if err := []error{c.first, c.second}[i]; err != nil {
				w.Fail(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			w = openWork(t, dir, state, time.Hour)
			if w.Resumed != want {
				t.Errorf("%s: run %d: resumed %t", name, i+2, w.Resumed)
			}
			spoolSome(t, w)
		}
	}
}

func damage(path string, at int) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	raw[at] ^= 1
	return os.WriteFile(path, raw, 0o600)
}

// died leaves the folder as a run does that was resumed after so many pages and was killed,
// or ended with that start of the machine.
func died(dir string, looked int, start string) error {
	path := filepath.Join(dir, "state.json")
	left, err := readJSON[saved](path)
	if err != nil {
		return err
	}
	left.Looked, left.Boot = looked, start
	return writeJSON(path, left)
}

func cutEnd(path string, n int64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()-n)
}
