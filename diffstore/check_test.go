package diffstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
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

// endless is a ledger on which a child takes more and more memory, and comes to no end.
const endless = "endless.db"

// TestCheckEnds: a ledger that was crafted to be checked for ever is damaged.
func TestCheckEnds(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a child is known on Linux alone")
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), endless)
	fill(t, path)
	if err := diffstore.CheckApart(t.Context(), path); !errors.Is(err, diffstore.ErrDamaged) || !strings.Contains(err.Error(), "MB of memory") {
		t.Error(err)
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
