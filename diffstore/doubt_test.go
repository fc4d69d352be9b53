package diffstore_test

import (
	"maps"
	"testing"

	"sitesync/internal/document"
)

func TestTakeOver(t *testing.T) {
	ledger := variety(t)
	taken, err := ledger.TakeOver([]string{"ok", "refused", "hub", "never-held", "unknown"}, "adopted")
	if err != nil || taken != 3 {
		t.Errorf("%d taken over, %v", taken, err)
	}
	want := map[string]string{"hub": "adopted", "never-held": "adopted", "unknown": "adopted"}
	if got := inDoubt(t, ledger); !maps.Equal(got, want) {
		t.Errorf("in doubt %v", got)
	}
	if rec := get(t, ledger, "unknown"); !rec.Acknowledged() || rec.Type != document.PageContent {
		t.Errorf("it counts in no share: %+v", rec)
	}
	if rec := get(t, ledger, "hub"); rec.Hints.ETag != "e" || !rec.IsDocument() {
		t.Errorf("it forgot what was known: %+v", rec)
	}
}

// What was found altered is repaired; what was only not told is in doubt; a record
// that changed in the meantime stays.
func TestMarkFound(t *testing.T) {
	ledger := variety(t)
	step(t, ledger, "run-1", document.Batch{Observed: []document.Observation{{ID: "told", Next: record(3)}}})
	before, _ := ledger.Generation()
	if err := ledger.MarkFound(nil); err != nil {
		t.Error(err)
	}
	if now, _ := ledger.Generation(); now != before {
		t.Error("nothing was found, and the ledger moved on")
	}
	var findings []document.Finding
	for id, found := range map[string]document.Found{"ok": document.FoundAltered, "told": document.FoundUnknown, "refused": document.FoundMissing, "gone": document.FoundMissing} {
		findings = append(findings, document.Finding{ID: id, Found: found, Reason: string(found)})
	}
	if err := ledger.MarkFound(findings); err != nil {
		t.Fatal(err)
	}
	if got := inDoubt(t, ledger); !maps.Equal(got, map[string]string{"ok": "altered", "told": "unknown"}) {
		t.Errorf("in doubt %v", got)
	}
	if !get(t, ledger, "ok").Repair || get(t, ledger, "told").Repair {
		t.Error("only what differs is repaired")
	}
	if rec, err := ledger.Get("gone"); rec != nil || err != nil {
		t.Errorf("a record was made: %+v, %v", rec, err)
	}
	c := change(document.Put, "ok", titled("ok"))
	send(t, ledger, "run-2", document.Acknowledged, "", c)
	if rec := get(t, ledger, "ok"); rec.Repair || rec.Push != document.PushOK {
		t.Errorf("repaired, and still to be: %+v", rec)
	}
}

func TestAcknowledged(t *testing.T) {
	path := newPath(t)
	fill(t, path)
	ledger := open(t, path, true)
	after, n := "", 0
	for {
		records, err := ledger.Acknowledged(after, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(records) == 0 {
			break
		}
		for _, rec := range records {
			if rec.ID != pageID(n) || rec.Fields == nil {
				t.Fatalf("record %d is %+v", n, rec)
			}
			n++
		}
		after = records[len(records)-1].ID
		if err := ledger.MarkDoubt([]string{after}, "written meanwhile", false); err != nil {
			t.Fatal(err)
		}
	}
	if n != filled-1 {
		t.Errorf("%d records, want %d", n, filled-1)
	}
}
