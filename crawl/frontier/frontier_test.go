package frontier

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sitesync/internal/spool"
)

// TestTornQueue: of a queue whose end is lost, what stands before it is asked.
func TestTornQueue(t *testing.T) {
	dir := t.TempDir()
	table, group := spool.NewTable(), &spool.Group{}
	f, err := Open(dir, table, group, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Prepare(3); err != nil {
		t.Fatal(err)
	}
	key := Key{Wave: 3, Host: 0}
	for _, url := range []string{"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/1"} {
		f.Add(key, url, spool.Linked)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	info, err := os.Stat(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(logs[0], info.Size()-1); err != nil {
		t.Fatal(err)
	}
	// A host that the configuration no longer has, and a file that is not ours.
	for _, name := range []string{"wave-0-7.log", "wave-x.log"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table = spool.NewTable()
	if f, err = Open(dir, table, group, 1); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Prepare(3); err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(f.URLs(key)); !slices.Equal(got, []string{"http://a.test/1", "http://a.test/2"}) || table.Count(spool.Queued) != 2 {
		t.Errorf("left of the queue: %q", got)
	}
	if f.Add(key, "http://a.test/2", 0)&spool.Queued == 0 || f.Add(key, "http://a.test/3", 0)&spool.Queued != 0 {
		t.Error("what the queue holds is queued again, or what it lost is not")
	}
}
