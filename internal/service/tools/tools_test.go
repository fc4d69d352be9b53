package tools

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"
	"unicode/utf8"

	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// TestTermsMatchWholeQueries: a term equals the query in any case and with any spaces; no term is a part of it.
func TestTermsMatchWholeQueries(t *testing.T) {
	s, err := store.Open(filepath.Join(t.TempDir(), "service.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	tools := &Tools{s}
	for _, terms := range []string{`[{"name":" Opening  Hours"},{"name":"ÅBNINGSTID"},{"name":"x"}]`, `[]`, `null`} {
		body := `{"url":"https://x.example/","websiteid":7,"terms":` + terms + `,"from":"9999-01-01T00:00:00Z"}`
		if err := tools.AddTool(1, wire.KindQuicklink, []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string]int{
		"opening hours": 1, "  OPENING\thours ": 1, "åbningstid": 1,
		"opening": 0, "opening hours today": 0, "openinghours": 0, "": 0, " ": 0,
	} {
		got, err := tools.Rules(1, 7, query, time.Now())
		if err != nil || len(got.Quicklinks) != want {
			t.Errorf("%q: want %d, got %v, %v", query, want, got.Quicklinks, err)
		}
	}
}

// FuzzTools: any body is refused as the client's fault or gives a tool that can be read
// as its type, and that stays as it is when it is sent back.
func FuzzTools(f *testing.F) {
	for _, sample := range []string{
		`{"name":"R","WebsiteId":7,"pages":[{"rank":1,"showpage":true,"page":{"pageurl":"u"}}],"rankingterms":[{"name":"t"}],"audiences":null}`,
		`{"url":"https://x.example/","websiteid":7,"terms":[]}`, `{"name":"B","htmlcode":"<b>","websiteid":7,"bannerterms":[],"isDisabled":false,"audiences":null}`,
		`{"words":["a","b"],"language":"en"}`,
	} {
		f.Add([]byte(sample))
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
		for kind, is := range map[wire.Kind]any{wire.KindRanking: &wire.Ranking{}, wire.KindQuicklink: &wire.Quicklink{}, wire.KindBanner: &wire.Banner{}, wire.KindSynonyms: &wire.SynonymGroup{}} {
			tool, err := decodeTool(kind, body)
			if err != nil {
				var p web.Problem
				if !errors.As(err, &p) || p.Status != 400 || p.Message == "" {
					t.Fatalf("want an error that tells the client, got %#v", err)
				}
				continue
			}
			stored := withID(kind, 7, tool)
			if err := json.Unmarshal(stored, is); err != nil {
				t.Fatalf("%s can't be read: %v", stored, err)
			}
			if kind.ID(stored) != 7 {
				t.Fatalf("%s has another ID", stored)
			}
			if again, err := decodeTool(kind, stored); err != nil || string(again) != string(tool) {
				t.Fatalf("stored as %s, sent back it is %s (%v)", tool, again, err)
			}
		}
	})
}
