package diffstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestDamaged opens and uses a ledger whose file was spoiled in many ways: it is sound, or
// called damaged, or of another version. Where its end was cut off, no record is missing
// without a word.
func TestDamaged(t *testing.T) {
	// bbolt makes pointers of what a damaged file says, and the collector stops the program that meets
	// one: here it runs between two files alone, and no other test beside.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	good := filepath.Join(t.TempDir(), "good.db")
	fill(t, good)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		if n%20 == 0 {
			runtime.GC()
		}
		bad := spoiled(random, bytes.Clone(whole))
		path := fmt.Sprint(good, n) // bbolt can't close what it could not open
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		records, err := readAll(path)
		if err == nil && len(bad) < len(whole) && records != 0 && records != filled {
			t.Errorf("damage %d: %d records, and not a word about the others", n, records)
		}
		for _, err := range []error{err, writeSome(path)} {
			if err != nil && !errors.Is(err, diffstore.ErrDamaged) && !errors.Is(err, diffstore.ErrVersion) && !strings.Contains(err.Error(), "describes another index") {
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
	var errs []error
	var ids []string
	for rec, err := range ledger.Records() {
		if err == nil {
			ids = append(ids, rec.ID)
		}
		errs = append(errs, err)
	}
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
	_, approvedErr := ledger.Approved(&document.Entry{Op: c.Op, ID: c.ID})
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
