package cli_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/testsite/strike"
)

// Invariant 5: a dry run, plan and explain make no call that writes, and leave the folder as it is, byte for
// byte, also with changes that are held, in doubt and parked.
func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.build(40)
	config := w.configure(t, "dry", w.base, 4)
	w.run(t, 0, "", "sync", "-c", config)
	for i := range 15 {
		w.site.Remove(fmt.Sprintf("/section-%d/page-%d.html", i%7, i))
	}
	w.set("/section-6/page-20.html", "The service does not like this text, and says so each time.")
	w.panel.Read(strike.Readings{Refuse: []strike.Refusal{{ID: "page-20"}}})
	for range 3 {
		w.run(t, 4, "", "sync", "-c", config)
	}
	cut := "[{"
	w.panel.Read(strike.Readings{})
	w.panel.Set(strike.Fault{Endpoint: "patch", Body: &cut})
	w.set("/section-0/page-21.html", "What became of this text nobody knows, for the answer was cut.")
	w.run(t, 4, "", "sync", "-c", config)
	w.panel.Set()
	w.set("/section-1/page-22.html", "This page has changed, and says so in a whole sentence.")
	if out := w.run(t, 0, "", "status", "-c", config); !strings.Contains(out, "1 in doubt, 1 refused (1 parked)") {
		t.Fatalf("the ledger is not in the state that was to be tried:\n%s", out)
	}

	before := w.folder(t)
	w.panel.ResetCalls()
	for _, run := range []struct {
		want int
		args string
	}{
		{4, "plan"}, {4, "plan --format json"}, {4, "plan --format html"}, {4, "plan --format csv"}, {4, "plan --detailed-exitcode --full --retry-parked"},
		{0, "plan --allow-deletes"}, {4, "sync --dry-run --format json"}, {0, "sync --dry-run --only /section-1/**"},
		{0, "explain " + w.site.URL() + "/section-1/page-22.html"}, {0, "explain --format json " + w.site.URL() + "/section-0/page-0.html"},
		{0, "status"}, {0, "history"}, {0, "held"}, {0, "check"},
	} {
		w.run(t, run.want, "", append(strings.Fields(run.args), "-c", config)...)
		if after := w.folder(t); !maps.Equal(before, after) {
			t.Errorf("%s changed the folder: it held %v, now %v", run.args, slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
			before = after
		}
	}
	calls := w.panel.Calls()
	delete(calls, "other") // check tries the credentials with a read
	if len(calls) != 0 {
		t.Errorf("dry runs made calls that write: %v", calls)
	}
}

// folder returns all files below the town's folder: path → content.
func (w *town) folder(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(w.dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			files[path] = ""
			return nil
		}
		raw, readErr := os.ReadFile(filepath.Join(w.dir, path))
		files[path] = string(raw)
		return errors.Join(err, readErr)
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
