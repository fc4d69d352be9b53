package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/uuid"

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
		wire.EventAnswerFeedback:  {"conversationId": "c1", "exchangeId": "e1", "rating": "Positive"},
		wire.EventAnswerClick:     {"conversationId": "c1", "exchangeId": "e1", "url": "https://example.org/bins"},
	}
}

func testEventKeys() EventKeys { return EventKeys{Device: "dt", Source: "ls", Rating: "rating"} }

// newEvents returns a client that does not wait, of options with a key that it must
// not use.
func newEvents(t *testing.T, base string) *Events {
	t.Helper()
	v, err := NewEvents(Options{
		BaseURL: base, Customer: testCustomer, Engine: 77, Key: testKey,
		Backoff: func() backoff.BackOff { return &waits{} },
		After:   func(time.Duration) <-chan time.Time { return time.After(0) },
	}, testEventKeys())
	if err != nil {
		t.Fatal(err)
	}
	return v
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
		script []http.HandlerFunc
		calls  int
		kind   Kind // empty: success
		doubt  bool
	}{
		{"429, then good", []http.HandlerFunc{answers(429, ``), answers(429, ``), good}, 3, "", false},
		{"429 for good", []http.HandlerFunc{answers(429, ``)}, maxRetries + 1, KindRateLimited, false},
		{"429, then 500", []http.HandlerFunc{answers(429, ``), answers(500, ``), good}, 2, KindServer, true},
		{"reset", []http.HandlerFunc{resets, good}, 1, KindNetwork, true},
		{"broken off", []http.HandlerFunc{breaksOff, good}, 1, KindNetwork, true},
		{"500", []http.HandlerFunc{answers(500, `{"status":"InternalServerError","code":500,"messages":["Reference 1"]}`), good}, 1, KindServer, true},
		{"503", []http.HandlerFunc{answers(503, ``), good}, 1, KindServer, true},
		{"a page of something else", []http.HandlerFunc{answers(200, `<html>`), good}, 1, KindUnknown, true},
		{"400", []http.HandlerFunc{answers(400, `{"message":"The request could not be processed"}`), good}, 1, KindInvalid, false},
		{"401", []http.HandlerFunc{answers(401, `{"message":"unauthorized"}`), good}, 1, KindUnauthorised, false},
		{"mismatch", []http.HandlerFunc{answers(400, `{"Message":"Site ID does not match customer ID"}`), good}, 1, KindMismatch, false},
		{"mismatch as 200", []http.HandlerFunc{answers(200, `{"Message":"Site ID does not match customer ID"}`), good}, 1, KindMismatch, false},
	} {
		for kind, event := range testEvents() {
			s := newService(t, test.script...)
			_, err := newEvents(t, s.URL).Send(t.Context(), kind, event)
			var failure *Error
			var doubt *DoubtError
			if errors.As(err, &failure) != (test.kind != "") || failure != nil && failure.Kind != test.kind || errors.As(err, &doubt) != test.doubt || len(s.seen()) != test.calls {
				t.Errorf("%s: %s: %v after %d calls", test.name, kind, err, len(s.seen()))
			}
		}
	}
}

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
		var doubt *DoubtError
		if errors.As(err, &doubt) != want {
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
		var doubt *DoubtError
		if !errors.Is(err, context.Canceled) || errors.As(err, &doubt) != want {
			t.Errorf("event %d: %v", i, err)
		}
	}
	if len(s.seen()) != 1 {
		t.Errorf("%d calls", len(s.seen()))
	}
}

func TestNewEventsNeedsCustomerAndEngine(t *testing.T) {
	_, err := NewEvents(Options{BaseURL: "https://service.example", Customer: 1}, testEventKeys())
	if err == nil || !strings.Contains(err.Error(), "push.engine_id") || strings.Contains(err.Error(), "key") {
		t.Error(err)
	}
}

// with returns the good event of a kind with other values; "-" takes a key out.
func with(kind string, pairs ...string) Event {
	event := testEvents()[kind]
	for i := 0; i < len(pairs); i += 2 {
		event[pairs[i]] = pairs[i+1]
		if pairs[i+1] == "-" {
			delete(event, pairs[i])
		}
	}
	return event
}

func TestEventRules(t *testing.T) {
	for _, test := range []struct {
		kind  string
		pairs []string
		fault string // empty: fine
	}{
		{wire.EventQuery, []string{"sw", "-"}, "sw is missing"},
		{wire.EventQuery, []string{"sw", "-", "qid", " "}, "sw is missing; qid is missing"},
		{wire.EventQuery, []string{"pn", "2", "rc", "0", "ban", "1", "rt", "17", "sz", "1920x1080", "dt", "tablet", "other", "anything"}, ""},
		{wire.EventQuery, []string{"pn", "-1"}, "pn must be a whole number"},
		{wire.EventQuery, []string{"rc", "many"}, "rc must be a whole number"},
		{wire.EventQuery, []string{"rt", "1.5"}, "rt must be a whole number"},
		{wire.EventQuery, []string{"ban", ""}, "ban must be a whole number"},
		{wire.EventQuery, []string{"sz", "1920*1080"}, "sz must be a size"},
		{wire.EventQuery, []string{"sz", "1920x"}, "sz must be a size"},
		{wire.EventQuery, []string{"dt", "Mobile"}, "dt must be mobile"},
		{wire.EventQuery, []string{"bnrs", "a\x00"}, "bnrs holds a control character"},
		{wire.EventQuery, []string{" ", "x"}, "a key is blank"},
		{wire.EventClick, []string{"ls", "-"}, "ls is missing"},
		{wire.EventClick, []string{"ls", "Banner"}, "ls must be searchresult or banner"},
		{wire.EventClick, []string{"ls", "banner", "cloi", "7", "cli", "3", "dt", "desktop"}, ""},
		{wire.EventClick, []string{"cli", "first"}, "cli must be a whole number"},
		{wire.EventClick, []string{"clurl", "/bins"}, "clurl must be a full web address"},
		{wire.EventClick, []string{"clurl", "javascript:alert(1)"}, "clurl must be a full web address"},
		{wire.EventClick, []string{"clurl", "https://user:word@example.org/"}, "clurl must be a full web address"},
		{wire.EventFeedback, []string{"rating", "Positive"}, "rating must be positive or negative"},
		{wire.EventFeedback, []string{"rating", "-", "deviceType", "watch"}, ""},
		{wire.EventFeedback, []string{"feedbackId", "7"}, "feedbackId must be a UUID"},
		{wire.EventFeedback, []string{"feedbackId", "{" + id36 + "}"}, "feedbackId must be a UUID"},
		{wire.EventFeedback, []string{"url", "example.org"}, "url must be a full web address"},
		{wire.EventFeedback, []string{"screenResolution", "big"}, "screenResolution must be a size"},
		{wire.EventFeedback, []string{"feedbackId", "-", "rating", "-"}, "the feedback says nothing"},
		{wire.EventSummaryFeedback, []string{"summaryId", "-"}, "summaryId is missing"},
		{wire.EventSummaryFeedback, []string{"rating", "NEGATIVE"}, "rating must be positive or negative"},
		{wire.EventAnswerFeedback, []string{"conversationId", "-", "exchangeId", "-"}, "conversationId is missing; exchangeId is missing"},
		{wire.EventAnswerFeedback, []string{"rating", "nEGATIVE"}, ""},
		{wire.EventAnswerFeedback, []string{"rating", "good"}, "rating must be positive or negative"},
		{wire.EventAnswerFeedback, []string{"rating", "", "comment", " ", "reason", "\t"}, "rating, reason and comment are empty"},
		{wire.EventAnswerFeedback, []string{"rating", "", "comment", "wrong"}, ""},
		{wire.EventAnswerClick, []string{"url", "-"}, "url is missing"},
		{wire.EventAnswerClick, []string{"exchangeId", "-"}, "exchangeId is missing"},
	} {
		_, err := testEventKeys().Prepare(test.kind, with(test.kind, test.pairs...))
		if (err == nil) != (test.fault == "") || err != nil && !strings.HasPrefix(err.Error(), test.fault) {
			t.Errorf("%s with %q: %v, want %q", test.kind, test.pairs, err, test.fault)
		}
	}
}

// What is withheld from the specification is known by its configured name, and only so.
func TestEventKeysAreConfigured(t *testing.T) {
	keys := EventKeys{Device: "device", Source: "logSource", Rating: "score", Language: "lang"}
	for _, test := range []struct {
		kind  string
		event Event
		good  bool
	}{
		{wire.EventQuery, Event{"sw": "a", "qid": "q", "device": "phone"}, false},
		{wire.EventQuery, Event{"sw": "a", "qid": "q", "dt": "phone"}, true},
		{wire.EventClick, Event{"ls": "banner"}, false},
		{wire.EventClick, Event{"logSource": "banner"}, true},
		{wire.EventSummaryFeedback, Event{"summaryId": "s", "score": "fine"}, false},
		{wire.EventSummaryFeedback, Event{"summaryId": "s", "rating": "fine"}, true},
	} {
		if _, err := keys.Prepare(test.kind, test.event); (err == nil) != test.good {
			t.Errorf("%s %v: %v", test.kind, test.event, err)
		}
	}
}

func TestPrepare(t *testing.T) {
	given := Event{"conversationId": "c", "exchangeId": "e", "rating": " POSITIVE ", "reason": " ", "comment": " kept "}
	got, err := testEventKeys().Prepare(wire.EventAnswerFeedback, given)
	if want := (Event{"conversationId": "c", "exchangeId": "e", "rating": "positive", "comment": " kept "}); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if given["rating"] != " POSITIVE " || given["reason"] != " " {
		t.Errorf("the given event is changed: %v", given)
	}
	for _, given := range []Event{{"comment": "x"}, {"comment": "x", "feedbackId": ""}} {
		got, err = testEventKeys().Prepare(wire.EventFeedback, given)
		if id, parseErr := uuid.Parse(got["feedbackId"]); err != nil || parseErr != nil || id.Version() != 4 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

func TestParseEvent(t *testing.T) {
	for raw, want := range map[string]string{
		`{"sw":"a","pn":2,"x":1.50,"y":true,"z":-0,"big":123456789012345678901234567890}`: `{"big":"123456789012345678901234567890","pn":"2","sw":"a","x":"1.50","y":"true","z":"-0"}`,
		`{"a":1e3,"b":25E-1,"c":1e21}`: `{"a":"1000","b":"2.5","c":"1000000000000000000000"}`,
		` {} `:                         `{}`,
		`{"a":null}`:                   "a is no text",
		`{"a":["x"]}`:                  "a is no text",
		`{"a":{}}`:                     "a is no text",
		`{"a":1e999}`:                  "a is no text",
		`{"a":"x","a":"y"}`:            "a comes twice",
		`{"a":"x"`:                     "it is cut off",
		`{"a":`:                        "read a",
		`{"a"`:                         "read a",
		`{"a":"x",}`:                   "read a key",
		`{"a":"x"} {}`:                 "something follows",
		`{"a":"x"]`:                    "it is cut off",
		`["a"]`:                        "it is no JSON object",
		``:                             "it is no JSON object",
		"{\"a\":\"\xff\"}":             "it is not UTF-8",
	} {
		event, err := ParseEvent([]byte(raw))
		got, _ := json.Marshal(event)
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.HasPrefix(string(got), want) {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

func TestDropPersonal(t *testing.T) {
	event := Event{"ip": "192.0.2.1", "UA": "x", "userAgent": "x", "RefUrl": "x", "refpt": "stays", "sw": "stays"}
	if got := fmt.Sprint(event.DropPersonal(), event); got != "[RefUrl UA ip userAgent] map[refpt:stays sw:stays]" {
		t.Error(got)
	}
}

func FuzzEvents(f *testing.F) {
	for _, line := range []string{
		`{"sw":"a","qid":"b","pn":2,"dt":"mobile"}`, `{"a":1e3}`, `{"a":null}`, `{"a":[]}`, `{"a":{"b":1}}`, `{"a":"x","a":"y"}`, `{`, `{}x`, `[]`, `"\ud800"`, `{"":""}`, "{\"a\":\"\\u0000\"}",
		`{"rating":"POSITIVE","conversationId":"c","exchangeId":"e"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		event, err := ParseEvent(line)
		if err != nil {
			return
		}
		var whole map[string]any
		if err := json.Unmarshal(line, &whole); err != nil || len(whole) != len(event) {
			t.Fatalf("%q was read as %v: %v", line, event, err)
		}
		event.DropPersonal()
		for kind := range testEvents() {
			once, err := testEventKeys().Prepare(kind, event)
			if err != nil {
				continue
			}
			if twice, err := testEventKeys().Prepare(kind, once); err != nil || !maps.Equal(once, twice) {
				t.Errorf("%s: %v becomes %v, %v", kind, once, twice, err)
			}
		}
	})
}
