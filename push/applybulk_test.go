package push

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"
)

// TestApplyBulk: whatever cannot be proved to have done nothing may have run, and is
// never sent twice.
func TestApplyBulk(t *testing.T) {
	const filter = `{"Date_date":{"operator":"Lt","values":["2024/01/01"]}}`
	ok := answers(200, `{"success":true,"deleted":7,"failed":0,"reason":""}`)
	for name, test := range map[string]struct {
		filter  string
		script  []http.HandlerFunc
		deleted int
		ran     bool
		err     bool
		calls   int
	}{
		"some":                         {filter, []http.HandlerFunc{ok}, 7, true, false, 1},
		"none":                         {filter, []http.HandlerFunc{answers(200, `{"success":true,"deleted":0}`)}, 0, true, false, 1},
		"after too many calls":         {filter, []http.HandlerFunc{answers(429, ``), ok}, 7, true, false, 2},
		"a reset":                      {filter, []http.HandlerFunc{resets, ok}, 0, true, true, 1},
		"a reset after too many calls": {filter, []http.HandlerFunc{answers(429, ``), resets, ok}, 0, true, true, 2},
		"a time-out":                   {filter, []http.HandlerFunc{hangs, ok}, 0, true, true, 1},
		"a broken answer":              {filter, []http.HandlerFunc{breaksOff, ok}, 0, true, true, 1},
		"cut JSON":                     {filter, []http.HandlerFunc{answers(200, `{"success":true,"dele`)}, 0, true, true, 1},
		"no body":                      {filter, []http.HandlerFunc{answers(200, ``)}, 0, true, true, 1},
		"no count":                     {filter, []http.HandlerFunc{answers(200, `{"success":true}`)}, 0, true, true, 1},
		"500":                          {filter, []http.HandlerFunc{answers(500, ``), ok}, 0, true, true, 1},
		"503":                          {filter, []http.HandlerFunc{answers(503, ``), ok}, 0, true, true, 1},
		"some failed":                  {filter, []http.HandlerFunc{answers(200, `{"success":true,"deleted":5,"failed":2,"reason":"locked"}`)}, 5, true, true, 1},
		"some failed, no verdict":      {filter, []http.HandlerFunc{answers(200, `{"deleted":5,"failed":2,"reason":"locked"}`)}, 5, true, true, 1},
		"some failed at 400":           {filter, []http.HandlerFunc{answers(400, `{"deleted":5,"failed":2,"reason":"locked"}`)}, 5, true, true, 1},
		"a failure in words":           {filter, []http.HandlerFunc{answers(200, `{"message":"no such field"}`)}, 0, true, true, 1},
		"turned down":                  {filter, []http.HandlerFunc{answers(400, `{"message":"no such field"}`)}, 0, false, true, 1},
		"unknown address":              {filter, []http.HandlerFunc{answers(404, ``)}, 0, false, true, 1},
		"unauthorised":                 {filter, []http.HandlerFunc{answers(200, `{"message":"unauthorized"}`)}, 0, false, true, 1},
		"redirected":                   {filter, []http.HandlerFunc{answers(307, ``, "Location", "/x")}, 0, false, true, 1},
		"busy to the end":              {filter, []http.HandlerFunc{answers(429, ``)}, 0, false, true, 6},
		"no filter":                    {``, []http.HandlerFunc{ok}, 0, false, true, 0},
		"an empty filter":              {`{}`, []http.HandlerFunc{ok}, 0, false, true, 0},
		"a filter with more":           {`{"Date_date":{"operator":"Lt","values":["2024/01/01"],"not":true}}`, []http.HandlerFunc{ok}, 0, false, true, 0},
	} {
		s := newService(t, test.script...)
		c, _ := newClient(t, s.URL, func(o *Options) {
			if name == "a time-out" {
				o.Timeout = 50 * time.Millisecond
			}
		})
		deleted, ran, err := c.ApplyBulk(t.Context(), json.RawMessage(test.filter))
		if deleted != test.deleted || ran != test.ran || (err != nil) != test.err || len(s.seen()) != test.calls {
			t.Errorf("%s: deleted %d, ran %t, %v after %d calls", name, deleted, ran, err, len(s.seen()))
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	s := newService(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hangs(w, r) })
	c, _ := newClient(t, s.URL)
	if _, ran, err := c.ApplyBulk(ctx, json.RawMessage(filter)); !ran || err == nil {
		t.Errorf("interrupted: ran %t, %v", ran, err)
	}
}
