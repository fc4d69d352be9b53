package push

import (
	"strings"
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

// ask asks for A and B and draws each answer as its state and its fields.
func ask(t *testing.T, c *Client) (string, error) {
	t.Helper()
	answers, err := c.Ask(t.Context(), []document.Question{{ID: "A", Type: document.PageContent, URL: "A"}, {ID: "B", Type: document.FileContent, URL: "B"}})
	var drawn []string
	for i, a := range answers {
		if a.ID != []string{"A", "B"}[i] {
			t.Errorf("answer %d is of %s", i, a.ID)
		}
		drawn = append(drawn, string(a.State)+" "+a.Fields["Title"])
	}
	return strings.Join(drawn, ", "), err
}

func TestAsk(t *testing.T) {
	const row = `{"document":{"id":"A","type":7,"fields":{"Title":"x","Url":"A"}},"success":true}`
	for _, test := range []struct{ name, body, want string }{
		{"whole", `[{"Document":{"Id":"B","type":"FileContent","fields":{"Title":"y"}},"success":true},` + row + `]`, "acknowledged x, acknowledged y"},
		{"one is not there", `[` + row + `,{"document":{"id":"B"},"success":false,"reason":"not found"}]`, "acknowledged x, refused "},
		{"no row for one", `[` + row + `]`, "acknowledged x, in-doubt "},
		{"a value that is no text", `[` + row + `,{"document":{"id":"B","fields":{"Title":["y"]}},"success":true}]`, `acknowledged x, acknowledged ["y"]`},
		{"a row under another ID tells nothing", `[` + row + `,{"document":{"id":"b","fields":{"Title":"y"}},"success":true}]`, "acknowledged x, acknowledged "},
		{"no rows", ``, "in-doubt , in-doubt "},
		{"fields that are none", `[` + row + `,{"document":{"id":"B","fields":7},"success":true}]`, "acknowledged x, acknowledged "},
	} {
		s := newService(t, answers(200, test.body))
		c, _ := newClient(t, s.URL)
		if got, err := ask(t, c); got != test.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", test.name, got, err, test.want)
		}
		want := `[{"id":"A","fields":{"Url":"A"},"type":"PageContent"},{"id":"B","fields":{"Url":"B"},"type":"FileContent"}]`
		if call := s.seen()[0]; call.Method != "PATCH" || call.Body != want {
			t.Errorf("%s: asked by %s %s", test.name, call.Method, call.Body)
		}
	}
}

// A question that fails is no failure of what is applied afterwards, and none that
// passes vouches for it.
func TestAskCountsForNothing(t *testing.T) {
	s := newService(t, resets)
	c, _ := newClient(t, s.URL, func(o *Options) { o.BatchDocuments = 1 })
	for range maxFailedCallsInRow {
		if got, err := ask(t, c); got != "in-doubt , in-doubt " || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if c.failedCallsInRow != 0 {
		t.Errorf("%d failed calls are counted", c.failedCallsInRow)
	}
	good := newService(t, accepts)
	if c, _ = newClient(t, good.URL); c.accepted[document.Patch] {
		t.Fatal("it begins so")
	}
	if _, err := ask(t, c); err != nil || c.accepted[document.Patch] {
		t.Errorf("a question vouches for PATCH (%v)", err)
	}
}

func TestAskStops(t *testing.T) {
	s := newService(t, answers(401, ``))
	c, _ := newClient(t, s.URL)
	if got, err := ask(t, c); got != "planned , planned " || err == nil {
		t.Errorf("%q, %v", got, err)
	}
}
