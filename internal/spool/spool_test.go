package spool

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

func TestLogCutsTornTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	for cut := range 30 {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		log := open(t, path)
		first := log.Append([]byte("first record"))
		log.Append([]byte("second record"))
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()-int64(cut)); err != nil {
			t.Fatal(err)
		}
		log = open(t, path)
		third := log.Append([]byte("third"))
		if err := log.Flush(); err != nil {
			t.Fatal(err)
		}
		want := []string{"first record", "second record", "third"}
		if cut > 0 {
			want = slices.Delete(want, 1, 2)
		}
		if cut > 25 {
			want = want[1:]
		}
		if got := records(log); !slices.Equal(got, want) {
			t.Fatalf("cut %d: got %q, want %q", cut, got, want)
		}
		if got, err := log.Read(third); err != nil || string(got) != "third" {
			t.Fatalf("cut %d: Read(third) = %q, %v", cut, got, err)
		}
		if _, err := log.Read(first + 1); err == nil {
			t.Fatal("Read between two records gave no error")
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A reference in the second log must find its target in the first, whatever
// moment the flush happened at.
func TestGroupKeepsOrder(t *testing.T) {
	dir := t.TempDir()
	targets, refs := open(t, filepath.Join(dir, "a")), open(t, filepath.Join(dir, "b"))
	var group Group
	group.Add(refs, false)
	group.Add(targets, true)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 500 {
				name := fmt.Sprint(w, "/", i)
				targets.Append([]byte(name))
				refs.Append([]byte(name))
				if i%7 == w {
					if err := group.Flush(); err != nil {
						t.Error(err)
					}
					have := records(targets)
					for _, ref := range records(refs) {
						if !slices.Contains(have, ref) && !slices.Contains(records(targets), ref) {
							t.Errorf("%s is referred to and not there", ref)
						}
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestTable(t *testing.T) {
	table := NewTable()
	var wg sync.WaitGroup
	var mu sync.Mutex
	added := 0
	for range 4 {
		wg.Go(func() {
			for i := range 20_000 {
				fp := Fingerprint(fmt.Sprint("https://x.example/", i))
				if table.Mark(fp, Queued)&Queued == 0 {
					table.SetValue(fp, uint64(i))
					mu.Lock()
					added++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if added != 20_000 || table.Count(Queued) != 20_000 {
		t.Fatalf("added %d, counted %d, want 20000", added, table.Count(Queued))
	}
	for i := range 20_000 {
		if flags, value := table.Get(Fingerprint(fmt.Sprint("https://x.example/", i))); flags != Queued || value != uint64(i) {
			t.Fatalf("entry %d: flags %b, value %d", i, flags, value)
		}
	}
	if flags, _ := table.Get(Fingerprint("https://x.example/none")); flags != 0 {
		t.Fatalf("an absent URL has flags %b", flags)
	}
	table.ClearValues()
	if flags, value := table.Get(Fingerprint("https://x.example/7")); flags != Queued || value != 0 {
		t.Fatalf("after ClearValues: flags %b, value %d", flags, value)
	}
}

// Invariant 6: a known URL takes at most 40 bytes of memory, 32 of them in this table.
func TestMemoryOfAKnownURL(t *testing.T) {
	table := NewTable()
	const n = 200_000
	for i := range n {
		table.Mark(Fingerprint(fmt.Sprint(i)), Queued)
	}
	cells := 0
	for i := range table.shards {
		cells += len(table.shards[i].cells)
	}
	if bytes := cells * 16 / n; bytes > 32 {
		t.Fatalf("%d bytes an entry, want at most 32", bytes)
	}
}

func TestSorter(t *testing.T) {
	scratch := NewScratch(t.TempDir())
	sorter := scratch.Sorter()
	const n = 300_000 // over sortChunk, so that runs are merged
	order := rand.New(rand.NewPCG(1, 2)).Perm(n)
	for _, i := range order {
		sorter.Add(fmt.Sprintf("https://www.example.com/a/longer/path/%07d", i/2), int64(i))
	}
	if err := scratch.Err(); err != nil {
		t.Fatal(err)
	}
	if len(sorter.runs) == 0 {
		t.Fatal("nothing was spilled: the test is too small")
	}
	next := 0
	for item := range sorter.All() {
		if item.Value != int64(next) {
			t.Fatalf("item %d: got %d", next, item.Value)
		}
		next++
	}
	if next != n {
		t.Fatalf("%d items, want %d", next, n)
	}
	scratch.Close()
	if left, err := filepath.Glob(filepath.Join(scratch.dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func open(t *testing.T, path string) *Log {
	t.Helper()
	log, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func records(log *Log) []string {
	var all []string
	for _, record := range log.All() {
		all = append(all, string(record))
	}
	return all
}
