package ledger

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseIDs(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\r\n\n a \n":      "a b",
		"\ufeffa":              "a",
		`["a","b","a"]`:        "a b",
		`[{"ID":"a"},"b"]`:     "a b",
		`[{"id":"a b","x":1}]`: "a b",
		`{"id":"a"}`:           `{"id":"a"}`, // a line like any other, which is no address
		"":                     "!",
		"[]":                   "!",
		"[7]":                  "!",
		`[{"name":"a"}]`:       "!",
		`["a"`:                 "!",
		`[""]`:                 "!",
	} {
		ids, err := parseIDs([]byte(text))
		if got := strings.Join(ids, " "); err == nil && got != want || err != nil && want != "!" {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

func FuzzParseIDs(f *testing.F) {
	for _, text := range []string{"a\nb", `["a",{"id":"b"}]`, "\ufeff[null]", `[{"id":["x"]}]`, "[\xff]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		ids, err := parseIDs(raw)
		if (err == nil) != (len(ids) > 0) || len(ids) > len(raw) {
			t.Errorf("%d IDs, %v", len(ids), err)
		}
		sorted := slices.Sorted(slices.Values(ids))
		if len(slices.Compact(sorted)) != len(ids) || slices.Contains(ids, "") {
			t.Errorf("an ID twice, or an empty one: %q", ids)
		}
		for _, id := range ids {
			if utf8.Valid(raw) && !utf8.ValidString(id) {
				t.Errorf("%q was made of valid text", id)
			}
		}
	})
}
