package app

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"sitesync/crawl"
)

// TestProgressWithoutATerminal: a line every half a minute, and none with --quiet or
// --no-progress, or before the first half minute is over.
func TestProgressWithoutATerminal(t *testing.T) {
	for name, row := range map[string]struct {
		app    *App
		looked int64
		takes  time.Duration
		want   string
	}{
		"text":          {&App{}, 420, 31 * time.Second, "sitesync: looking: 420 of 2,961 pages, 14 pages/s\n"},
		"slow":          {&App{}, 6, 31 * time.Second, "sitesync: looking: 6 of 2,961 pages, 0.2 pages/s\n"},
		"over at once":  {&App{}, 0, 29 * time.Second, ""},
		"quiet":         {&App{Quiet: true}, 420, 31 * time.Second, ""},
		"--no-progress": {&App{noProgress: true}, 420, 31 * time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				row.app.Stderr = &out
				counts := &crawl.Progress{}
				counts.Found.Store(2961)
				counts.Looked.Store(row.looked)
				stop := row.app.ShowProgress("looking", "page", counts)
				<-time.After(row.takes)
				stop()
				if out.String() != row.want {
					t.Errorf("%q, want %q", &out, row.want)
				}
			})
		})
	}
}
