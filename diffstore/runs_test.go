package diffstore_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"sitesync/diffstore"
	"sitesync/internal/document"
)

// begin is when the first run of a test starts.
const begin = 1_700_000_000

func TestApprovals(t *testing.T) {
	ledger := newLedger(t)
	held := change(document.Delete, url, nil)
	update := document.Entry{Op: document.Patch, Cause: document.CauseChanged, ID: url + "update"}
	approved := func(op document.Op, cause document.Cause, id string, brake document.Brake) bool {
		t.Helper()
		yes, err := ledger.Approved(&document.Entry{Op: op, Cause: cause, ID: id, Evidence: "other evidence", Brake: brake})
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	if err := ledger.Approve([]document.Entry{held.Entry(document.Held, ""), update}, false); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		op    document.Op
		cause document.Cause
		id    string
		brake document.Brake
		want  bool
	}{
		{document.Delete, document.CauseGone, url, "", true},
		{document.Delete, document.CauseMissing, url, "", false},
		{document.Put, document.CauseGone, url, "", false},
		{document.Delete, document.CauseGone, url + "/", "", false},
		{document.Delete, document.CauseGone, "", "", false},
		{document.Patch, document.CauseChanged, update.ID, "", true},
		{document.Put, document.CauseInDoubt, update.ID, "", true}, // after a kill
		{document.Delete, document.CauseChanged, update.ID, "", false},
		{document.Put, document.CauseChanged, url, "", false},
		{document.Delete, document.CauseGone, url, document.BrakeTotal, true},
		{document.Delete, document.CauseGone, url, document.BrakeHost, true}, // whatever holds it next
	} {
		if got := approved(test.op, test.cause, test.id, test.brake); got != test.want {
			t.Errorf("%s of %q, %s: approved %v", test.op, test.id, test.cause, got)
		}
	}
	for n, test := range []struct {
		summary document.Summary
		want    bool // is still approved
	}{
		{document.Summary{Complete: false}, true},
		{document.Summary{Complete: true, Stopped: "three failed batches"}, true},
		{document.Summary{Complete: false, Stopped: "interrupted"}, true},
		{document.Summary{Complete: true}, false},
	} {
		test.summary.Run, test.summary.Start = fmt.Sprint("run-", n), begin
		finish(t, ledger, test.summary)
		if got := approved(document.Delete, document.CauseGone, url, ""); got != test.want {
			t.Errorf("after a run with %+v: approved %v", test.summary, got)
		}
	}
	if err := ledger.Approve([]document.Entry{held.Entry(document.Held, "")}, false); err != nil || !approved(document.Delete, document.CauseGone, url, "") {
		t.Errorf("approved again: %v", err)
	}
}

// TestFinishAdds: origins that were approved, and retention rules that had an effect, add up.
func TestFinishAdds(t *testing.T) {
	ledger := newLedger(t)
	site := testTarget().Origins[0]
	for _, test := range []struct{ origins, wantOrigins, rules, wantRules []string }{
		{nil, []string{site}, nil, nil},
		{[]string{site}, []string{site}, []string{"b", "a"}, []string{"a", "b"}},
		{[]string{"https://b", "https://a", "https://b"}, []string{"https://a", "https://b", site}, nil, []string{"a", "b"}},
		{nil, []string{"https://a", "https://b", site}, []string{"b", "c"}, []string{"a", "b", "c"}},
	} {
		trailer := document.PlanTrailer{Summary: document.Summary{Run: "run", Start: begin}, Origins: test.origins, Retention: test.rules}
		err := ledger.Finish(trailer)
		rules, rulesErr := ledger.Retention()
		target, _, targetErr := ledger.Target()
		want := testTarget()
		want.Origins = test.wantOrigins
		if errors.Join(err, rulesErr, targetErr) != nil || !slices.Equal(rules, test.wantRules) || !reflect.DeepEqual(target, want) {
			t.Errorf("%q, %+v, %v; expected %q, %q", rules, target, err, test.wantRules, test.wantOrigins)
		}
	}
}

func runsOf(t *testing.T, ledger *diffstore.Ledger) []string {
	t.Helper()
	var runs []string
	for run, err := range ledger.Runs() {
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run.Run)
	}
	return runs
}

func idsOf(t *testing.T, ledger *diffstore.Ledger, run string) []string {
	t.Helper()
	var ids []string
	for entry, err := range ledger.Entries(run) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, entry.ID)
	}
	return ids
}

func TestRuns(t *testing.T) {
	ledger := newLedger(t)
	full := document.Summary{
		Run: "run-2", Start: begin + 60, Complete: true, New: 4, Stopped: "why",
		Hosts:  []document.Host{{Host: "https://a.example", State: document.HostOK, Covered: true, Asked: 3}},
		Counts: document.Counts{Discovered: 7, Put: 1}, Sitemap: document.SitemapDiff{Added: 2},
	}
	for _, summary := range []document.Summary{full, {Run: "run-1", Start: begin}, {Run: "run-10", Start: begin}} {
		finish(t, ledger, summary)
	}
	if runs := runsOf(t, ledger); !slices.Equal(runs, []string{"run-10", "run-1", "run-2"}) {
		t.Errorf("runs %v", runs)
	}
	for id, want := range map[string]string{"": "run-10", "run-2": "run-2", "run-1": "run-1", "run-3": ""} {
		run, found, err := ledger.Run(id)
		if err != nil || found != (want != "") || run.Run != want {
			t.Errorf("Run(%q) = %+v, %v, %v", id, run, found, err)
		}
	}
	full.Number = 1
	if run, _, err := ledger.Run("run-2"); err != nil || !reflect.DeepEqual(run, full) {
		t.Errorf("got %+v, %v", run, err)
	}
}

// TestRunsKept: history reaches back 90 days from the start of the run that ends,
// its changes with it, and those of runs that never ended too.
func TestRunsKept(t *testing.T) {
	const day = int64(24 * time.Hour / time.Second)
	ledger := newLedger(t)
	entry := func(run string) {
		step(t, ledger, run, document.Batch{Noted: []document.Entry{{ID: run}}})
	}
	for _, run := range []string{"run-0-killed", "run-1", "run-2", "run-20"} {
		entry(run)
	}
	finish(t, ledger, document.Summary{Run: "run-1", Start: begin})
	finish(t, ledger, document.Summary{Run: "run-2", Start: begin + 1})
	finish(t, ledger, document.Summary{Run: "run-20", Start: begin + day})
	if runs := runsOf(t, ledger); len(runs) != 3 {
		t.Fatalf("dropped too early: %v", runs)
	}
	entry("run-3")
	finish(t, ledger, document.Summary{Run: "run-3", Start: begin + 1 + 90*day})
	if runs := runsOf(t, ledger); !slices.Equal(runs, []string{"run-3", "run-20", "run-2"}) {
		t.Errorf("kept %v", runs)
	}
	for run, want := range map[string]int{"run-0-killed": 0, "run-1": 0, "run-2": 1, "run-20": 1, "run-3": 1} {
		if ids := idsOf(t, ledger, run); len(ids) != want {
			t.Errorf("%s: changes %v", run, ids)
		}
	}
}

// TestEntriesOrder: the history of a run is told in the order in which it was done,
// and of that run alone.
func TestEntriesOrder(t *testing.T) {
	ledger := newLedger(t)
	var want []string
	for n := range 25 {
		c := change(document.Put, pageID(99-n), titled("x"))
		step(t, ledger, "run-1", acknowledged(c))
		step(t, ledger, "run-10", acknowledged(change(document.Put, pageID(n), titled("y"))))
		want = append(want, c.ID)
	}
	two := acknowledged(change(document.Put, pageID(8), titled("x")), change(document.Put, pageID(7), titled("x")))
	step(t, ledger, "run-1", two)
	want = append(want, pageID(8), pageID(7))
	if got := idsOf(t, ledger, "run-1"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for range ledger.Entries("run-1") {
		break // and the ledger can still be used
	}
	if got := idsOf(t, ledger, "run"); len(got) != 0 {
		t.Errorf("changes of another run: %v", got)
	}
}

func TestEntriesTell(t *testing.T) {
	ledger := newLedger(t)
	c := change(document.Patch, url, titled("x"))
	c.Fields, c.Evidence, c.Brake = []string{"Title"}, "evidence — ø", document.BrakeTotal
	step(t, ledger, "run-1", document.Batch{
		Settled: []document.Settled{settled(c, document.Refused, "because")},
		Noted:   []document.Entry{c.Entry(document.Held, "")},
	})
	want := []document.Entry{c.Entry(document.Held, ""), c.Entry(document.Refused, "because")}
	var got []document.Entry
	for entry, err := range ledger.Entries("run-1") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, entry)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestRecords(t *testing.T) {
	ledger := variety(t)
	var ids []string
	for rec, err := range ledger.Records() {
		if err != nil || (len(rec.Fields) > 0) != (rec.ID == "ok" || rec.ID == "refused") {
			t.Errorf("%+v, %v", rec, err)
		}
		ids = append(ids, rec.ID)
	}
	if !slices.Equal(ids, []string{"hub", "never-held", "ok", "refused"}) {
		t.Errorf("visited %v", ids)
	}
	for rec, err := range ledger.Briefs() {
		if err != nil || rec.ID != "hub" || rec.Fields != nil {
			t.Errorf("%+v, %v", rec, err)
		}
		break
	}
	want := map[document.Push]int{document.PushOK: 1, document.PushRefused: 2, document.PushNone: 1}
	if counts, err := ledger.Count(); err != nil || !reflect.DeepEqual(counts, want) {
		t.Errorf("counts %v, %v", counts, err)
	}
}

// TestReadWhileWriting reads from many goroutines while one writes.
func TestReadWhileWriting(t *testing.T) {
	ledger := newLedger(t)
	step(t, ledger, "run-1", acknowledged(change(document.Put, pageID(0), titled("0"))))
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 20 {
				if err := readEverything(ledger); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range 20 {
		step(t, ledger, "run-1", acknowledged(change(document.Put, pageID(n), titled(fmt.Sprint(n)))))
	}
	readers.Wait()
}

// TestRunsOfAWrongClock: one night with the clock two years ahead drops no run, and stands
// in its place in the history; so does what was sent that night and later.
func TestRunsOfAWrongClock(t *testing.T) {
	const day = int64(24 * time.Hour / time.Second)
	ledger := newLedger(t)
	for _, summary := range []document.Summary{
		{Run: "26-a", Start: begin},
		{Run: "28-b", Start: begin + 730*day, ClockOff: true},
		{Run: "26-c", Start: begin + 2*day, ClockOff: true},
		{Run: "26-d", Start: begin + 3*day},
	} {
		step(t, ledger, summary.Run, document.Batch{Noted: []document.Entry{{ID: summary.Run}}})
		finish(t, ledger, summary)
	}
	if runs := runsOf(t, ledger); !slices.Equal(runs, []string{"26-d", "26-c", "28-b", "26-a"}) {
		t.Errorf("runs %v", runs)
	}
	for _, run := range runsOf(t, ledger) {
		if ids := idsOf(t, ledger, run); !slices.Equal(ids, []string{run}) {
			t.Errorf("%s: changes %v", run, ids)
		}
	}
	if err := ledger.Note(document.Summary{Run: "29-e", Start: begin + 1000*day, ClockOff: true}); err != nil {
		t.Fatal(err)
	}
	for run, err := range ledger.History() {
		if err != nil || run.Run != "29-e" || run.Number != 5 {
			t.Errorf("the last run is %+v, %v", run, err)
		}
		break
	}
}

// TestApprovalNamesAChange: an approval of an update is for the text that was shown; one that is
// still held stays; one that was withdrawn is gone.
func TestApprovalNamesAChange(t *testing.T) {
	ledger := newLedger(t)
	entry := func(id string, text document.Print) document.Entry {
		return document.Entry{Op: document.Patch, ID: id, Cause: document.CauseChanged, State: document.Held, Print: text}
	}
	approved := func(id string, text document.Print) bool {
		e := entry(id, text)
		e.Op = document.Put
		yes, err := ledger.Approved(&e)
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	if err := ledger.Approve([]document.Entry{entry("a", 0xff), entry("b", 0), entry("c", 1)}, false); err != nil {
		t.Fatal(err)
	}
	if !approved("a", 0xfe) || approved("a", 0xffffffffff) || !approved("b", 0) || approved("b", 1) {
		t.Error("an approval is for a text like the one that was shown")
	}
	finish(t, ledger, document.Summary{Run: "run-0", Start: begin, Complete: true, Part: true})
	if !approved("a", 0xff) || !approved("b", 0) {
		t.Error("a run of a part of the site says nothing of the rest")
	}
	step(t, ledger, "run-1", document.Batch{Noted: []document.Entry{entry("a", 0xff), entry("c", 1)}})
	finish(t, ledger, document.Summary{Run: "run-1", Start: begin, Complete: true})
	if !approved("a", 0xff) || approved("b", 0) {
		t.Error("after a complete run an approval stands as long as its change is held")
	}
	if err := ledger.Approve([]document.Entry{entry("a", 0xff)}, true); err != nil || approved("a", 0xff) || !approved("c", 1) {
		t.Errorf("withdrawn: %v", err)
	}
}
