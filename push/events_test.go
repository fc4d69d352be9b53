package push

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/wire"
)

const id36 = "0d9fb4a1-7c5f-4b7e-9a53-5a1f3cbe0c11"

// testEvents holds one good event of each kind.
func testEvents() map[string]Event {
	return map[string]Event{
		wire.EventQuery:           {"sw": "bins", "qid": "q1"},
		wire.EventClick:           {"qid": "q1", "ls": "searchresult", "clurl": "https://example.org/bins"},
		wire.EventFeedback:        {"feedbackId": id36, "rating": "positive"},
		wire.EventSummaryFeedback: {"summaryId": "s1", "rating": "negative"},
		wire.EventAnswerFeedback:  {"conversationId": "c1", "exchangeId": "e1", "rating": "positive"},
		wire.EventAnswerClick:     {"conversationId": "c1", "exchangeId": "e1", "url": "https://example.org/bins"},
	}
}

// newEvents returns a client that does not wait, of options with a key that it must
// not use.
func newEvents(t *testing.T, base string) *Events {
	t.Helper()
	return NewEvents(Options{
		BaseURL: base, Customer: testCustomer, Engine: 77, Key: testKey,
		Backoff: func() backoff.BackOff { return &waits{} },
		After:   func(time.Duration) <-chan time.Time { return time.After(0) },
	})
}

// Each kind is one POST to its own path with the SiteKey of the engine, and any 2xx is
// success.
func TestEventsAreSent(t *testing.T) {
	for _, test := range []struct {
		kind   string
		answer http.HandlerFunc
		path   string
		body   string
		want   Receipt
	}{
		{wire.EventQuery, answers(200, `{"id":"t1"}`), "v3/12345678/77/search/pushstat/querylog", `{"qid":"q1","sw":"bins"}`, Receipt{ID: "t1"}},
		{wire.EventClick, answers(201, `{"Id":"t2"}`), "v3/12345678/77/search/pushstat/clicklog", `{"clurl":"https://example.org/bins","ls":"searchresult","qid":"q1"}`, Receipt{ID: "t2"}},
		{wire.EventFeedback, answers(200, `{"value":{"eventId":"v1","feedbackId":"f1"}}`), "v4/12345678/77/feedback", `{"feedbackId":"` + id36 + `","rating":"positive"}`, Receipt{"v1", "f1"}},
		{wire.EventFeedback, answers(200, ``), "v4/12345678/77/feedback", `{"feedbackId":"` + id36 + `","rating":"positive"}`, Receipt{"", id36}},
		{wire.EventSummaryFeedback, answers(204, ``), "v4/12345678/77/search/summarize/feedback", `{"rating":"negative","summaryId":"s1"}`, Receipt{}},
		{wire.EventAnswerFeedback, answers(202, ``), "v4/12345678/77/search/answer/feedback", `{"conversationId":"c1","exchangeId":"e1","rating":"positive"}`, Receipt{}},
		{wire.EventAnswerClick, answers(200, `{}`), "v4/12345678/77/search/answer/click", `{"conversationId":"c1","exchangeId":"e1","url":"https://example.org/bins"}`, Receipt{}},
	} {
		s := newService(t, test.answer)
		got, err := newEvents(t, s.URL).Send(t.Context(), test.kind, testEvents()[test.kind])
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.kind, got, err, test.want)
		}
		call := s.seen()[0]
		if call.Method != "POST" || call.Path != "/api/"+test.path || call.Query != "" || call.Body != test.body {
			t.Errorf("%s: %s %s %s", test.kind, call.Method, call.Path, call.Body)
		}
		// base64 of 12345678:77:SearchKey
		if call.Header.Get("Authorization") != "SiteKey MTIzNDU2Nzg6Nzc6U2VhcmNoS2V5" || call.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: header %v", test.kind, call.Header)
		}
	}
}

// An event is repeated only while the service certainly turned it down.
func TestEventsAreSentAtMostOnce(t *testing.T) {
	good := answers(200, `{"id":"t1"}`)
	for _, test := range []struct {
		name   string
		script script
		calls  int
		kind   Kind // empty: success
		doubt  bool
	}{
		{"429, then good", script{answers(429, ``), answers(429, ``), good}, 3, "", false},
		{"429 for good", script{answers(429, ``)}, maxRetries + 1, KindRateLimited, false},
		{"429, then 500", script{answers(429, ``), answers(500, ``), good}, 2, KindServer, true},
		{"reset", script{resets, good}, 1, KindNetwork, true},
		{"broken off", script{breaksOff, good}, 1, KindNetwork, true},
		{"500", script{answers(500, `{"status":"InternalServerError","code":500,"messages":["Reference 1"]}`), good}, 1, KindServer, true},
		{"503", script{answers(503, ``), good}, 1, KindServer, true},
		{"a page of something else", script{answers(200, `<html>`), good}, 1, KindUnknown, true},
		{"400", script{answers(400, `{"message":"The request could not be processed"}`), good}, 1, KindInvalid, false},
		{"a message as 200", script{answers(200, `{"message":"Thank you"}`), good}, 1, KindInvalid, true},
		{"field errors as 200", script{answers(200, `{"sw":["is odd"]}`), good}, 1, KindFields, true},
		{"401", script{answers(401, `{"message":"unauthorized"}`), good}, 1, KindUnauthorised, false},
		{"mismatch", script{answers(400, `{"Message":"Site ID does not match customer ID"}`), good}, 1, KindMismatch, false},
		{"mismatch as 200", script{answers(200, `{"Message":"Site ID does not match customer ID"}`), good}, 1, KindMismatch, false},
	} {
		for kind, event := range testEvents() {
			s := newService(t, test.script...)
			_, err := newEvents(t, s.URL).Send(t.Context(), kind, event)
			var failure *Error
			if errors.As(err, &failure) != (test.kind != "") || failure != nil && failure.Kind != test.kind || inDoubt(err) != test.doubt || len(s.seen()) != test.calls {
				t.Errorf("%s: %s: %v after %d calls", test.name, kind, err, len(s.seen()))
			}
			if text := fmt.Sprint(err); test.kind == KindUnauthorised && (!strings.Contains(text, "push.engine_id") || strings.Contains(text, "push.api_key")) {
				t.Error(text) // a SiteKey holds no key to check
			}
		}
	}
}

// inDoubt reports whether an error says that the event may have been recorded.
func inDoubt(err error) bool { return strings.Contains(fmt.Sprint(err), "it may have been recorded") }

// A connection that is kept and breaks at the next event is no reason to send it twice:
// net/http repeats some calls by itself.
func TestKeptConnectionRepeatsNoEvent(t *testing.T) {
	var arrived atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if arrived.Add(1) > 1 {
			resets(w, r)
		}
	}))
	t.Cleanup(s.Close)
	v := newEvents(t, s.URL)
	for i, want := range []bool{false, true} {
		_, err := v.Send(t.Context(), wire.EventQuery, testEvents()[wire.EventQuery])
		if inDoubt(err) != want {
			t.Errorf("event %d: %v", i, err)
		}
	}
	if arrived.Load() != 2 {
		t.Errorf("%d calls arrived", arrived.Load())
	}
}

// A context that ends before the call leaves no doubt; one that ends during it does.
func TestEventsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newService(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hangs(w, r) })
	v := newEvents(t, s.URL)
	for i, want := range []bool{true, false} {
		_, err := v.Send(ctx, wire.EventQuery, testEvents()[wire.EventQuery])
		if !errors.Is(err, context.Canceled) || inDoubt(err) != want {
			t.Errorf("event %d: %v", i, err)
		}
	}
	if len(s.seen()) != 1 {
		t.Errorf("%d calls", len(s.seen()))
	}
}
