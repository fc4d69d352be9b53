package push

import "testing"

func TestCheckCredentials(t *testing.T) {
	for _, test := range []struct {
		name   string
		script script
		kind   Kind // empty: fine
		calls  int
	}{
		{"found", script{answers(200, `{"id":0}`)}, "", 1},
		{"not found", script{answers(404, `{"message":"no such ranking"}`)}, "", 1},
		{"server error", script{answers(500, ``)}, "", 1},
		{"unauthorised", script{answers(401, ``)}, KindUnauthorised, 1},
		{"unauthorised by the body", script{answers(404, `{"message":"unauthorized"}`)}, KindUnauthorised, 1},
		{"redirect", script{answers(301, ``, "Location", "/login")}, KindRedirect, 1},
		{"reset, then found", script{resets, answers(404, ``)}, "", 2},
		{"unreachable", script{resets}, KindNetwork, 6},
	} {
		s := newService(t, test.script...)
		c, _ := newClient(t, s.URL)
		err := c.CheckCredentials(t.Context())
		if kindOfError(err) != test.kind || len(s.seen()) != test.calls {
			t.Errorf("%s: %v after %d calls", test.name, err, len(s.seen()))
		}
		got := s.seen()[0]
		if got.Method != "GET" || got.Path != "/api/rankings/0" || got.Body != "" {
			t.Errorf("%s: sent %+v", test.name, got)
		}
	}
}
