package cli_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// pagesOf returns the pages of a ledger's file by their kind. Those in which another one goes
// on are "overflow".
func pagesOf(t *testing.T, path string) map[string][]int {
	t.Helper()
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin(true) // which knows what is free
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	pages := map[string][]int{}
	for id := 0; ; id++ {
		page, err := tx.Page(id)
		if err != nil {
			t.Fatal(err)
		}
		if page == nil {
			return pages
		}
		pages[page.Type] = append(pages[page.Type], id)
		for n := 0; page.Type != "free" && n < page.OverflowCount; n++ {
			id++
			pages["overflow"] = append(pages["overflow"], id)
		}
	}
}

// spoilPage damages one page of a file.
func spoilPage(random *rand.Rand, raw []byte, id int) {
	size := os.Getpagesize()
	page := raw[id*size:][:size]
	switch random.IntN(4) {
	case 0:
		clear(page)
	case 1: // another one in its place
		copy(page, raw[random.IntN(len(raw)/size)*size:])
	case 2:
		for n := range 1 + random.IntN(size) {
			page[n] = byte(random.Uint32())
		}
	default:
		for range 1 + random.IntN(16) {
			page[random.IntN(size)] ^= 1 << random.IntN(8)
		}
	}
}

// Whichever page of a ledger is damaged: the damage ends the run, or costs it nothing. Nothing
// is deleted. Then restore puts a sound copy in its place, and the index is the site.
func TestDamagedLedgers(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.build(24)
	random := rand.New(rand.NewPCG(5, 7))
	var long strings.Builder
	for range 5000 {
		fmt.Fprintf(&long, "word%d ", random.Uint32())
	}
	w.set("/section-1/page-1.html", long.String())
	config := w.configure(t, "spoilt", w.base, 4)
	path := filepath.Join(w.dir, "spoilt.db")
	w.run(t, 0, "", "sync", "-c", config)
	w.run(t, 0, "", "backup", filepath.Join(w.dir, "backup.db"), "-c", config)
	if piped := w.run(t, 0, "", "backup", "-", "-c", config); piped != string(w.read(t, "backup.db")) {
		t.Errorf("a backup to standard output is not the one that a file gets: %d bytes", len(piped))
	}
	want, pages := index(t, w.service, w.site.URL()), pagesOf(t, path)
	found := 0
	whole, copied := w.read(t, "spoilt.db"), w.read(t, "spoilt.db.bak")
	for _, kind := range []string{"meta", "freelist", "branch", "leaf", "overflow"} {
		ended := 0
		if len(pages[kind]) == 0 {
			t.Fatalf("no page of the kind %s: %v", kind, pages)
		}
		for range max(2, *kills/4) {
			raw := slices.Clone(whole)
			spoilPage(random, raw, pages[kind][random.IntN(len(pages[kind]))])
			if kind == "meta" { // one alone costs a transaction
				spoilPage(random, raw, 0)
			}
			w.write(t, "spoilt.db", raw)
			w.write(t, "spoilt.db.bak", copied)
			w.panel.ResetCalls()
			var out bytes.Buffer
			code := w.try(t, &out, "", "sync", "-c", config)
			if code != 0 && (code != 1 || !strings.Contains(out.String(), "sitesync restore -c ")) {
				t.Fatalf("%s: exit code %d\n%s", kind, code, out.String())
			}
			ended += code
			w.run(t, 0, "", "restore", "-c", config)
			w.run(t, 0, "", "sync", "-c", config)
			if got := index(t, w.service, w.site.URL()); !maps.Equal(got, want) {
				t.Fatalf("%s: the index holds %d documents, the site %d", kind, len(got), len(want))
			}
			if calls := w.panel.Calls(); calls["delete"]+calls["bulk-delete"] > 0 {
				t.Fatalf("%s: %v", kind, calls)
			}
		}
		t.Logf("%d pages of the kind %s, %d runs ended", len(pages[kind]), kind, ended)
		found += ended
	}
	if found == 0 {
		t.Error("no damage was found")
	}
}
