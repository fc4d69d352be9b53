package push

import (
	"errors"
	"net/http"
	"testing"
)

func TestCheckCredentials(t *testing.T) {
	for _, test := range []struct {
		name   string
		script []http.HandlerFunc
		kind   Kind // empty: fine
		calls  int
	}{
		{"found", []http.HandlerFunc{answers(200, `{"id":0}`)}, "", 1},
		{"not found", []http.HandlerFunc{answers(404, `{"message":"no such ranking"}`)}, "", 1},
		{"bad request", []http.HandlerFunc{answers(400, ``)}, "", 1},
		{"busy", []http.HandlerFunc{answers(429, ``)}, "", 1},
		{"server error", []http.HandlerFunc{answers(500, ``)}, "", 1},
		{"unauthorised", []http.HandlerFunc{answers(401, ``)}, KindUnauthorised, 1},
		{"unauthorised by the body", []http.HandlerFunc{answers(404, `{"message":"unauthorized"}`)}, KindUnauthorised, 1},
		{"redirect", []http.HandlerFunc{answers(301, ``, "Location", "/login")}, KindRedirect, 1},
		{"reset, then found", []http.HandlerFunc{resets, answers(404, ``)}, "", 2},
		{"unreachable", []http.HandlerFunc{resets}, KindNetwork, 6},
	} {
		s := newService(t, test.script...)
		c, _ := newClient(t, s.URL)
		err := c.CheckCredentials(t.Context())
		var failure *Error
		if errors.As(err, &failure) != (test.kind != "") || failure != nil && failure.Kind != test.kind || len(s.seen()) != test.calls {
			t.Errorf("%s: %v after %d calls", test.name, err, len(s.seen()))
		}
		got := s.seen()[0]
		if got.Method != "GET" || got.Path != "/api/rankings/0" || got.Body != "" {
			t.Errorf("%s: sent %+v", test.name, got)
		}
	}
}
