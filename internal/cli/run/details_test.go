package run

import (
	"path/filepath"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/spool"
)

// TestDetailsOfAnother: a change that has no details does not get those of another one.
func TestDetailsOfAnother(t *testing.T) {
	log, err := spool.OpenLog(filepath.Join(t.TempDir(), "details"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	d := &details{log: log, table: spool.NewTable()}
	raw, err := spool.Encode(&report.Detail{Title: "Bees"})
	if err != nil {
		t.Fatal(err)
	}
	d.table.SetValue(spool.Fingerprint("https://www.example.com/bees"), uint64(log.Append(raw)+1))
	if err := log.Flush(); err != nil {
		t.Fatal(err)
	}
	entries := func(yield func(document.Entry, error) bool) {
		_ = yield(document.Entry{ID: "https://www.example.com/bees"}, nil) && yield(document.Entry{ID: "https://www.example.com/ants"}, nil)
	}
	var titles []string
	for c, err := range d.join(entries) {
		if err != nil {
			t.Fatal(err)
		}
		titles = append(titles, c.Title)
	}
	if len(titles) != 2 || titles[0] != "Bees" || titles[1] != "" {
		t.Errorf("titles are %q", titles)
	}
}
