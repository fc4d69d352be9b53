package record_test

import (
	"strings"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/record"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

func put(t *testing.T, b *bus.Bus, r record.Run) {
	t.Helper()
	must(t, record.Put(t.Context(), b, r))
}

func read(t *testing.T, b *bus.Bus, site string) []record.Run {
	t.Helper()
	runs, err := record.Read(t.Context(), b, site)
	must(t, err)
	return runs
}

// A site's runs are its own, the newest first; a damaged record hides no other.
func TestRunsAreReadNewestFirst(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	at := time.Date(2026, 11, 23, 2, 15, 0, 0, time.UTC)
	for i, run := range []string{"A", "B", "C"} {
		put(t, b, record.Run{Site: "town", Result: lease.Result{Run: run, Start: at.Add(time.Duration(i) * time.Hour), Exit: i}})
		put(t, b, record.Run{Site: "village", Result: lease.Result{Run: "of the village", Start: at}})
	}
	put(t, b, record.Run{Site: "town", Result: lease.Result{Run: "C", Start: at.Add(2 * time.Hour), Exit: 2}}) // the answer was lost, it is sent again
	_, err := b.JS.Publish(t.Context(), bus.Run("town"), []byte(`{"run":`))
	must(t, err)
	runs := read(t, b, "town")
	if len(runs) != 3 || runs[0].Run != "C" || runs[0].Exit != 2 || runs[1].Run != "B" || runs[2].Run != "A" {
		t.Errorf("the last three are %+v", runs)
	}
	if runs := read(t, b, "nowhere"); len(runs) != 0 {
		t.Errorf("a site that never ran has %+v", runs)
	}
}

// Whatever a run has to say, its record fits and keeps what matters: the figures, the begin
// and the end of its texts.
func TestLongRecordsFitIntoAMessage(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	long := "begin\n" + strings.Repeat("\x01<ä>\n", 1<<20) + "end\n"
	put(t, b, record.Run{
		Site: "town", Result: lease.Result{Run: "A", Exit: 3, Stopped: long}, Report: long, Log: long,
		Hosts: make([]document.Host, 50_000), Brakes: make([]document.Tripped, 50_000),
	})
	runs := read(t, b, "town")
	if len(runs) != 1 || runs[0].Exit != 3 || len(runs[0].Hosts) == 0 || len(runs[0].Brakes) == 0 {
		t.Fatalf("%d runs are kept", len(runs))
	}
	for _, text := range []string{runs[0].Report, runs[0].Log, runs[0].Stopped} {
		if !strings.HasPrefix(text, "begin\n") || !strings.HasSuffix(text, "end\n") || !strings.Contains(text, " bytes left out …\n") {
			t.Errorf("of a long text %.40q is kept", text)
		}
	}
	if short := "two\nlines\n"; record.Cut(short, 10) != short {
		t.Error("a short text is cut")
	}
}
