package service

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

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
		c := &call{endpoint: EndpointPut, body: body, switches: Switches{AcceptArrays: patch, MaxDocuments: 5}}
		if patch {
			c.endpoint = EndpointPatch
		}
		rows, err := decodeRows(c)
		if err != nil {
			wantProblem(t, err)
			return
		}
		if len(rows) > 5 || len(results(rows)) != len(rows) {
			t.Fatalf("%d rows, %d results", len(rows), len(results(rows)))
		}
		for _, r := range rows {
			if r.bad == (r.reason == "") {
				t.Fatalf("a row is bad (%v) for the reason %q", r.bad, r.reason)
			}
			if !r.bad {
				wantStorable(t, r.doc)
			}
		}
	})
}

// FuzzFilter: any body is refused as the client's fault or gives tests that can
// be run, none of which lets every document pass.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{
		`{"Category":{"operator":"Eq","values":["a","b"]}}`, `{"Date_date":{"operator":"Lt","values":["2024/01/01"]}}`, `{}`, `{"":{}}`,
		`{"Price_number":{"operator":"Gte","values":["1e3"]}}`, `{"Price_number":{"operator":"Eq","values":["NaN"]}}`, `{"a":{"operator":"Exists"}}`,
		`{"a":{"operator":"Eq","values":["x"]},"a":{"operator":"Eq","values":["y"]}}`, `[{"a":1}]`, `{"a":{"operator":"Lt","values":["a","b"]}}`,
	} {
		f.Add([]byte(seed))
	}
	bare := wire.Document{ID: "bare"}
	full := wire.Document{ID: "full", Fields: map[string]json.RawMessage{
		"Date": []byte(`"2024/02/29"`), "Category": []byte(`["a","b"]`), "Price_number": []byte(`"10"`),
	}}
	f.Fuzz(func(t *testing.T, body []byte) {
		tests, err := parseFilter(body, false)
		if err != nil {
			wantProblem(t, err)
			return
		}
		if len(tests) == 0 || matches(bare, tests) {
			t.Fatalf("a filter of %d tests matches a document without fields", len(tests))
		}
		_ = matches(full, tests)
	})
}

func wantProblem(t *testing.T, err error) {
	t.Helper()
	var p problem
	if !errors.As(err, &p) || p.status/100 != 4 || p.message == "" {
		t.Fatalf("want an error that tells the client, got %#v", err)
	}
}

func wantStorable(t *testing.T, doc wire.Document) {
	t.Helper()
	value, err := json.Marshal(doc)
	if err != nil || doc.ID == "" {
		t.Fatalf("document %q can't be stored: %v", doc.ID, err)
	}
	again, err := decodeStored(value)
	if err != nil || again.ID != doc.ID || len(again.Fields) != len(doc.Fields) {
		t.Fatalf("stored as %s, read back as %v (%v)", value, again, err)
	}
}

// FuzzTools: any body is refused as the client's fault or gives a tool that can be read
// as its type, with no key that only answers hold, and that stays as it is when it is
// sent back.
func FuzzTools(f *testing.F) {
	for _, sample := range toolSamples() {
		f.Add([]byte("{" + sample.body))
	}
	for _, seed := range []string{
		`{}`, `[]`, `null`, `{"name":"a","NAME":1,"id":{},"WebsiteId":1,"pages":[{"rank":1e3,"showpage":0,"page":null}]}`, `{"words":[null],"language":"\u0065n"}`,
		`{"name":"b","htmlcode":"c","websiteid":1,"from":"2026-01-01T00:00:00+23:59","to":"9999-12-31T23:59:59-01:00","x\ud800":[1e999 ]}`,
		`{"url":"\u2028","websiteid":9223372036854775808,"terms":[{"name":"t","ſ":1}]} x`, `{"url":"u","website` + "\u0131" + `d":1,"webſiteid":2,"terms":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if !utf8.Valid(body) {
			t.Skip("refused before it is decoded")
		}
		for _, test := range []struct {
			kind toolKind
			is   any
		}{{rankingKind(), &wire.Ranking{}}, {quicklinkKind(), &wire.Quicklink{}}, {bannerKind(), &wire.Banner{}}, {synonymsKind(), &wire.SynonymGroup{}}} {
			tool, err := test.kind.read(&call{body: body})
			var fields fieldProblem
			if errors.As(err, &fields) && len(fields.faults) > 0 && fields.status == 400 {
				continue
			}
			if err != nil {
				wantProblem(t, err)
				continue
			}
			stored := test.kind.withID(7, tool)
			if err := json.Unmarshal(stored, test.is); err != nil {
				t.Fatalf("%s can't be read: %v", stored, err)
			}
			if is, _ := json.Marshal(test.is); !strings.HasPrefix(string(is), `{"`+test.kind.id+`":7,`) {
				t.Fatalf("%s is read as %s", stored, is)
			}
			if again, err := test.kind.read(&call{body: stored}); err != nil || string(again) != string(tool) {
				t.Fatalf("stored as %s, sent back it is %s (%v)", tool, again, err)
			}
		}
	})
}
