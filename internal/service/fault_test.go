package service

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"sitesync/internal/testsite/strike"
	"sitesync/internal/wire"
)

// TestFaults strikes one PUT of document a, whose old content is stored, and
// looks at what is answered and what is stored afterwards.
func TestFaults(t *testing.T) {
	const was, is, gone = `a PageContent {"V":"1"}`, `a PageContent {"V":"2"}`, ""
	tests := map[string]struct {
		fault  strike.Fault
		status int // 0: the connection ends without an answer
		body   string
		holds  string
	}{
		"status":          {strike.Fault{Status: 503}, 503, `{"message":"service unavailable"}`, was},
		"server error":    {strike.Fault{Status: 500}, 500, `{"status":"InternalServerError","code":500,"messages":["The`, was},
		"unauthorized":    {strike.Fault{Status: 403}, 403, `{"message":"unauthorized"}`, was},
		"body":            {strike.Fault{Status: 429, Body: new("slow down")}, 429, "slow down", was},
		"empty, applied":  {strike.Fault{At: strike.After, Body: new("")}, 200, "", is},
		"500, applied":    {strike.Fault{At: strike.After, Status: 500}, 500, `"InternalServerError"`, is},
		"drop":            {strike.Fault{Drop: true}, 0, "", was},
		"drop, applied":   {strike.Fault{At: strike.After, Drop: true}, 0, "", is},
		"drop in the gap": {strike.Fault{At: strike.Between, Drop: true}, 0, "", gone},
		"500 in the gap":  {strike.Fault{At: strike.Between, Status: 500}, 500, `"InternalServerError"`, gone},
		"cut":             {strike.Fault{Cut: true}, 200, `[{"document":`, is},
		"late":            {strike.Fault{DelayMS: 1}, 200, `"success":true`, is},
		"late and wrong":  {strike.Fault{DelayMS: 1, At: strike.After, Status: 502}, 502, `{"message":"bad gateway"}`, is},
		"other endpoint":  {strike.Fault{Endpoint: "patch", Status: 503}, 200, `"success":true`, is},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := open(t, Options{})
			l.want(http.StatusOK, http.MethodPut, documents, `[{"id":"a","fields":{"V":"1"}}]`)
			if test.fault.Endpoint == "" {
				test.fault.Endpoint = "put"
			}
			l.strike(test.fault)
			got := l.call(t.Context(), http.MethodPut, documents, `[{"id":"a","fields":{"V":"2"}}]`)
			if got.status != test.status || (got.err != nil) != (test.status == 0) || !strings.HasPrefix(got.body, test.body) && !strings.Contains(got.body, test.body) {
				t.Errorf("want %d %s, got %+v", test.status, test.body, got)
			}
			if test.fault.Cut && strings.Contains(got.body, "success") {
				t.Errorf("want a cut body, got %s", got.body)
			}
			if test.holds == gone {
				l.holds()
				return
			}
			l.holds(test.holds)
		})
	}
}

// TestFaultTimes counts calls: two struck, then one by a fault of any endpoint, then
// none.
func TestFaultTimes(t *testing.T) {
	l := open(t, Options{})
	l.strike(strike.Fault{Endpoint: "put", Times: 2, Status: 503}, strike.Fault{Times: 1, Status: 429})
	for i, want := range []int{503, 503, 429, 200} {
		if got := l.call(t.Context(), http.MethodPut, documents, `[]`).status; got != want {
			t.Errorf("call %d: want %d, got %d", i+1, want, got)
		}
	}
}

// TestLeavingDuringDelay: a client that leaves before the work has nothing done,
// one that leaves after it has all of it done.
func TestLeavingDuringDelay(t *testing.T) {
	for at, want := range map[strike.Point][]string{strike.Before: nil, strike.After: {"a PageContent {}"}} {
		t.Run(string(at), func(t *testing.T) {
			l := open(t, Options{})
			panel := l.strike(strike.Fault{Endpoint: "put", At: at, DelayMS: int(time.Hour / time.Millisecond)})
			ctx, leave := context.WithCancel(t.Context())
			done := make(chan reached)
			go func() { done <- l.call(ctx, http.MethodPut, documents, `[{"id":"a","fields":{}}]`) }()
			for stored := []wire.Document(nil); panel.Calls()["put"] == 0 || len(stored) < len(want); stored, _ = l.Documents(testCustomer, testCrawler) {
				runtime.Gosched()
			}
			leave()
			if got := <-done; got.err == nil {
				t.Errorf("want no answer, got %+v", got)
			}
			l.holds(want...)
		})
	}
}
