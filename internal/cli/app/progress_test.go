package app

import (
	"bytes"
	"testing"
	"time"

	"sitesync/crawl"
)

// TestProgressWithoutATerminal: a line every half a minute, and none with --quiet or
// --no-progress, or before the first half minute is over.
func TestProgressWithoutATerminal(t *testing.T) {
	for name, row := range map[string]struct {
		app    *App
		looked int64
		want   string
	}{
		"text":          {&App{}, 420, "sitesync: looking: 420 of 2,961 pages, 14 pages/s\n"},
		"slow":          {&App{}, 6, "sitesync: looking: 6 of 2,961 pages, 0.2 pages/s\n"},
		"over at once":  {&App{}, 0, ""},
		"quiet":         {&App{Quiet: true}, 420, ""},
		"--no-progress": {&App{noProgress: true}, 420, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			tick := make(chan time.Time)
			row.app.Stderr = &out
			row.app.Tick = func(every time.Duration) (<-chan time.Time, func()) {
				if every != 30*time.Second || row.app.Quiet || row.app.noProgress {
					t.Errorf("ticks every %s", every)
				}
				return tick, func() {}
			}
			counts := &crawl.Progress{}
			counts.Found.Store(2961)
			counts.Looked.Store(row.looked)
			stop := row.app.ShowProgress("looking", "page", counts)
			if row.want != "" {
				tick <- time.Time{}
			}
			stop()
			if out.String() != row.want {
				t.Errorf("%q, want %q", &out, row.want)
			}
		})
	}
}
