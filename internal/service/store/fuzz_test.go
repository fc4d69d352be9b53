package store

import (
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// FuzzDocuments: any body is refused as the client's fault or gives one row an
// element, each good row one that can be stored and read back unchanged.
func FuzzDocuments(f *testing.F) {
	for _, seed := range []string{
		`[{"id":"a","fields":{"Title":"A"},"type":"FileContent"}]`, `[]`, `[{"id":1},{"fields":null},3,"x",[]]`, `[{"id":"a","fields":{"a":["b",null]}}]`,
		`{}`, `[{"id":"a","fields":{"A":null}}]`, `[`, "[{\"id\":\"\xff\"}]", `[{"ID":"a","FIELDS":{"":""}}] x`, `[{"id":"\ud800","fields":{}}]`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, patch bool) {
		if !utf8.Valid(body) {
			t.Skip("refused before it is decoded")
		}
		c := &web.Call{Request: &http.Request{Method: http.MethodPut}, Body: body}
		if patch {
			c.Request.Method = http.MethodPatch
		}
		rows, err := decodeRows(c)
		if err != nil {
			wantProblem(t, err)
			return
		}
		if len(rows) > maxElements || len(results(rows)) != len(rows) {
			t.Fatalf("%d rows, %d results", len(rows), len(results(rows)))
		}
		for _, r := range rows {
			if r.bad == (r.reason == "") {
				t.Fatalf("a row is bad (%v) for the reason %q", r.bad, r.reason)
			}
			if !r.bad {
				wantStorable(t, r.Document)
			}
		}
	})
}

// FuzzFilter: any body is refused as the client's fault or gives a statement that runs, and that no
// document without fields passes.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{
		`{"Category":{"operator":"Eq","values":["a","b"]}}`, `{"Date_date":{"operator":"Lt","values":["2024/01/01"]}}`, `{}`, `{"":{}}`,
		`{"Price_number":{"operator":"Gte","values":["1e3"]}}`, `{"Price_number":{"operator":"Eq","values":["NaN"]}}`, `{"a":{"operator":"Exists"}}`,
		`{"a":{"operator":"Eq","values":["x"]},"a":{"operator":"Eq","values":["y"]}}`, `[{"a":1}]`, `{"a":{"operator":"Lt","values":["a","b"]}}`,
	} {
		f.Add([]byte(seed))
	}
	s, err := Open(filepath.Join(f.TempDir(), "service.db"))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	full := map[string]json.RawMessage{"Date": []byte(`"2024/02/29"`), "Category": []byte(`"a"`), "Price_number": []byte(`"10"`)}
	if err := s.Write(1, "c", []Change{{Document: wire.Document{ID: "bare"}}, {Document: wire.Document{ID: "full", Fields: full}}}); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		filter, err := parseFilter(body)
		if err != nil {
			wantProblem(t, err)
			return
		}
		err = s.View(t.Context(), func(tx *Tx) error {
			passed, err := Column[string](tx, filter.text, append([]any{1, "c"}, filter.args...)...)
			if slices.Contains(passed, "bare") {
				t.Errorf("%s passes a document without fields", body)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func wantProblem(t *testing.T, err error) {
	t.Helper()
	var p web.Problem
	if !errors.As(err, &p) || p.Status/100 != 4 || p.Message == "" {
		t.Fatalf("want an error that tells the client, got %#v", err)
	}
}

func wantStorable(t *testing.T, doc wire.Document) {
	t.Helper()
	value, err := json.Marshal(doc)
	if err != nil || doc.ID == "" {
		t.Fatalf("document %q can't be stored: %v", doc.ID, err)
	}
	var again wire.Document
	if err := json.Unmarshal(value, &again); err != nil || again.ID != doc.ID || len(again.Fields) != len(doc.Fields) {
		t.Fatalf("stored as %s, read back as %v (%v)", value, again, err)
	}
}

// TestAheadBearsPanics: a document that can't be read costs its own request, not the process.
func TestAheadBearsPanics(_ *testing.T) {
	ahead(func() *text { panic("no text") })
}
