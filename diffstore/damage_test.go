package diffstore_test

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// TestDamaged opens and uses a ledger whose file was spoiled in many ways. What
// bbolt makes of a bad page can end a process, so that another one does the using
// and tells how far it came.
func TestDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	fill(t, good)
	info, err := os.Stat(good)
	if err != nil {
		t.Fatal(err)
	}
	for next, n := 0, len(damages(info.Size())); next < n; next++ {
		next = useFrom(t, good, next)
	}
}

// useFrom has a child process use the damaged ledgers from the given one on and
// returns the number of the first that it did not survive.
func useFrom(t *testing.T, good string, first int) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], good, fmt.Sprint(first))
	cmd.Env = append(os.Environ(), roleVariable+"=damage")
	var crash strings.Builder
	cmd.Stderr = &crash
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := first
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var verdict string
		if _, err := fmt.Sscanf(lines.Text(), "%d %s", &last, &verdict); err != nil {
			t.Fatalf("child said %q: %v", lines.Text(), err)
		}
		if verdict != "ok" && verdict != "begun" {
			t.Errorf("damage %s", lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil {
		head, _, _ := strings.Cut(crash.String(), "\n\ngoroutine ")
		t.Errorf("damage %d ended the process: %v: %.300s", last, err, head)
	}
	return last
}

// useDamaged is the child's part: for each damage from the given number on, a line
// before and one after.
func useDamaged(good, first string) int {
	var next int
	if _, err := fmt.Sscan(first, &next); err != nil {
		return 2
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		return 2
	}
	list := damages(int64(len(whole)))
	for n := next; n < len(list); n++ {
		fmt.Println(n, "begun")
		path := filepath.Join(filepath.Dir(good), fmt.Sprintf("%d.db", n))
		if err := os.WriteFile(path, list[n].spoil(append([]byte(nil), whole...)), 0o600); err != nil {
			return 2
		}
		records, err := readAll(path)
		if err == nil && list[n].cut && records != 0 && records != filled {
			err = fmt.Errorf("%d records, and not a word about the others", records)
		}
		fmt.Println(n, judgeUse(err))
		fmt.Println(n, judgeUse(writeSome(path)))
	}
	return 0
}

func judgeUse(err error) string {
	switch {
	case err == nil, errors.Is(err, diffstore.ErrDamaged), errors.Is(err, diffstore.ErrVersion):
		return "ok"
	}
	return "unclear: " + err.Error()
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
