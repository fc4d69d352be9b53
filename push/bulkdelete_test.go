package push

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"sitesync/internal/wire"
)

func TestBulkDeleteRefusesWhatCouldMatchMore(t *testing.T) {
	date := wire.Condition{Operator: "Lt", Values: []string{"2024/01/01"}}
	for _, test := range []struct {
		name   string
		filter wire.Filter
		want   string // empty: accepted
	}{
		{"nil", nil, "empty"},
		{"empty", wire.Filter{}, "empty"},
		{"no values", wire.Filter{"Category": {Operator: "Eq"}}, "no values"},
		{"empty values", wire.Filter{"Category": {Operator: "Eq", Values: []string{}}}, "no values"},
		{"blank value", wire.Filter{"Category": {Operator: "Eq", Values: []string{"a", " "}}}, "blank"},
		{"blank key", wire.Filter{"": date}, "blank"},
		{"key of a space", wire.Filter{" ": date}, "blank"},
		{"space around a key", wire.Filter{"Date_date ": date}, "spaces"},
		{"Exists", wire.Filter{"Category": {Operator: "Exists"}}, `not "Exists"`},
		{"no operator", wire.Filter{"Category": {Values: []string{"a"}}}, `not ""`},
		{"other case", wire.Filter{"Date_date": {Operator: "lt", Values: date.Values}}, `not "lt"`},
		{"range of two", wire.Filter{"Date_date": {Operator: "Gte", Values: []string{"2024/01/01", "2024/02/01"}}}, "one value"},
		{"other date form", wire.Filter{"Date_date": {Operator: "Lt", Values: []string{"2024-01-01"}}}, "YYYY/MM/DD"},
		{"no such day", wire.Filter{"Date_date": {Operator: "Lt", Values: []string{"2024/02/30"}}}, "YYYY/MM/DD"},
		{"one bad key of two", wire.Filter{"Date_date": date, "x": {Operator: "Eq"}}, `key "x"`},
		{"good", wire.Filter{"Date_date": date, "Category": {Operator: "Eq", Values: []string{"a", "b"}}}, ""},
	} {
		s := newService(t, answers(200, `{"success":true,"deleted":3,"failed":0,"reason":null}`))
		c, _ := newClient(t, s.URL)
		raw, _ := json.Marshal(test.filter)
		deleted, _, err := c.ApplyBulk(t.Context(), raw)
		if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || len(s.seen()) > 0) {
			t.Errorf("%s: %v after %d calls", test.name, err, len(s.seen()))
		}
		if test.want == "" && (err != nil || deleted != 3) {
			t.Errorf("%s: %d, %v", test.name, deleted, err)
		}
	}
	for _, raw := range []string{``, `{"Date_date":{"operator":"Lt","values":["2024/01/01"],"not":true}}`} {
		if _, err := ParseFilter([]byte(raw)); err == nil || !strings.HasPrefix(err.Error(), "read the bulk-delete filter") {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// TestApplyBulk: whatever cannot be proved to have done nothing may have run, and is
// never sent twice.
func TestApplyBulk(t *testing.T) {
	const filter = `{"Date_date":{"operator":"Lt","values":["2024/01/01"]}}`
	ok := answers(200, `{"success":true,"deleted":7,"failed":0,"reason":""}`)
	ctx, cancel := context.WithCancel(t.Context())
	interrupted := func(w http.ResponseWriter, r *http.Request) { cancel(); hangs(w, r) }
	for _, test := range []struct {
		name    string
		script  script
		deleted int
		ran     bool
		kind    Kind // empty: no error
		calls   int
	}{
		{"some", script{ok}, 7, true, "", 1},
		{"none", script{answers(200, `{"success":true,"deleted":0}`)}, 0, true, "", 1},
		{"after too many calls", script{answers(429, ``), ok}, 7, true, "", 2},
		{"a reset", script{resets, ok}, 0, true, KindNetwork, 1},
		{"a reset after too many calls", script{answers(429, ``), resets, ok}, 0, true, KindNetwork, 2},
		{"a time-out", script{hangs, ok}, 0, true, KindNetwork, 1},
		{"a broken answer", script{breaksOff, ok}, 0, true, KindNetwork, 1},
		{"cut JSON", script{answers(200, `{"success":true,"dele`)}, 0, true, KindUnknown, 1},
		{"no body", script{answers(200, ``)}, 0, true, KindUnknown, 1},
		{"no count", script{answers(200, `{"success":true}`)}, 0, true, KindUnknown, 1},
		{"500", script{answers(500, ``), ok}, 0, true, KindServer, 1},
		{"some failed", script{answers(200, `{"success":true,"deleted":5,"failed":2,"reason":"locked"}`)}, 5, true, KindServer, 1},
		{"some failed, no verdict", script{answers(200, `{"deleted":5,"failed":2,"reason":"locked"}`)}, 5, true, KindServer, 1},
		{"some failed at 400", script{answers(400, `{"deleted":5,"failed":2,"reason":"locked"}`)}, 5, true, KindServer, 1},
		{"a failure in words", script{answers(200, `{"message":"no such field"}`)}, 0, true, KindInvalid, 1},
		{"turned down", script{answers(400, `{"message":"no such field"}`)}, 0, false, KindInvalid, 1},
		{"unknown address", script{answers(404, ``)}, 0, false, KindUnknown, 1},
		{"unauthorised", script{answers(200, `{"message":"unauthorized"}`)}, 0, false, KindUnauthorised, 1},
		{"redirected", script{answers(307, ``, "Location", "/x")}, 0, false, KindRedirect, 1},
		{"busy to the end", script{answers(429, ``)}, 0, false, KindRateLimited, 6},
		{"negative count", script{answers(200, `{"success":true,"deleted":-2}`)}, 0, true, KindUnknown, 1},
		{"failed", script{answers(200, `{"success":false,"deleted":0,"failed":0,"reason":"no"}`)}, 0, true, KindServer, 1},
		{"nothing matched", script{answers(200, `{"success":false,"deleted":0,"failed":0,"reason":"No documents matching the filter"}`)}, 0, true, "", 1},
		{"some failed of those that match", script{answers(200, `{"success":false,"deleted":0,"failed":1,"reason":"a document that matches is locked"}`)}, 0, true, KindServer, 1},
		{"some, other case", script{answers(202, `{"Success":true,"Deleted":7}`)}, 7, true, "", 1},
		{"interrupted", script{interrupted}, 0, true, "", 1}, // the last: the context is over
	} {
		s := newService(t, test.script...)
		c, _ := newClient(t, s.URL, func(o *Options) { o.Timeout = 50 * time.Millisecond })
		deleted, ran, err := c.ApplyBulk(ctx, []byte(filter))
		if deleted != test.deleted || ran != test.ran || kindOfError(err) != test.kind || errors.Is(err, context.Canceled) != (ctx.Err() != nil) || len(s.seen()) != test.calls {
			t.Errorf("%s: deleted %d, ran %t, %v after %d calls", test.name, deleted, ran, err, len(s.seen()))
		}
		got := s.seen()[0]
		if got.Method != "POST" || got.Path != "/api/v4/12345678/index/crawler%20one/documents/bulk-delete" || got.Body != filter {
			t.Errorf("%s: sent %+v", test.name, got)
		}
	}
}
