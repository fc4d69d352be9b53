package cli_test

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// However a ledger is damaged: at most one run fails by it, nothing is deleted, and
// in the end the index is the site, with and without a rebuild.
func TestDamagedLedgers(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.build(30)
	config := w.configure(t, "spoilt", w.base, 4)
	path := filepath.Join(w.dir, "spoilt.db")
	w.run(t, 0, "", "sync", "-c", config)
	want := index(t, w.service, w.site.URL())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 7))
	aside := 0
	for round := range *kills / 2 {
		raw := slices.Clone(whole)
		if round%3 == 0 {
			raw = raw[:random.IntN(len(raw))]
		}
		for range round % 3 * 40 {
			raw[random.IntN(len(raw))] ^= 1 << random.IntN(8)
		}
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		w.panel.ResetCalls()
		var out bytes.Buffer
		if code := w.try(t, &out, "", "sync", "-c", config); code != 0 {
			aside++
			if code != 1 || !strings.Contains(out.String(), "was set aside as "+path+".damaged-") {
				t.Fatalf("round %d: exit code %d\n%s", round, code, out.String())
			}
			if round%2 == 0 {
				w.run(t, 0, "", "rebuild", "-c", config)
			}
			out.Reset()
			code := w.try(t, &out, "", "sync", "-c", config)
			if lost := strings.Contains(out.String(), "holds no document, and run"); lost && code != 3 || !lost && (code != 0 || round%2 == 1) {
				t.Fatalf("round %d: exit code %d with the ledger lost\n%s", round, code, out.String())
			}
			w.run(t, 0, "", "rebuild", "-c", config, "--from", newest(t, path))
		}
		w.run(t, 0, "", "sync", "-c", config)
		if got := index(t, w.service, w.site.URL()); !maps.Equal(got, want) {
			t.Fatalf("round %d: the index holds %d documents, the site %d", round, len(got), len(want))
		}
		if calls := w.panel.Calls(); calls["delete"]+calls["bulk-delete"] > 0 {
			t.Fatalf("round %d: %v", round, calls)
		}
	}
	if aside == 0 {
		t.Error("no damage was found")
	}
}

// newest returns the file that was set aside last.
func newest(t *testing.T, path string) string {
	t.Helper()
	files, err := filepath.Glob(path + ".*-20*")
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing was set aside (%v)", err)
	}
	slices.SortFunc(files, func(a, b string) int {
		return strings.Compare(a[strings.LastIndex(a, "-20"):], b[strings.LastIndex(b, "-20"):])
	})
	return files[len(files)-1]
}

// A backup to standard output is the one that a file gets.
func TestBackupToPipe(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.build(5)
	config := w.configure(t, "piped", w.base, 4)
	w.run(t, 0, "", "sync", "-c", config)
	file := filepath.Join(w.dir, "backup.db")
	w.run(t, 0, "", "backup", file, "-c", config)
	piped := w.run(t, 0, "", "backup", "-", "-c", config)
	if raw, err := os.ReadFile(file); err != nil || string(raw) != piped {
		t.Errorf("%d bytes, through the pipe %d (%v)", len(raw), len(piped), err)
	}
	if info, err := os.Stat(file); err != nil || filepath.Separator == '/' && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil {
		t.Fatal(err)
	}
	w.run(t, 2, "", "backup", "--force", file, "-c", config)
}
