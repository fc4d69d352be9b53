package apply_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"sitesync/internal/apply"
	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/testsite/strike"
	"sitesync/push"
)

// verifyRig is a service that holds documents, the records that say so, and a client.
type verifyRig struct {
	t       *testing.T
	service *service.Service
	panel   *strike.Panel
	client  *push.Client
	records []*document.Record

	found   map[document.Found]int
	marked  int
	onFound func()
}

func verifyID(n int) string { return fmt.Sprintf("https://www.example.com/%04d", n) }

func verifyDoc(n int) document.Document {
	return document.Document{ID: verifyID(n), Type: document.PageContent, Fields: map[string]string{"Title": fmt.Sprint("Page ", n), "Url": verifyID(n)}}
}

func newVerifyRig(t *testing.T, n int) *verifyRig {
	local, err := service.Open(service.Options{Path: filepath.Join(t.TempDir(), "service.db"), APIKey: "key"})
	if err != nil {
		t.Fatal(err)
	}
	panel := strike.New(local)
	server := httptest.NewServer(panel)
	t.Cleanup(func() { server.Close(); local.Close() })
	r := &verifyRig{t: t, service: local, panel: panel, found: map[document.Found]int{}}
	r.client = push.New(push.Options{BaseURL: server.URL, Customer: 1, Crawler: "c", Key: "key"})
	for i := range n {
		doc := verifyDoc(i)
		r.records = append(r.records, &document.Record{ID: doc.ID, Type: doc.Type, Fields: doc.FieldHashes(), Push: document.PushOK, Fetched: int64(i)})
	}
	r.send(document.Put, 0, n)
	return r
}

// send puts or deletes the documents from one number to another.
func (r *verifyRig) send(op document.Op, from, to int) {
	r.t.Helper()
	var changes []document.Change
	for n := from; n < to; n++ {
		changes = append(changes, document.Change{Op: op, ID: verifyID(n), Doc: verifyDoc(n).Wire()})
	}
	if err := r.client.Apply(r.t.Context(), op, changes, func([]document.Outcome) error { return nil }); err != nil {
		r.t.Fatal(err)
	}
}

func (r *verifyRig) holds() int {
	docs, err := r.service.Documents(1, "c")
	if err != nil {
		r.t.Fatal(err)
	}
	return len(docs)
}

// verify asks for all records, those from fresh on being fresh.
func (r *verifyRig) verify(ctx context.Context, fresh int, repair bool) error {
	clear(r.found)
	r.marked = 0
	v := &apply.Verifier{
		Asker: r.client, Repair: repair,
		Fresh: func(rec *document.Record) bool { return rec.Fetched >= int64(fresh) },
		Found: func(f document.Finding) error {
			r.found[f.Found]++
			if r.onFound != nil {
				r.onFound()
			}
			return nil
		},
		Mark: func(found []document.Finding) error { r.marked += len(found); return nil },
	}
	for i := 0; i < len(r.records); i += apply.AskAtOnce {
		if err := v.Check(ctx, r.records[i:min(i+apply.AskAtOnce, len(r.records))]); err != nil {
			return err
		}
	}
	return nil
}

func TestVerifier(t *testing.T) {
	const n = 120
	for _, test := range []struct {
		name     string
		readings strike.Readings
		remove   int // so many documents, the first ones, are not there
		repair   bool
		want     map[document.Found]int
		marked   int
		left     int // that the service holds afterwards
		err      error
	}{
		{"all is there", strike.Readings{}, 0, true, map[document.Found]int{"ok": n}, 0, n, nil},
		{"some are missing", strike.Readings{}, 9, false, map[document.Found]int{"ok": n - 9, "missing": 9}, 0, n - 9, nil},
		{"some are missing, repaired", strike.Readings{}, 9, true, map[document.Found]int{"ok": n - 9, "missing": 9}, 9, n - 9, nil},
		{"empty documents are made", strike.Readings{PatchUpserts: true}, 3, false, map[document.Found]int{"ok": n - 3, "missing": 3}, 3, n, nil},
		{"a first batch of them", strike.Readings{PatchUpserts: true}, 100, true, map[document.Found]int{"unknown": 100}, 100, n, apply.ErrOnlyEchoes},
		{"a service that echoes", strike.Readings{PatchEchoes: true}, 0, true, map[document.Found]int{"unknown": 100}, 100, n, apply.ErrOnlyEchoes},
		{"rows are refused as a whole", strike.Readings{WholeBatch: true}, 3, true, map[document.Found]int{"ok": n - 3, "missing": 3}, 3, n - 3, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newVerifyRig(t, n)
			r.send(document.Delete, 0, test.remove)
			r.panel.Read(test.readings)
			if err := r.verify(t.Context(), n, test.repair); !errors.Is(err, test.err) {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if !maps.Equal(r.found, test.want) || r.marked != test.marked {
				t.Errorf("found %v, %d marked; want %v, %d", r.found, r.marked, test.want, test.marked)
			}
			if got := r.holds(); got != test.left {
				t.Errorf("the service holds %d documents, want %d", got, test.left)
			}
		})
	}
}

// What was sent lately is not missing; where the question may have made something of it, it is
// in doubt.
func TestVerifierFresh(t *testing.T) {
	for upserts, marked := range map[bool]int{false: 0, true: 2} {
		r := newVerifyRig(t, 10)
		r.send(document.Delete, 8, 10)
		r.panel.Read(strike.Readings{PatchUpserts: upserts})
		if err := r.verify(t.Context(), 5, true); err != nil {
			t.Fatal(err)
		}
		if want := (map[document.Found]int{"ok": 8, "not-yet": 2}); !maps.Equal(r.found, want) || r.marked != marked {
			t.Errorf("found %v, %d marked", r.found, r.marked)
		}
	}
}

// An end in the middle leaves what was asked for told, or in doubt.
func TestVerifierInterrupted(t *testing.T) {
	r := newVerifyRig(t, 250)
	r.send(document.Delete, 0, 1)
	r.panel.Read(strike.Readings{PatchUpserts: true})
	r.onFound = func() { r.panel.Set(strike.Fault{Endpoint: "patch", At: strike.After, DelayMS: 60_000}) }
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil && r.panel.Calls()["patch"] < 2 {
			<-time.After(time.Millisecond)
		}
		cancel()
	}()
	if err := r.verify(ctx, 250, false); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if r.found[document.FoundMissing] != 1 || r.found[document.FoundUnknown] != 100 || r.marked != 101 {
		t.Errorf("found %v, %d marked", r.found, r.marked)
	}
}
