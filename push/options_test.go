package push

import (
	"strings"
	"testing"
)

func TestParseBase(t *testing.T) {
	for _, test := range []struct{ raw, want, fault string }{
		{"https://service.example", "https://service.example", ""},
		{"https://service.example:8443/eu//", "https://service.example:8443/eu", ""},
		{"http://localhost:8080", "http://localhost:8080", ""},
		{"http://127.3.2.1:8080", "http://127.3.2.1:8080", ""},
		{"http://[::1]:8080/", "http://[::1]:8080", ""},
		{"http://service.example", "", "not https"},
		{"http://localhost.example.org", "", "not https"},
		{"https://user:hunter2@service.example", "", "without user"},
		{"https://user:hunter2@service example", "", "no plain address"},
		{"https://service.example?x=hunter", "", "query and fragment"},
		{"https://service.example/#x", "", "query and fragment"},
		{"service.example", "", "no plain address"},
		{"https://a:hunter2:b", "", "no plain address"},
	} {
		got, err := parseBase(test.raw)
		if got != test.want || (err == nil) != (test.fault == "") || err != nil && !strings.Contains(err.Error(), test.fault) {
			t.Errorf("%q: %q, %v", test.raw, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error tells the password: %v", test.raw, err)
		}
	}
}

func TestNewNamesEveryFault(t *testing.T) {
	_, err := New(Options{Crawler: "..", BatchDocuments: -1, BatchBytes: -1, Timeout: -1})
	for _, want := range []string{"base_url", "customer_id", "crawler_id", "api_key", "batch_documents", "batch_bytes", "time-out"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not in %v", want, err)
		}
	}
}

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
