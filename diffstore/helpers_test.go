package diffstore_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"sitesync/diffstore"
	"sitesync/internal/document"
	"sitesync/internal/testsite/inmemory"
)

// roleVariable makes the test binary play a part of its own when a test runs it
// once more: what must be killed can't happen in the test's process.
const roleVariable = "DIFFSTORE_TEST_ROLE"

func TestMain(m *testing.M) {
	if len(os.Args) >= 3 && os.Args[1] == diffstore.Argument {
		if filepath.Base(os.Args[2]) == endless {
			much := bytes.Repeat([]byte("much"), 80<<20)
			_, _ = os.Stdin.Read(much)
		}
		if err := diffstore.Serve(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		syscall.Exit(0) // at once: the race detector waits a second in os.Exit
	}
	switch os.Getenv(roleVariable) {
	case "":
		inmemory.Folders()
		os.Exit(m.Run())
	case "write":
		os.Exit(writeForever(os.Args[1], os.Args[2]))
	}
	os.Exit(2)
}

func testTarget() document.Target {
	return document.Target{Base: "https://api.example.com", Customer: 10000001, Crawler: "c1", Origins: []string{"https://www.example.com"}}
}

// newPath returns a ledger's path in a folder that does not exist yet.
func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "sub", "sitesync.db") }

func open(t testing.TB, path string, keepText bool) *diffstore.Ledger {
	t.Helper()
	ledger, err := diffstore.Open(path, keepText)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ledger.Close() })
	return ledger
}

// newLedger returns an empty ledger that an apply was begun in.
func newLedger(t testing.TB) *diffstore.Ledger {
	t.Helper()
	ledger := open(t, newPath(t), true)
	if err := beginIn(ledger, 0, testTarget()); err != nil {
		t.Fatal(err)
	}
	return ledger
}

// beginIn begins a plan of the very ledger.
func beginIn(ledger *diffstore.Ledger, generation uint64, target document.Target) error {
	identity, err := ledger.Identity()
	if err != nil {
		return err
	}
	return ledger.Begin(document.PlanHeader{Ledger: identity, Generation: generation, Target: target})
}

func pageID(n int) string { return fmt.Sprintf("https://www.example.com/page/%04d", n) }

// change returns a change that sends a document of these fields; a delete takes
// none.
func change(op document.Op, id string, fields map[string]string) document.Change {
	c := document.Change{Op: op, ID: id, Type: document.PageContent, Cause: document.CauseNew, State: document.Planned}
	if op == document.Delete {
		c.Cause = document.CauseGone
		return c
	}
	doc := document.Document{ID: id, Type: document.PageContent, Fields: fields}
	c.Doc = doc.Wire()
	c.Next = &document.Record{
		ID: id, Type: doc.Type, Fields: doc.FieldHashes(), Content: document.HashOf(fields["Content"]),
		Length: len(fields["Content"]), Rules: 1<<63 + 7, Hints: document.Hints{ETag: `"` + fields["Title"] + `"`},
		Fetched: 1_700_000_000, Push: document.PushOK,
	}
	return c
}

// fieldsOf returns the fields that a change sends.
func fieldsOf(c document.Change) map[string]string {
	var doc document.Document
	if err := json.Unmarshal(c.Doc, &doc); err != nil {
		panic(err)
	}
	return doc.Fields
}

func titled(title string) map[string]string {
	return map[string]string{"Title": title, "Content": "The content of " + title, "Url": "/"}
}

func step(t testing.TB, ledger *diffstore.Ledger, run string, batch document.Batch) {
	t.Helper()
	if err := ledger.Step(run, batch); err != nil {
		t.Fatal(err)
	}
}

func settled(c document.Change, state document.State, reason string) document.Settled {
	outcome := document.Outcome{ID: c.ID, State: state, Reason: reason}
	if state == document.Acknowledged {
		outcome.By = "row"
	}
	return document.Settled{Change: c, Outcome: outcome}
}

// send steps through the life of changes: the intents, then the outcome.
func send(t testing.TB, ledger *diffstore.Ledger, run string, state document.State, reason string, changes ...document.Change) {
	t.Helper()
	step(t, ledger, run, document.Batch{Intents: changes})
	var batch document.Batch
	for _, c := range changes {
		batch.Settled = append(batch.Settled, settled(c, state, reason))
	}
	step(t, ledger, run, batch)
}

// get returns a record, which must be there.
func get(t testing.TB, ledger *diffstore.Ledger, id string) *document.Record {
	t.Helper()
	rec, err := ledger.Get(id)
	if err != nil || rec == nil {
		t.Fatalf("Get(%s) = %v, %v", id, rec, err)
	}
	return rec
}

func record(n int) *document.Record {
	fields := titled(fmt.Sprint(n))
	return change(document.Put, pageID(n), fields).Next
}

// filled is how many records fill writes.
const filled = 61

// fill writes a ledger with documents, other records, runs and approvals at path:
// enough for a tree of several pages.
func fill(t testing.TB, path string) {
	t.Helper()
	ledger := open(t, path, true)
	if err := beginIn(ledger, 0, testTarget()); err != nil {
		t.Fatal(err)
	}
	var batch document.Batch
	for n := range filled - 1 {
		c := change(document.Put, pageID(n), titled(fmt.Sprint("Page ", n)))
		batch.Settled = append(batch.Settled, settled(c, document.Acknowledged, ""))
	}
	batch.Observed = []document.Observation{{ID: "https://www.example.com/hub", Next: &document.Record{}}}
	held := change(document.Delete, pageID(3), nil)
	batch.Noted = []document.Entry{held.Entry(document.Held, "")}
	step(t, ledger, "run-1", batch)
	if err := ledger.Approve(batch.Noted, false); err != nil {
		t.Fatal(err)
	}
	finish(t, ledger, document.Summary{Run: "run-1", Start: 1_700_000_000})
	if err := ledger.Close(); err != nil {
		t.Fatal(err)
	}
}

func finish(t testing.TB, ledger *diffstore.Ledger, summary document.Summary) {
	t.Helper()
	hosts := map[string]document.HostMemory{"https://www.example.com": {Sitemap: 60}}
	if err := ledger.Finish(document.PlanTrailer{Summary: summary, Hosts: hosts}); err != nil {
		t.Fatal(err)
	}
}
