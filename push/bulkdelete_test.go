package push

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

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
}

func TestBulkDelete(t *testing.T) {
	filter := []byte(`{"Date_date":{"operator":"Lt","values":["2024/01/01"]}}`)
	for _, test := range []struct {
		name    string
		script  []http.HandlerFunc
		deleted int
		kind    Kind // empty: no error
		calls   int
	}{
		{"none", []http.HandlerFunc{answers(200, `{"success":true,"deleted":0,"failed":0,"reason":""}`)}, 0, "", 1},
		{"some, other case", []http.HandlerFunc{answers(202, `{"Success":true,"Deleted":7}`)}, 7, "", 1},
		{"a reset", []http.HandlerFunc{resets, answers(200, `{"success":true,"deleted":7}`)}, 0, KindNetwork, 1},
		{"some failed", []http.HandlerFunc{answers(200, `{"success":true,"deleted":5,"failed":2,"reason":"locked"}`)}, 5, KindServer, 1},
		{"failed", []http.HandlerFunc{answers(200, `{"success":false,"deleted":0,"failed":0,"reason":"no"}`)}, 0, KindServer, 1},
		{"failed as 500", []http.HandlerFunc{answers(500, `{"success":false,"reason":"no"}`)}, 0, KindServer, 1},
		{"no count", []http.HandlerFunc{answers(200, `{"success":true}`)}, 0, KindUnknown, 1},
		{"no body", []http.HandlerFunc{answers(200, ``)}, 0, KindUnknown, 1},
		{"negative count", []http.HandlerFunc{answers(200, `{"success":true,"deleted":-2}`)}, 0, KindUnknown, 1},
		{"cut", []http.HandlerFunc{answers(200, `{"success":true,"del`)}, 0, KindUnknown, 1},
		{"bad request", []http.HandlerFunc{answers(400, `{"message":"no"}`)}, 0, KindInvalid, 1},
		{"unauthorised", []http.HandlerFunc{answers(200, `{"message":"unauthorized"}`)}, 0, KindUnauthorised, 1},
		{"server", []http.HandlerFunc{answers(503, ``)}, 0, KindServer, 1},
	} {
		s := newService(t, test.script...)
		c, _ := newClient(t, s.URL)
		deleted, _, err := c.ApplyBulk(t.Context(), filter)
		var failure *Error
		if errors.As(err, &failure) != (test.kind != "") || failure != nil && failure.Kind != test.kind || deleted != test.deleted || len(s.seen()) != test.calls {
			t.Errorf("%s: %d, %v after %d calls", test.name, deleted, err, len(s.seen()))
		}
		got := s.seen()[0]
		if got.Method != "POST" || got.Path != "/api/v4/12345678/index/crawler%20one/documents/bulk-delete" || got.Body != `{"Date_date":{"operator":"Lt","values":["2024/01/01"]}}` {
			t.Errorf("%s: sent %+v", test.name, got)
		}
	}
}

func TestBulkDeleteInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newService(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hangs(w, r) })
	c, _ := newClient(t, s.URL)
	_, _, err := c.ApplyBulk(ctx, []byte(`{"Category":{"operator":"Eq","values":["a"]}}`))
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
