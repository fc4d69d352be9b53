package run

import (
	"fmt"
	"path/filepath"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/spool"
)

// TestDetails: each change gets its own details, although outcomes come in windows, and in
// each what was not sent before what was. One without details does not get those of another.
func TestDetails(t *testing.T) {
	log, err := spool.OpenLog(filepath.Join(t.TempDir(), "details"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	const n, window = 30_000, 1000
	d := &details{log: log}
	for i := range n {
		log.Append(spool.Encode(detailed{fmt.Sprint(i), report.Detail{Title: fmt.Sprint("title of ", i)}}))
	}
	if err := log.Flush(); err != nil {
		t.Fatal(err)
	}
	entries := func(yield func(document.Entry, error) bool) {
		for from := 0; from < n; from += 2 * window {
			for _, odd := range []int{1, 0} {
				for i := range window {
					if !yield(document.Entry{ID: fmt.Sprint(from + 2*i + odd)}, nil) {
						return
					}
				}
			}
		}
		yield(document.Entry{ID: "unknown"}, nil)
	}
	seen := 0
	for range 2 { // a report reads them more than once
		for c, err := range d.join(entries) {
			if err != nil {
				t.Fatal(err)
			}
			if want := "title of " + c.ID; c.ID != "unknown" && c.Title != want || c.ID == "unknown" && c.Title != "" {
				t.Fatalf("%s has the title %q", c.ID, c.Title)
			}
			seen++
		}
	}
	if seen != 2*(n+1) {
		t.Errorf("%d changes", seen)
	}
}
