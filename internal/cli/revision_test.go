package cli_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// TestRevisionRaised: after an older extractor's run every page is read for real, and
// what differs is one mass update, explained in one line.
func TestRevisionRaised(t *testing.T) {
	w := newTown(t)
	w.build(12)
	config := w.configure(t, "raised", w.base, 4)
	w.run(t, 0, "1800000000", "sync", "-c", config)
	n := age(t, filepath.Join(w.dir, "raised.db"))
	want := fmt.Sprintf("rules: extractor changed; documents that differ by that: %d\n", n)
	if out := w.run(t, 0, "1800086400", "sync", "-c", config); !strings.Contains(out, want) || !strings.Contains(out, fmt.Sprintf(": %d changed;", n)) {
		t.Errorf("want %q:\n%s", want, out)
	}
	if out := w.run(t, 0, "1800172800", "sync", "-c", config); !strings.Contains(out, "nothing to do") || strings.Contains(out, "extractor") {
		t.Errorf("the update is told again:\n%s", out)
	}
}

// age makes a ledger what the extractor of the revision before would have left: other
// contents under other fingerprints. It returns how many documents there are.
func age(t *testing.T, path string) (documents int) {
	t.Helper()
	ledger, err := diffstore.Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer ledger.Close()
	var batch document.Batch
	for rec, err := range ledger.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.IsDocument() {
			documents++
			rec.Rules++
			rec.Fields["Title"] = document.HashOf("as it was read before")
			batch.Observed = append(batch.Observed, document.Observation{ID: rec.ID, Next: rec})
		}
	}
	run, _, runErr := ledger.Run("")
	rules, rulesErr := ledger.Rules()
	rules[document.RulesExtractor]--
	if err := errors.Join(runErr, rulesErr, ledger.Step(run.Run, batch), ledger.Finish(document.PlanTrailer{Summary: run, Rules: rules})); err != nil {
		t.Fatal(err)
	}
	return documents
}
