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
		{"the same", whole(), "ok proves"},
		{"with a field that the service added", whole("Content_length", "7"), "ok proves"},
		{"another value", whole("Title", "x"), "altered Title proves"},
		{"fields lost", whole("Content", "", "Category", ""), "altered Category Content proves"},
		{"all other", whole("Content", "x", "Category", "x", "Title", "x"), "altered Category Content Title"},
		{"another Url", whole("Url", "https://a.example/else"), "altered Url proves"},
		{"only what was sent", bare, "altered Category Content Title untold stub"},
		{"what was sent and another's field", document.Answer{ID: page, State: document.Acknowledged, Fields: map[string]string{"Url": page, "Price": "7"}}, "altered Category Content Title untold"},
		{"no field", document.Answer{ID: page, State: document.Acknowledged}, "altered Category Content Title Url untold"},
		{"refused", document.Answer{ID: page, State: document.Refused, Reason: "not found"}, "missing"},
		{"no row", document.Answer{ID: page, State: document.InDoubt}, "unknown doubt"},
		{"not asked", document.Answer{ID: page, State: document.Planned}, "unknown"},
	} {
		f, told := Compare(rec, test.answer)
		got := strings.TrimSpace(string(f.Found) + " " + strings.Join(f.Fields, " "))
		for word, is := range map[string]bool{" untold": !told, " stub": IsStub(f), " proves": Proves(rec, test.answer), " doubt": f.Doubt} {
			if is != strings.Contains(test.want, word) {
				t.Errorf("%s:%s is %v", test.name, word, is)
			}
		}
		if !strings.HasPrefix(test.want, got) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
