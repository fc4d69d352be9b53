package diffstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// damage is one way to spoil a file.
type damage struct {
	cut   bool // the end is lost, and nothing else
	spoil func([]byte) []byte
}

// damages lists ways to spoil a file of the given size: where it was cut, and what
// was written over it.
func damages(size int64) []damage {
	var list []damage
	cut := func(n int64) {
		list = append(list, damage{true, func(b []byte) []byte { return b[:n] }})
	}
	over := func(at int64, with []byte) {
		list = append(list, damage{false, func(b []byte) []byte { copy(b[at:], with); return b }})
	}
	page := int64(os.Getpagesize())
	for n := int64(0); n < size; n += page / 2 {
		cut(n)
	}
	for _, n := range []int64{1, 15, 16, 17, 64, 80, page - 1, page + 1, size - 1} {
		cut(n)
	}
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(n int64) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	over(0, noise(size))
	over(0, noise(2*page))
	over(2*page, noise(size))
	for at := int64(0); at < size; at += page {
		over(at, make([]byte, page))
		over(at, noise(page))
		over(at, noise(16))
		over(at+page/2, noise(64))
	}
	for range 120 {
		over(random.Int64N(size), noise(1+random.Int64N(8)))
	}
	return list
}

// TestDamaged opens and uses a ledger whose file was spoiled in many ways: it is sound, or
// called damaged, or of another version.
func TestDamaged(t *testing.T) {
	t.Parallel()
	good := filepath.Join(t.TempDir(), "good.db")
	fill(t, good)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	for n, d := range damages(int64(len(whole))) {
		path := fmt.Sprint(good, n) // bbolt can't close what it could not open
		if err := os.WriteFile(path, d.spoil(bytes.Clone(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		records, err := readAll(path)
		if err == nil && d.cut && records != 0 && records != filled {
			t.Errorf("damage %d: %d records, and not a word about the others", n, records)
		}
		for _, err := range []error{err, writeSome(path)} {
			if err != nil && !errors.Is(err, diffstore.ErrDamaged) && !errors.Is(err, diffstore.ErrVersion) {
				t.Errorf("damage %d: unclear: %v", n, err)
			}
		}
	}
}

// readAll opens a ledger, reads everything that it holds and returns the number of
// its records.
func readAll(path string) (records int, err error) {
	ledger, err := diffstore.OpenRead(path)
	if err != nil {
		return 0, err
	}
	defer ledger.Close()
	if err := readEverything(ledger); err != nil {
		return 0, err
	}
	counts, err := ledger.Count()
	for _, n := range counts {
		records += n
	}
	return records, err
}

// readEverything returns the first error of reading everything there is, one that
// is not ErrDamaged before one that is.
func readEverything(ledger *diffstore.Ledger) error {
	var ids []string
	errs := []error{ledger.Records(func(id string, decode func(bool) (*document.Record, error)) error {
		ids = append(ids, id)
		_, err := decode(false)
		return err
	})}
	for _, id := range ids {
		_, _, err := ledger.Text(id)
		errs = append(errs, err)
	}
	for _, err := range ledger.Runs() {
		errs = append(errs, err)
	}
	for _, err := range ledger.Entries("run-1") {
		errs = append(errs, err)
	}
	c := change(document.Delete, pageID(3), nil)
	_, generationErr := ledger.Generation()
	_, _, targetErr := ledger.Target()
	_, hostErr := ledger.Host("https://www.example.com")
	_, approvedErr := ledger.Approved(&c)
	var damaged error
	for _, err := range append(errs, generationErr, targetErr, hostErr, approvedErr) {
		if err != nil && !errors.Is(err, diffstore.ErrDamaged) {
			return err
		}
		damaged = errors.Join(damaged, err)
	}
	return damaged
}

// writeSome applies a small plan.
func writeSome(path string) error {
	ledger, err := diffstore.Open(path, true)
	if err != nil {
		return err
	}
	defer ledger.Close()
	generation, err := ledger.Generation()
	if err != nil {
		return err
	}
	var batch document.Batch
	for n := 0; n < 80; n += 3 {
		c := change(document.Patch, pageID(n), titled("changed"))
		batch.Settled = append(batch.Settled, settled(c, document.Acknowledged, ""))
	}
	return errors.Join(
		beginIn(ledger, generation, testTarget()),
		ledger.Step("run-2", batch),
		ledger.Finish(document.PlanTrailer{Summary: document.Summary{Run: "run-2", Start: 1_700_000_001, Complete: true}}),
	)
}
