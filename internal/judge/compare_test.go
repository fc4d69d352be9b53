package judge

import (
	"strings"
	"testing"

	"sitesync/internal/document"
)

func TestCompare(t *testing.T) {
	rec := acked()
	rec.Fields["Url"] = document.HashOf(page)
	whole := func(edits ...string) document.Answer { // name and value in turn; an empty value takes the field out
		fields := map[string]string{"Title": "Title", "Content": "Content", "Category": "Category", "Url": page}
		for i := 0; i < len(edits); i += 2 {
			if fields[edits[i]] = edits[i+1]; edits[i+1] == "" {
				delete(fields, edits[i])
			}
		}
		return document.Answer{ID: page, State: document.Acknowledged, Fields: fields}
	}
	bare := document.Answer{ID: page, State: document.Acknowledged, Fields: map[string]string{"Url": page}}
	for _, test := range []struct {
		name   string
		answer document.Answer
		want   string
	}{
		{"the same", whole(), "ok"},
		{"with a field that the service added", whole("Content_length", "7"), "ok"},
		{"another value", whole("Title", "x"), "altered Title"},
		{"fields lost", whole("Content", "", "Category", ""), "altered Category Content"},
		{"all other", whole("Content", "x", "Category", "x", "Title", "x"), "altered Category Content Title"},
		{"another Url", whole("Url", "https://a.example/else"), "altered Url"},
		{"only what was sent", bare, "missing doubt"},
		{"what was sent and another's field", document.Answer{ID: page, State: document.Acknowledged, Fields: map[string]string{"Url": page, "Price": "7"}}, "missing doubt"},
		{"no field", document.Answer{ID: page, State: document.Acknowledged}, "missing doubt"},
		{"refused", document.Answer{ID: page, State: document.Refused, Reason: "not found"}, "missing"},
		{"no row", document.Answer{ID: page, State: document.InDoubt}, "unknown doubt"},
		{"not asked", document.Answer{ID: page, State: document.Planned}, "unknown"},
	} {
		f := Compare(rec, test.answer)
		got := strings.TrimSpace(string(f.Found) + " " + strings.Join(f.Fields, " "))
		if f.Doubt {
			got += " doubt"
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
