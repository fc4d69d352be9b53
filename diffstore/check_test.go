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

// TestCheckApart spoils a ledger in many ways. No way ends this process, or takes longer: the
// ledger is sound, and then reads and writes as it should, or named damaged.
func TestCheckApart(t *testing.T) {
	t.Parallel()
	good := filepath.Join(t.TempDir(), "good.db")
	fill(t, good)
	ledger := open(t, good, true)
	for n := range 300 { // a tree of several levels, and free pages
		c := change(document.Put, pageID(100+n), titled(fmt.Sprint("Page ", n)))
		send(t, ledger, "run-2", document.Acknowledged, "", c)
	}
	err := ledger.Close()
	whole, readErr := os.ReadFile(good)
	if err := errors.Join(err, readErr, diffstore.CheckApart(t.Context(), good)); err != nil {
		t.Fatal(err)
	}
	rounds := 120
	if testing.Short() {
		rounds = 30
	}
	random := rand.New(rand.NewPCG(3, 4))
	sound := 0
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
		case !errors.Is(err, diffstore.ErrDamaged):
			t.Errorf("round %d: unclear: %v", round, err)
		}
	}
	if damaged := rounds - sound; damaged < rounds/2 {
		t.Errorf("%d of %d damaged", damaged, rounds)
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
