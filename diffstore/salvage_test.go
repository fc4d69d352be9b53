package diffstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestCheckApart spoils a ledger in many ways. No way ends this process: the ledger
// is sound, and then reads and writes as it should, or named damaged, and then a
// salvage finds records of the ledger and no others, all documents in doubt.
func TestCheckApart(t *testing.T) {
	t.Parallel()
	good := filepath.Join(t.TempDir(), "good.db")
	fill(t, good)
	ledger := open(t, good, true)
	var want []string
	for n := range 300 { // a tree of several levels, and free pages
		c := change(document.Put, pageID(100+n), titled(fmt.Sprint("Page ", n)))
		send(t, ledger, "run-2", document.Acknowledged, "", c)
	}
	err := errors.Join(ledger.Records(func(id string, _ func(bool) (*document.Record, error)) error {
		want = append(want, id)
		return nil
	}), ledger.Close())
	whole, readErr := os.ReadFile(good)
	if err := errors.Join(err, readErr, diffstore.CheckApart(t.Context(), good)); err != nil {
		t.Fatal(err)
	}
	rounds := 120
	if testing.Short() {
		rounds = 30
	}
	random := rand.New(rand.NewPCG(3, 4))
	sound, records := 0, 0
	for round := range rounds {
		path := filepath.Join(t.TempDir(), "sitesync.db")
		if err := os.WriteFile(path, spoiled(random, slices.Clone(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		switch err := diffstore.CheckApart(t.Context(), path); {
		case err == nil:
			sound++
			if err := writeSome(path); err != nil && !strings.Contains(err.Error(), "describes another index") { // its target was hit
				t.Errorf("round %d: sound, but: %v", round, err)
			}
		case errors.Is(err, diffstore.ErrDamaged):
			records += salvaged(t, path, want)
		case !strings.Contains(err.Error(), "it took longer than"): // pages in a circle
			t.Errorf("round %d: unclear: %v", round, err)
		}
	}
	damaged := rounds - sound
	t.Logf("%d damaged, of which %d %% of the records were salvaged; %d sound", damaged, 100*records/(max(1, damaged)*len(want)), sound)
	if damaged < rounds/2 || records < damaged*len(want)/2 {
		t.Errorf("%d damaged, with %d of %d records", damaged, records, damaged*len(want))
	}
}

// spoiled returns a file with one damage.
func spoiled(random *rand.Rand, raw []byte) []byte {
	page := os.Getpagesize()
	at := random.IntN(len(raw))
	switch random.IntN(5) {
	case 0:
		return raw[:at]
	case 1:
		clear(raw[at/page*page:][:page])
	case 2:
		for n := range min(1+random.IntN(page), len(raw)-at) {
			raw[at+n] = byte(random.Uint32())
		}
	case 3: // one page in the place of another
		copy(raw[at/page*page:], raw[random.IntN(len(raw)/page)*page:][:page])
	default:
		for range 1 + random.IntN(16) {
			raw[random.IntN(len(raw))] ^= 1 << random.IntN(8)
		}
	}
	return raw
}

// salvaged rebuilds from a damaged ledger twice and returns how many records it
// found.
func salvaged(t *testing.T, path string, want []string) int {
	t.Helper()
	ledger := open(t, path+".new", true)
	defer ledger.Close()
	done, err := ledger.Salvage(t.Context(), path, 99, "salvaged")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	err = ledger.Records(func(id string, decode func(bool) (*document.Record, error)) error {
		found++
		rec, err := decode(false)
		if err == nil && rec.Push == document.PushOK || !slices.Contains(want, id) {
			t.Errorf("%s: %+v", id, rec)
		}
		return err
	})
	if generation, genErr := ledger.Generation(); err != nil || genErr != nil || generation < 99 || found != done.Records {
		t.Errorf("%d records, %+v, generation %d, %v, %v", found, done, generation, err, genErr)
	}
	if again, err := ledger.Salvage(t.Context(), path, 0, "salvaged"); err != nil || again.Records != 0 {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	if err := errors.Join(ledger.Close(), diffstore.CheckApart(t.Context(), path+".new")); err != nil {
		t.Errorf("what was salvaged is not sound: %v", err)
	}
	return found
}

// TestSalvageAdds: a ledger that knows better keeps what it knows, and gets the
// rest; of a sound file nothing is lost.
func TestSalvageAdds(t *testing.T) {
	from := newPath(t)
	fill(t, from)
	ledger := newLedger(t)
	known := change(document.Put, pageID(3), titled("Newer"))
	send(t, ledger, "run-9", document.Acknowledged, "", known)
	was := *get(t, ledger, pageID(3))
	done, err := ledger.Salvage(t.Context(), from, 0, "salvaged")
	if err != nil || done != (diffstore.Salvaged{Records: filled - 1, Documents: filled - 2}) {
		t.Fatalf("%+v, %v", done, err)
	}
	if now := get(t, ledger, pageID(3)); !reflect.DeepEqual(*now, was) {
		t.Errorf("what the ledger knew is now %+v", now)
	}
	if doc, found, err := ledger.Text(pageID(5)); err != nil || !found || doc.Fields["Title"] != "Page 5" {
		t.Errorf("text: %+v, %v, %v", doc, found, err)
	}
	if run, found, err := ledger.Run("run-1"); err != nil || !found || run.Start != 1_700_000_000 {
		t.Errorf("run: %+v, %v, %v", run, found, err)
	}
	if memory, err := ledger.Host("https://www.example.com"); err != nil || memory.Sitemap != 60 || memory.Followed != "" {
		t.Errorf("host: %+v, %v", memory, err)
	}
	held := change(document.Delete, pageID(3), nil)
	if approved, err := ledger.Approved(&held); err != nil || approved {
		t.Errorf("an approval of another time stands: %v", err)
	}
	if len(inDoubt(t, ledger)) != filled-2 {
		t.Errorf("%d in doubt", len(inDoubt(t, ledger)))
	}
}

// TestCompact: a ledger that is half free is written anew, whole; one that is not,
// or is small, or has no room, stays as it is.
func TestCompact(t *testing.T) {
	path := newPath(t)
	fillLarge(t, path, 1200, 30_000)
	room := func(int64) bool { return true }
	if saved, err := diffstore.Compact(path, room); saved != 0 || err != nil {
		t.Fatalf("full: %d, %v", saved, err)
	}
	ledger := open(t, path, true)
	var batch document.Batch
	for n := range 1100 {
		batch.Observed = append(batch.Observed, document.Observation{ID: fmt.Sprintf("https://www.example.com/page/%07d", n)})
	}
	step(t, ledger, "run-2", batch)
	want := *get(t, ledger, "https://www.example.com/page/0001150")
	if err := ledger.Close(); err != nil {
		t.Fatal(err)
	}
	if saved, err := diffstore.Compact(path, func(int64) bool { return false }); saved != 0 || err != nil {
		t.Fatalf("no room: %d, %v", saved, err)
	}
	if err := os.WriteFile(path+".compact", []byte("of a run that was killed"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := diffstore.Compact(path, room)
	after, statErr := os.Stat(path)
	if err := errors.Join(err, statErr, diffstore.CheckApart(t.Context(), path)); err != nil || after.Size() != before.Size()-saved || after.Size() > before.Size()/2 || after.Mode() != before.Mode() {
		t.Fatalf("%d of %d bytes saved, %v", saved, before.Size(), err)
	}
	ledger = open(t, path, true)
	if rec := get(t, ledger, "https://www.example.com/page/0001150"); !reflect.DeepEqual(*rec, want) {
		t.Errorf("%+v, was %+v", rec, want)
	}
	if doc, found, err := ledger.Text(want.ID); !found || err != nil || doc.Fields["Title"] != "1150" {
		t.Errorf("text: %v, %v", found, err)
	}
	if saved, err := diffstore.Compact(path+"missing", room); saved != 0 || err != nil {
		t.Errorf("missing: %d, %v", saved, err)
	}
}
