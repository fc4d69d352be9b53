package push

import (
	"strings"
	"testing"

	"sitesync/internal/document"
)

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
	for range maxFailed {
		if got, err := ask(t, c); got != "in-doubt , in-doubt " || err != nil {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if c.failed != 0 {
		t.Errorf("%d failed calls are counted", c.failed)
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
