package run

import (
	"path/filepath"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/spool"
)

// TestDetails: each change gets its own details, in whatever order the outcomes come. One without
// details does not get those of another.
func TestDetails(t *testing.T) {
	log, err := spool.OpenLog(filepath.Join(t.TempDir(), "details"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	d := &details{log: log, places: spool.NewTable()}
	for _, id := range []string{"a", "b", "c"} {
		d.add(id, report.Detail{Title: "title of " + id})
	}
	if err := log.Flush(); err != nil {
		t.Fatal(err)
	}
	entries := func(yield func(document.Entry, error) bool) {
		for _, id := range []string{"c", "unknown", "a", "b"} {
			if !yield(document.Entry{ID: id}, nil) {
				return
			}
		}
	}
	got := ""
	for c, err := range d.join(entries) {
		if err != nil {
			t.Fatal(err)
		}
		got += c.ID + ": " + c.Title + "; "
	}
	if want := "c: title of c; unknown: ; a: title of a; b: title of b; "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
