package push

import (
	"testing"

	"sitesync/internal/document"
)

func TestJudgeRows(t *testing.T) {
	list := changes(document.Patch, "A", "B")
	for _, test := range []struct{ name, body, patch, put string }{
		{"in order", `[{"document":{"id":"A","type":0},"success":true},{"document":{"id":"B","type":"x"},"success":true}]`, "aa", "aa"},
		{"out of order", `[{"document":{"id":"B"},"success":false},{"document":{"id":"A"},"success":true}]`, "ar", "ar"},
		{"one missing", `[{"document":{"id":"B"},"success":true}]`, "da", "da"},
		{"other case", `[{"Document":{"ID":"A"},"Success":true,"new":1},{"DOCUMENT":{"Id":"B"},"SUCCESS":false}]`, "ar", "ar"},
		{"without IDs", `[{"success":true},{"success":false,"reason":"r"}]`, "ar", "ar"},
		{"without IDs, one too few", `[{"success":true}]`, "dd", "dd"},
		{"without IDs, one too many", `[{"success":true},{"success":true},{"success":true}]`, "dd", "dd"},
		{"altered IDs", `[{"document":{"id":"a"},"success":true},{"document":{"id":"b"},"success":true}]`, "aa", "aa"},
		{"one ID twice", `[{"document":{"id":"A"},"success":true},{"document":{"id":"A"},"success":true}]`, "dd", "dd"},
		{"no verdict", `[{"document":{"id":"A"}},{"document":{"id":"B"},"success":null}]`, "dd", "dd"},
		{"verdict that is no boolean", `[{"document":{"id":"A"},"success":"true"},{"document":{"id":"B"},"success":true}]`, "da", "da"},
		{"a row that is no object", `[1,{"document":{"id":"B"},"success":true}]`, "da", "da"},
		{"byte order mark", "\ufeff" + `[{"document":{"id":"A"},"success":true},{"document":{"id":"B"},"success":true}]`, "aa", "aa"},
		{"empty", ``, "dd", "aa"},
		{"empty object", `{}`, "dd", "aa"},
		{"empty array", `[]`, "dd", "aa"},
		{"null", `null`, "dd", "aa"},
		{"other object", `{"success":true,"count":2}`, "dd", "aa"},
	} {
		for op, want := range map[document.Op]string{document.Patch: test.patch, document.Put: test.put} {
			got, _ := new(Client).judge(op, list, newAnswer(200, []byte(test.body)))
			if states(got) != want {
				t.Errorf("%s: %s %s, want %s", test.name, op, states(got), want)
			}
		}
	}
}

func TestJudgeRowsSaysHow(t *testing.T) {
	said := newAnswer(200, []byte(`[{"document":{"id":"a"},"success":true},{"success":false}]`))
	got, _ := new(Client).judge(document.Put, changes(document.Put, "A", "B"), said)
	want := []document.Outcome{
		{ID: "A", State: document.Acknowledged, By: "row", Reason: "the service names it a"},
		{ID: "B", State: document.Refused, Reason: "the service gave no reason"},
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}
