package push

import (
	"net/url"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// The ID arrives byte for byte, one query parameter and no body: each reserved byte is escaped
// once, a space by %20.
func TestDeleteSendsTheID(t *testing.T) {
	ids := []string{"https://example.org/a b+c?x=1&y=%2F#z", "&#%?/+", "https://example.org/ø/日本", "!$'()*,;=:@[]", "\"<>\\^`{|}\x00\x7f\r\n", "-._~aZ9"}
	s := newService(t, answers(200, `{"deleted":1}`))
	c, _ := newClient(t, s.URL)
	outcomes, err := apply(t.Context(), c, document.Delete, changes(document.Delete, ids...))
	if err != nil || states(outcomes) != "aaaaaa" {
		t.Fatal(outcomes, err)
	}
	for i, got := range s.seen() {
		raw, _ := strings.CutPrefix(got.Query, "documentId=")
		id, err := url.PathUnescape(raw) // which takes "+" as it is
		if err != nil || id != ids[i] || strings.ContainsAny(raw, "!$'()*,;=:@[]&#?/+\"<>") || got.Method != "DELETE" || got.Body != "" || got.Header.Get("Content-Type") != "" {
			t.Errorf("%q arrived as %+v", ids[i], got)
		}
	}
}

func TestDeleteFaults(t *testing.T) {
	zero, one := answers(200, `{"deleted":0}`), answers(200, `{"deleted":1}`)
	for _, test := range []struct {
		name   string
		n      int
		script script
		want   string
		calls  int
		stop   string
	}{
		{"deleted", 1, script{answers(202, `{"Deleted":1,"failed":0}`)}, "a", 1, ""},
		{"not there", 1, script{zero}, "a", 1, ""},
		{"not there, as 404", 1, script{answers(404, `{"deleted":0}`)}, "a", 1, ""},
		{"failure as 200", 2, script{answers(200, `{"failed":1,"reason":"index is locked"}`)}, "rr", 2, ""},
		{"failure as 500", 1, script{answers(500, `{"failed":1,"reason":"index is locked"}`)}, "r", 1, ""},
		{"failure with a count", 1, script{answers(200, `{"failed":1,"deleted":0}`)}, "r", 1, ""},
		{"reason alone", 1, script{answers(200, `{"reason":"no"}`)}, "r", 1, ""},
		{"count at 500", 1, script{answers(500, `{"deleted":1}`)}, "d", 6, ""},
		{"no count", 4, script{answers(200, `{}`)}, "dddd", 4, ""},
		{"no body", 1, script{answers(204, ``)}, "d", 1, ""},
		{"negative count", 1, script{answers(200, `{"deleted":-1}`)}, "d", 1, ""},
		{"count of another kind", 1, script{answers(200, `{"deleted":"1"}`)}, "d", 1, ""},
		{"cut answer", 1, script{answers(200, `{"del`)}, "d", 1, ""},
		{"bad request", 2, script{answers(400, `{"message":"no"}`)}, "rr", 2, ""},
		{"unauthorised", 2, script{answers(401, ``)}, "", 1, "push.api_key"},
		{"not found, in words", 2, script{answers(404, `{"message":"no such document"}`)}, "rr", 2, ""},
		{"not the service", 2, script{answers(404, `<html>`)}, "", 1, "push.base_url"},
		{"three failed", 5, script{answers(501, ``)}, "ddd", 3, "3 calls in a row"},
		{"five zeros", 9, script{zero}, "aaaaa", 5, "5 deletes in a row found no document"},
		{"zeros apart", 9, script{zero, zero, zero, zero, one, zero, zero, zero, zero}, "aaaaaaaaa", 9, ""},
		{"zeros after a try that may have worked", 7, script{zero, zero, zero, zero, resets, zero, one}, "aaaaaaa", 8, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newService(t, test.script...)
			c, _ := newClient(t, s.URL)
			outcomes, err := apply(t.Context(), c, document.Delete, changes(document.Delete, numbered(test.n)...))
			if states(outcomes) != test.want || len(s.seen()) != test.calls {
				t.Errorf("got %s after %d calls, want %s after %d; %+v", states(outcomes), len(s.seen()), test.want, test.calls, outcomes)
			}
			if strings.HasPrefix(test.name, "failure as") && outcomes[0].Reason != "index is locked" {
				t.Errorf("refused because %q", outcomes[0].Reason)
			}
			checkStop(t, err, test.stop)
		})
	}
}

func TestDeletesInDoubtMayFindNothing(t *testing.T) {
	s := newService(t, answers(200, `{"deleted":0}`))
	c, _ := newClient(t, s.URL)
	list := changes(document.Delete, numbered(9)...)
	for i := range list {
		list[i].Doubt = true
	}
	outcomes, err := apply(t.Context(), c, document.Delete, list)
	want := document.Outcome{ID: list[8].ID, State: document.Acknowledged, By: "row", Reason: "deleted: 0"}
	if err != nil || states(outcomes) != strings.Repeat("a", 9) || outcomes[8] != want {
		t.Error(outcomes, err)
	}
}

// Empty deletes add up over the calls of one run.
func TestZerosAddUp(t *testing.T) {
	s := newService(t, answers(200, `{"deleted":0}`))
	c, _ := newClient(t, s.URL)
	if _, err := apply(t.Context(), c, document.Delete, changes(document.Delete, "a", "b", "c")); err != nil {
		t.Fatal(err)
	}
	_, err := apply(t.Context(), c, document.Delete, changes(document.Delete, "d", "e", "f"))
	checkStop(t, err, "5 deletes in a row")
}
