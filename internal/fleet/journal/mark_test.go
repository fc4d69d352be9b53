package journal

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/spool"
)

func outcomesOf(all []document.Change, o document.Outcome) (outcomes []document.Outcome) {
	for _, c := range all {
		o.ID = c.ID
		outcomes = append(outcomes, o)
	}
	return outcomes
}

func TestMarksAreSmall(t *testing.T) {
	all := changes(document.Put, 0, maxBatch)
	for most, outcomes := range map[int][]document.Outcome{
		40: outcomesOf(all, document.Outcome{State: document.Acknowledged, By: "row"}),
		90: outcomesOf(all, document.Outcome{State: document.InDoubt, Reason: "no whole answer within 1m0s, and so on and so forth"}),
	} {
		if n := len(spool.Encode(newMark("plan", document.Put, outcomes))); n > most {
			t.Errorf("%d bytes for %d outcomes that are all alike", n, maxBatch)
		}
	}
	long := outcomesOf(all, document.Outcome{State: document.Refused})
	for i := range long {
		long[i].Reason = fmt.Sprint(i, strings.Repeat("é", 1000))
	}
	raw := spool.Encode(newMark("plan", document.Put, long))
	m, err := readMark(raw)
	if err != nil || len(raw) > bus.MaxPart {
		t.Fatalf("%d bytes, %v", len(raw), err)
	}
	got, ok := m.outcomes("plan", document.Put, all)
	if !ok || len(got) != maxBatch || !strings.HasPrefix(long[999].Reason, got[999].Reason) || len(got[999].Reason) < maxReason-1 {
		t.Errorf("read: %v, %q", ok, got[999].Reason)
	}
}

func FuzzMark(f *testing.F) {
	all := changes(document.Put, 0, 9)
	outcomes := outcomesOf(all, document.Outcome{State: document.Acknowledged, By: "row"})
	f.Add(spool.Encode(newMark("plan", document.Put, outcomes)))
	outcomes[3] = answer(all[3].ID)
	outcomes[8] = document.Outcome{ID: all[8].ID, State: document.InDoubt}
	f.Add(spool.Encode(newMark("plan", document.Put, outcomes)))
	f.Add([]byte("\x82\x40\x81\x84\x1b\x7f\xff\xff\xff\xff\xff\xff\xff\x6cacknowledged\x60\x60"))
	f.Add([]byte("\xf7"))
	f.Add([]byte("\x9b\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := readMark(raw)
		if err != nil {
			return
		}
		n := 0
		for _, r := range m.Rows {
			n += r.N
		}
		of := changes(document.Put, 0, n)
		outcomes, _ := m.outcomes("plan", document.Put, of)
		again, err := readMark(spool.Encode(newMark("plan", document.Put, outcomes)))
		if err != nil {
			t.Fatalf("%+v is not read again: %v", m, err)
		}
		same, ok := again.outcomes("plan", document.Put, of)
		if !ok || !reflect.DeepEqual(same, outcomes) {
			t.Errorf("%v is read as %v", outcomes, same)
		}
	})
}
