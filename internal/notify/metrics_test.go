package notify_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/notify"
)

// The file of figures is what testdata shows, in Prometheus's exposition format 0.0.4, and is
// replaced in one step.
func TestMetrics(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sitesync.prom")
	f := notify.Figures{Site: "a\"b\\c\nsitesync_held{} 9", End: time.Unix(1735689600, 0), Duration: 1500 * time.Millisecond, Exit: 4, Documents: -1}
	write := func(golden string) (want []byte) {
		t.Helper()
		want, wantErr := os.ReadFile(filepath.Join("testdata", golden))
		err := notify.WriteMetrics(path, f)
		got, readErr := os.ReadFile(path)
		if wantErr != nil || err != nil || readErr != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s: %v, %v, %v; got\n%s", golden, wantErr, err, readErr, got)
		}
		return want
	}
	short := write("no_plan.prom")
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	f.Counted, f.Documents = true, 3_000_000
	f.Summary = document.Summary{
		Kinds: document.Kinds{New: 12, Changed: 136, Deleted: 28, Moved: 10}, Counts: document.Counts{Held: 37, Unchanged: 2961, Failed: 5},
		Hosts: []document.Host{{Host: "https://a", State: document.HostOK}, {Host: `https://b"}`, State: document.HostGuarded}},
	}
	write("run.prom")
	if raw, err := io.ReadAll(old); err != nil || !bytes.Equal(raw, short) {
		t.Errorf("who reads the file while it is replaced sees %s, %v", raw, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := notify.WriteMetrics(dir, f); err == nil { // a folder is in its place
		t.Error("a folder was replaced")
	}
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		if left, err := filepath.Glob(filepath.Join(folder, ".*")); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	}
}
