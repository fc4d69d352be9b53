package diffstore

import (
	"path/filepath"
	"testing"

	"sitesync/internal/document"
)

// TestBulkBegun: while a bulk delete is not proved, whoever reads the ledger finds every
// document in doubt; the next apply writes it down, window by window, and only for
// documents.
func TestBulkBegun(t *testing.T) {
	const documents = 2*doubtWindow + 7
	path := filepath.Join(t.TempDir(), "sitesync.db")
	ledger, err := Open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	batch := document.Batch{Observed: []document.Observation{{ID: "hub", Next: &document.Record{ID: "hub"}}}}
	for n := range documents {
		id := string(rune('a'+n%26)) + document.HashOf(string(rune(n))).String()
		batch.Observed = append(batch.Observed, document.Observation{ID: id, Next: &document.Record{ID: id, Push: document.PushOK}})
	}
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	count := func(open func(string) (*Ledger, error), want document.Push) {
		t.Helper()
		ledger, err := open(path)
		must(err)
		counts, err := ledger.Count()
		must(err, ledger.Close())
		if counts[want] != documents || counts[document.PushNone] != 1 {
			t.Fatalf("records %v, want all %q", counts, want)
		}
	}
	writable := func(path string) (*Ledger, error) { return Open(path, true) }
	must(ledger.Begin(document.PlanHeader{Target: document.Target{}}), ledger.Step("run-1", batch), ledger.BulkBegun("why"), ledger.Close())
	count(OpenRead, document.PushDoubt)
	count(writable, document.PushDoubt)

	ledger, err = writable(path)
	must(err, ledger.BulkProved(), ledger.Close())
	count(OpenRead, document.PushOK)
	count(writable, document.PushOK)

	ledger, err = writable(path)
	must(err, ledger.BulkBegun("why"), ledger.Close())
	ledger, err = writable(path)
	must(err)
	if known, err := ledger.Acknowledged("", 9); len(known) > 0 || err != nil {
		t.Errorf("%d documents are still believed in (%v)", len(known), err)
	}
	identity, err := ledger.Identity()
	must(err, ledger.Begin(document.PlanHeader{Ledger: identity, Generation: 1}))
	rec, err := ledger.Get(batch.Observed[9].ID)
	must(err, ledger.Close())
	if rec.Reason != "why" {
		t.Errorf("in doubt because %q", rec.Reason)
	}
	count(writable, document.PushDoubt)
	count(OpenRead, document.PushDoubt)
	ledger, err = OpenRead(path)
	must(err)
	defer ledger.Close()
	if ledger.doubt != "" {
		t.Errorf("still %q", ledger.doubt)
	}
}
