package diffstore_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"sitesync/internal/document"
)

const url = "https://www.example.com/a"

// before are the states in which a record may be met.
func before(push document.Push) *document.Record {
	if push == document.PushNone {
		return nil
	}
	rec := *change(document.Put, url, titled("old")).Next
	rec.Push, rec.By = push, ""
	if push == document.PushRefused {
		rec.Strikes, rec.Since, rec.Reason, rec.Maybe = 1, "run-0", "no", true
	}
	return &rec
}

// Invariant 1: a record is ok only after the service acknowledged its document. Each row goes from a state to
// in doubt, when its change is begun, and from there to the state that the outcome says.
func TestOKOnlyWhenAcknowledged(t *testing.T) {
	next := &document.Record{ID: url, Canonical: pageID(1)}
	tests := []struct {
		name    string
		before  document.Push
		op      document.Op
		outcome document.State
		next    *document.Record // of a delete
		want    document.Push
		strikes int
		since   string
		reason  string
		holds   string // Title that the record describes; empty: nothing
	}{
		{"new", document.PushNone, document.Put, document.Acknowledged, nil, document.PushOK, 0, "", "", "new"},
		{"new, refused", document.PushNone, document.Put, document.Refused, nil, document.PushRefused, 1, "run-1", "why", ""},
		{"new, no answer", document.PushNone, document.Put, document.InDoubt, nil, document.PushDoubt, 0, "", "why", ""},
		{"changed", document.PushOK, document.Patch, document.Acknowledged, nil, document.PushOK, 0, "", "", "new"},
		{"changed, refused", document.PushOK, document.Patch, document.Refused, nil, document.PushRefused, 1, "run-1", "why", "old"},
		{"changed, no answer", document.PushOK, document.Patch, document.InDoubt, nil, document.PushDoubt, 0, "", "why", "old"},
		{"doubt settled", document.PushDoubt, document.Put, document.Acknowledged, nil, document.PushOK, 0, "", "", "new"},
		{"doubt stays", document.PushDoubt, document.Put, document.InDoubt, nil, document.PushDoubt, 0, "", "why", "old"},
		{"second refusal", document.PushRefused, document.Put, document.Refused, nil, document.PushRefused, 2, "run-0", "why", "old"},
		{"refusal, no answer", document.PushRefused, document.Put, document.InDoubt, nil, document.PushDoubt, 1, "run-0", "why", "old"},
		{"accepted at last", document.PushRefused, document.Put, document.Acknowledged, nil, document.PushOK, 0, "", "", "new"},
		{"deleted", document.PushOK, document.Delete, document.Acknowledged, nil, "removed", 0, "", "", ""},
		{"deleted, URL stays", document.PushOK, document.Delete, document.Acknowledged, next, document.PushNone, 0, "", "", ""},
		{"delete refused", document.PushOK, document.Delete, document.Refused, nil, document.PushRefused, 1, "run-1", "why", "old"},
		{"delete, no answer", document.PushOK, document.Delete, document.InDoubt, next, document.PushDoubt, 0, "", "why", "old"},
		{"outcome that is none", document.PushOK, document.Put, document.Planned, nil, document.PushDoubt, 0, "", "why", "old"},
		{"no outcome", document.PushNone, document.Put, "", nil, document.PushDoubt, 0, "", "why", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ledger := newLedger(t)
			if rec := before(test.before); rec != nil {
				step(t, ledger, "run-0", document.Batch{Observed: []document.Observation{{ID: url, Next: rec}}})
			}
			c := change(test.op, url, titled("new"))
			if test.op == document.Delete {
				c.Next = test.next
			} else {
				c.Next.Push = document.PushNone // what the plan says is not what makes a record ok
			}
			step(t, ledger, "run-1", document.Batch{Intents: []document.Change{c}})
			begun := get(t, ledger, url)
			if begun.Push != document.PushDoubt || !strings.Contains(begun.Reason, string(test.op)) || !strings.Contains(begun.Reason, "run-1") {
				t.Errorf("begun: %q, %q", begun.Push, begun.Reason)
			}
			step(t, ledger, "run-1", document.Batch{Settled: []document.Settled{settled(c, test.outcome, "why")}})
			if test.want == "removed" {
				if rec, err := ledger.Get(url); rec != nil || err != nil {
					t.Errorf("record %+v, %v", rec, err)
				}
				return
			}
			rec := get(t, ledger, url)
			if by := rec.By; (by == "row") != (rec.Push == document.PushOK) {
				t.Errorf("acknowledged by %q", by)
			}
			if rec.Push != test.want || rec.Strikes != test.strikes || rec.Since != test.since || rec.Reason != test.reason {
				t.Errorf("push %q, %d strikes since %q, reason %q", rec.Push, rec.Strikes, rec.Since, rec.Reason)
			}
			if holds := rec.Fields["Title"]; test.holds == "" && !holds.IsZero() || test.holds != "" && holds != document.HashOf(test.holds) {
				t.Errorf("fields %v", rec.Fields)
			}
		})
	}
}

// TestIntentKeepsFirst: what a document took from elsewhere is frozen when its first
// push is begun, not when it is acknowledged: after a crash it is the same document.
func TestIntentKeepsFirst(t *testing.T) {
	ledger := newLedger(t)
	c := change(document.Put, url, titled("new"))
	c.Next.First = document.First{Lastmod: 7, From: pageID(1)}
	step(t, ledger, "run-1", document.Batch{Intents: []document.Change{c}})
	rec, err := ledger.Get(url)
	if err != nil || rec.Push != document.PushDoubt || rec.First != c.Next.First {
		t.Errorf("got %+v, %v", rec, err)
	}
}

// TestMayHold: the index may hold what was sent without an answer, or what it held
// before, and a refusal of the next call does not undo that; a document that was
// only ever refused is none.
func TestMayHold(t *testing.T) {
	const intent = document.State("intent alone, as after a kill")
	tests := []struct {
		states []document.State // of one call after the other
		want   bool
	}{
		{[]document.State{document.Refused}, false},
		{[]document.State{document.Refused, document.Refused}, false},
		{[]document.State{intent}, true},
		{[]document.State{document.InDoubt}, true},
		{[]document.State{document.Acknowledged, document.Refused}, true},
		{[]document.State{document.InDoubt, document.Refused}, true},
		{[]document.State{intent, document.Refused}, true},
		{[]document.State{document.Refused, document.InDoubt, document.Refused, document.Refused}, true},
		{[]document.State{document.Refused, intent, document.Refused}, true},
	}
	for _, test := range tests {
		for _, last := range []document.Op{document.Put, document.Delete} {
			ledger := newLedger(t)
			for n, state := range test.states {
				c := change(document.Put, url, titled("new"))
				if n == len(test.states)-1 && n > 0 {
					c = change(last, url, titled("new"))
				}
				step(t, ledger, "run", document.Batch{Intents: []document.Change{c}})
				if state != intent {
					step(t, ledger, "run", document.Batch{Settled: []document.Settled{settled(c, state, "why")}})
				}
			}
			if rec := get(t, ledger, url); rec.IsDocument() != test.want {
				t.Errorf("%v, the last of them a %s: is a document: %v", test.states, last, rec.IsDocument())
			}
		}
	}
}

func TestText(t *testing.T) {
	put := func(title string) document.Change { return change(document.Put, url, titled(title)) }
	patch := change(document.Patch, url, map[string]string{"Title": "patched", "Extra": "new\nfield"})
	retyped := patch
	retyped.Doc = json.RawMessage(strings.Replace(string(patch.Doc), "PageContent", "FileContent", 1))
	patched := titled("old")
	maps.Copy(patched, fieldsOf(patch))
	plain := document.Observation{ID: url, Next: &document.Record{ID: url, Canonical: pageID(1)}}
	missed := document.Observation{ID: url, Next: before(document.PushOK)}
	tests := []struct {
		name  string
		steps []document.Batch
		want  map[string]string // nil: none
		kind  document.Type
	}{
		{"none", nil, nil, ""},
		{"put", []document.Batch{acknowledged(put("old"))}, titled("old"), document.PageContent},
		{"put again", []document.Batch{acknowledged(put("old")), acknowledged(put("new"))}, titled("new"), document.PageContent},
		{"patch", []document.Batch{acknowledged(put("old")), acknowledged(patch)}, patched, document.PageContent},
		{"patch of the type", []document.Batch{acknowledged(put("old")), acknowledged(retyped)}, patched, document.FileContent},
		{"patch of a text that is not kept", []document.Batch{acknowledged(patch)}, nil, ""},
		{"intent", []document.Batch{acknowledged(put("old")), {Intents: []document.Change{put("new")}}}, titled("old"), document.PageContent},
		{"refused", []document.Batch{acknowledged(put("old")), {Settled: []document.Settled{settled(put("new"), document.Refused, "")}}}, titled("old"), document.PageContent},
		{"in doubt", []document.Batch{acknowledged(put("old")), {Settled: []document.Settled{settled(put("new"), document.InDoubt, "")}}}, titled("old"), document.PageContent},
		{"deleted", []document.Batch{acknowledged(put("old")), acknowledged(change(document.Delete, url, nil))}, nil, ""},
		{"no document any more", []document.Batch{acknowledged(put("old")), {Observed: []document.Observation{plain}}}, nil, ""},
		{"missed once", []document.Batch{acknowledged(put("old")), {Observed: []document.Observation{missed}}}, titled("old"), document.PageContent},
		{"record removed", []document.Batch{acknowledged(put("old")), {Observed: []document.Observation{{ID: url}}}}, nil, ""},
		{"one megabyte", []document.Batch{acknowledged(put(strings.Repeat("Æ\n", 1<<19)))}, titled(strings.Repeat("Æ\n", 1<<19)), document.PageContent},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ledger := newLedger(t)
			for _, batch := range test.steps {
				step(t, ledger, "run-1", batch)
			}
			doc, found, err := ledger.Text(url)
			if err != nil || found != (test.want != nil) || !maps.Equal(doc.Fields, test.want) || doc.Type != test.kind {
				t.Errorf("text %.200v, %v, %v", doc, found, err)
			}
			if found && doc.ID != url {
				t.Errorf("ID %q", doc.ID)
			}
		})
	}
}

func acknowledged(changes ...document.Change) document.Batch {
	var batch document.Batch
	for _, c := range changes {
		batch.Settled = append(batch.Settled, settled(c, document.Acknowledged, ""))
	}
	return batch
}

// TestKeepTextOff: text that is not kept is not told, not even the one kept before
// the owner turned it off, which the index has no longer.
func TestKeepTextOff(t *testing.T) {
	path := newPath(t)
	for _, test := range []struct {
		keep  bool
		title string
		found bool
	}{{false, "first", false}, {true, "second", true}, {false, "third", false}} {
		ledger := open(t, path, test.keep)
		step(t, ledger, "run-1", acknowledged(change(document.Put, url, titled(test.title))))
		doc, found, err := ledger.Text(url)
		if err != nil || found != test.found || found && doc.Fields["Title"] != test.title {
			t.Errorf("%s: text %v, %v, %v", test.title, doc, found, err)
		}
		if hash := get(t, ledger, url).Fields["Title"]; hash != document.HashOf(test.title) {
			t.Errorf("%s: the record describes another document", test.title)
		}
		if err := ledger.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStepOneTransaction: a batch that can't be written whole is not written at all.
func TestStepOneTransaction(t *testing.T) {
	ledger := newLedger(t)
	bad := change(document.Put, "", titled("x")) // an empty key is no key
	err := ledger.Step("run-1", document.Batch{Settled: []document.Settled{
		settled(change(document.Put, url, titled("x")), document.Acknowledged, ""), settled(bad, document.Acknowledged, ""),
	}})
	if err == nil {
		t.Fatal("a record without ID was written")
	}
	if rec, err := ledger.Get(url); rec != nil || err != nil {
		t.Errorf("half a batch was written: %+v, %v", rec, err)
	}
}
