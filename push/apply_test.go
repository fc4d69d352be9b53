package push

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
)

// noRetry makes the first failure of a call final.
func noRetry(o *Options) {
	o.Backoff = func() backoff.BackOff { return &backoff.StopBackOff{} }
}

func inBatchesOf(n int) func(*Options) {
	return func(o *Options) { o.BatchDocuments = n }
}

func TestApplySpeaksTheInterface(t *testing.T) {
	const body = `[{"id":"https://example.org/0","fields":{"Title":"t"}},{"id":"https://example.org/1","fields":{"Title":"t"}}]`
	for op, method := range map[document.Op]string{document.Put: "PUT", document.Patch: "PATCH"} {
		s := newService(t, accepts)
		c, _ := newClient(t, s.URL+"/region/")
		outcomes, err := apply(t.Context(), c, op, changes(op, numbered(2)...))
		if err != nil || states(outcomes) != "aa" || outcomes[0].By != "row" {
			t.Errorf("%s: %v, %v", op, outcomes, err)
		}
		got := s.seen()[0]
		if got.Method != method || got.Path != "/region/api/v4/12345678/index/crawler%20one/documents" || got.Body != body {
			t.Errorf("%s: sent %+v", op, got)
		}
		request := http.Request{Header: got.Header}
		user, key, _ := request.BasicAuth()
		if user != "12345678" || key != testKey || got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: header %v", op, got.Header)
		}
	}
}

func TestApplyFaults(t *testing.T) {
	unauthorised := `{"message":"unauthorized"}`
	for _, test := range []struct {
		name   string
		op     document.Op
		n      int // changes, in batches of two
		script script
		want   string // states reported
		calls  int
		stop   string // in the error; empty: none
	}{
		{"good rows", document.Patch, 3, script{accepts}, "aaa", 2, ""},
		{"one bad row", document.Patch, 2, script{answers(200, `[{"document":{"id":"https://example.org/0"},"success":true},{"success":false,"reason":"bad field"}]`)}, "ar", 1, ""},
		{"PUT, empty body", document.Put, 2, script{answers(204, "")}, "aa", 1, ""},
		{"PATCH, empty body", document.Patch, 2, script{answers(200, "")}, "dd", 1, ""},
		{"cut rows", document.Put, 2, script{answers(200, `[{"document":{"id":"https`)}, "dd", 1, ""},
		{"page of a proxy", document.Put, 2, script{answers(200, "<html>Log in</html>")}, "dd", 1, ""},
		{"success: false", document.Put, 1, script{answers(200, `{"success":false,"reason":"no"}`)}, "r", 1, ""},
		{"reset, then good", document.Put, 2, script{resets, accepts}, "aa", 2, ""},
		{"answer breaks off, then good", document.Put, 2, script{breaksOff, accepts}, "aa", 2, ""},
		{"one failed batch", document.Put, 4, append(slices.Repeat(script{answers(503, "")}, 6), accepts), "ddaa", 7, ""},
		{"three failed batches", document.Put, 8, script{answers(500, "")}, "dddddd", 18, "3 calls in a row failed"},
		{"5xx that is not tried again", document.Put, 2, script{answers(501, "")}, "dd", 1, ""},
		{"5xx never halves", document.Put, 2, script{answers(504, "")}, "dd", 6, ""},
		{"unauthorised", document.Put, 4, script{answers(401, unauthorised)}, "", 1, "check push.customer_id and push.api_key"},
		{"server error as 200", document.Put, 2, script{answers(200, `{"status":"InternalServerError","code":500,"messages":["x"]}`)}, "dd", 6, ""},
		{"unauthorised as 500", document.Put, 4, script{answers(500, unauthorised)}, "", 1, "push.api_key"},
		{"unauthorised as 200", document.Put, 4, script{answers(200, unauthorised)}, "", 1, "push.api_key"},
		{"unauthorised after a reset", document.Put, 4, script{resets, answers(401, unauthorised)}, "dd", 2, "push.api_key"},
		{"mismatch", document.Put, 4, script{answers(400, `{"Message":"Site ID does not match the customer ID"}`)}, "", 1, "push.crawler_id belong together"},
		{"not found", document.Put, 4, script{answers(404, "")}, "", 1, "push.base_url and the IDs"},
		{"redirect", document.Put, 4, script{answers(308, "", "Location", "https://elsewhere.example/")}, "", 1, "redirects to https://elsewhere.example/"},
		{"too large alone", document.Put, 1, script{answers(413, "")}, "r", 1, ""},
		{"too large together", document.Put, 2, script{answers(413, ""), accepts}, "aa", 3, ""},
		{"one of two refused whole", document.Put, 2, script{answers(400, `{"message":"x"}`), accepts, answers(400, `{"message":"x"}`)}, "ar", 3, ""},
		{"both refused, alike", document.Put, 4, script{answers(400, `{"message":"x"}`)}, "rr", 3, "the request is wrong, not the document"},
		{"both refused, differently", document.Put, 2, script{answers(400, `{"message":"x"}`), answers(400, `{"message":"a"}`), answers(400, `{"message":"b"}`)}, "rr", 3, ""},
		{"both refused, alike, after a good batch", document.Put, 4, script{accepts, answers(400, `{"message":"x"}`)}, "aarr", 4, ""},
		{"stopped between the halves", document.Put, 2, script{answers(400, ""), accepts, answers(401, "")}, "ad", 3, "push.api_key"},
		{"refusal between failures", document.Put, 7, script{answers(501, ""), answers(501, ""), answers(400, ""), accepts, accepts, answers(501, "")}, "ddddaad", 6, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newService(t, test.script...)
			c, _ := newClient(t, s.URL, inBatchesOf(2))
			list := changes(test.op, numbered(test.n)...)
			outcomes, err := apply(t.Context(), c, test.op, list)
			if states(outcomes) != test.want || len(s.seen()) != test.calls {
				t.Errorf("got %s after %d calls, want %s after %d; %+v", states(outcomes), len(s.seen()), test.want, test.calls, outcomes)
			}
			for i, o := range outcomes {
				if o.ID != list[i].ID || (o.State != document.Acknowledged && o.Reason == "") {
					t.Errorf("outcome %d is out of order or without a reason: %+v", i, o)
				}
			}
			checkStop(t, err, test.stop)
		})
	}
}

func checkStop(t *testing.T, err error, want string) {
	t.Helper()
	var stop *StopError
	switch {
	case want == "" && err == nil:
	case want == "" || !errors.As(err, &stop) || !strings.Contains(err.Error(), want):
		t.Errorf("error %v, want a StopError with %q", err, want)
	}
}

func TestApplyHalvesToTheOneBadDocument(t *testing.T) {
	bad := "https://example.org/37"
	s := newService(t, func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(idsOf(r), bad) {
			answers(400, `{"message":"The request could not be processed"}`)(w, r)
			return
		}
		answers(200, "{}")(w, r)
	})
	c, _ := newClient(t, s.URL)
	outcomes, err := apply(t.Context(), c, document.Put, changes(document.Put, numbered(100)...))
	if err != nil || len(outcomes) != 100 {
		t.Fatalf("%d outcomes, %v", len(outcomes), err)
	}
	for i, o := range outcomes {
		if (o.State == document.Refused) != (i == 37) || o.State == document.Acknowledged && o.By != "status" {
			t.Errorf("outcome %d: %+v", i, o)
		}
	}
	if calls := len(s.seen()); calls > 16 {
		t.Errorf("%d calls", calls)
	}
}

func TestApplyRefusesUnsent(t *testing.T) {
	s := newService(t, accepts)
	c, _ := newClient(t, s.URL)
	list := changes(document.Put, "https://example.org/a", "", strings.Repeat("x", MaxID), strings.Repeat("y", MaxID+1), "\xff", "https://example.org/b")
	list = append(list, document.Change{Op: document.Put, ID: "https://example.org/nothing"})
	outcomes, err := apply(t.Context(), c, document.Put, list)
	if err != nil || states(outcomes) != "arar"+"rar" {
		t.Errorf("got %s, %v", states(outcomes), err)
	}
}

func TestApplyStopsBeforeAnyCall(t *testing.T) {
	twice := changes(document.Put, "a", "b", "a")
	mixed := append(changes(document.Put, "a"), changes(document.Patch, "b")...)
	for _, test := range []struct {
		op   document.Op
		list []document.Change
		want string
	}{
		{document.Put, twice, "two changes name the ID a"},
		{document.Put, mixed, "the change of b is a patch"},
		{document.BulkDelete, changes(document.BulkDelete, "a"), "no operation on documents"},
	} {
		s := newService(t, accepts)
		c, _ := newClient(t, s.URL)
		outcomes, err := apply(t.Context(), c, test.op, test.list)
		checkStop(t, err, test.want)
		if len(outcomes) > 0 || len(s.seen()) > 0 {
			t.Errorf("%v after %d calls", outcomes, len(s.seen()))
		}
	}
}

func TestApplyEndsWithTheReportsError(t *testing.T) {
	s := newService(t, accepts)
	c, _ := newClient(t, s.URL, inBatchesOf(1))
	full := errors.New("the disk is full")
	err := c.Apply(t.Context(), document.Put, changes(document.Put, "a", "b"), func([]document.Outcome) error { return full })
	if !errors.Is(err, full) || len(s.seen()) != 1 {
		t.Errorf("%v after %d calls", err, len(s.seen()))
	}
}

func TestApplyInterrupted(t *testing.T) {
	for _, op := range []document.Op{document.Put, document.Delete} {
		ctx, cancel := context.WithCancel(t.Context())
		s := newService(t, func(w http.ResponseWriter, r *http.Request) {
			cancel()
			hangs(w, r)
		})
		c, _ := newClient(t, s.URL, inBatchesOf(1))
		outcomes, err := apply(ctx, c, op, changes(op, "a", "b"))
		if !errors.Is(err, context.Canceled) || states(outcomes) != "d" || len(s.seen()) != 1 {
			t.Errorf("%s: %v, %v after %d calls", op, outcomes, err, len(s.seen()))
		}
	}
}

func TestApplyInterruptedBeforeTheFirstCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newService(t, accepts)
	c, _ := newClient(t, s.URL)
	outcomes, err := apply(ctx, c, document.Put, changes(document.Put, "a"))
	if !errors.Is(err, context.Canceled) || len(outcomes) > 0 || len(s.seen()) > 0 {
		t.Errorf("%v, %v", outcomes, err)
	}
}

func TestApplyInterruptedWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newService(t, answers(503, "", "Retry-After", "300"))
	c, _ := newClient(t, s.URL)
	c.o.After = func(d time.Duration) <-chan time.Time {
		cancel()
		return time.After(d)
	}
	outcomes, err := apply(ctx, c, document.Put, changes(document.Put, "a"))
	if !errors.Is(err, context.Canceled) || states(outcomes) != "d" {
		t.Errorf("%v, %v", outcomes, err)
	}
}

func TestApplyTimesOut(t *testing.T) {
	s := newService(t, hangs)
	c, _ := newClient(t, s.URL, noRetry, func(o *Options) { o.Timeout = 10 * time.Millisecond })
	outcomes, err := apply(t.Context(), c, document.Put, changes(document.Put, "a"))
	if err != nil || states(outcomes) != "d" || !strings.Contains(outcomes[0].Reason, "within 10ms") {
		t.Errorf("%v, %v", outcomes, err)
	}
}

// The rows of a long document repeat it, each byte as six.
func TestLongRows(t *testing.T) {
	text := strings.Repeat("x", maxAnswer/4)
	s := newService(t, answers(200, `[{"document":{"id":"A","fields":{"Content":"`+strings.Repeat(`\u0078`, len(text))+`"}},"success":true}]`))
	c, _ := newClient(t, s.URL)
	change := document.Change{Op: document.Put, ID: "A", Doc: document.Document{ID: "A", Fields: map[string]string{"Content": text}}.Wire()}
	outcomes, err := apply(t.Context(), c, document.Put, []document.Change{change})
	if err != nil || states(outcomes) != "a" {
		t.Errorf("%+v, %v", outcomes, err)
	}
}

// TestApplyQueue: URLs go to the crawler that fetches them; one is told only where its own
// status is Ok.
func TestApplyQueue(t *testing.T) {
	for _, test := range []struct {
		name   string
		script script
		want   string // outcomes of a, b and c
		stops  bool
	}{
		{"told", script{answers(200, `[{"url":"b","status":"Ok"},{"url":"a","status":"Ok"}]`), answers(200, `[{"url":"c","status":"Ok"}]`)},
			"[{a acknowledged row } {b acknowledged row } {c acknowledged row }]", false},
		{"any other word", script{answers(200, `[{"Url":"a","Status":"Invalid"},{"url":"b","status":"ok"}]`), answers(200, `[{"url":"c","status":"Ok"}]`)},
			"[{a refused  Invalid} {b refused  ok} {c acknowledged row }]", false},
		{"no status", script{answers(200, ``), answers(200, `[{"url":"c","status":null}]`)},
			"[{a in-doubt  the answer holds no row for it} {b in-doubt  the answer holds no row for it} {c in-doubt  the answer's row holds no verdict}]", false},
		{"too large together", script{answers(413, ``), answers(200, `[{"url":"a","status":"Ok"}]`), answers(200, `[{"url":"b","status":"Ok"}]`), answers(200, `[{"url":"c","status":"Ok"}]`)},
			"[{a acknowledged row } {b acknowledged row } {c acknowledged row }]", false},
		{"unauthorised", script{answers(401, ``)}, "[]", true},
	} {
		s := newService(t, test.script...)
		c, _ := newClient(t, s.URL, inBatchesOf(2), func(o *Options) { o.QueueCrawler = "hosted" })
		got, err := apply(t.Context(), c, document.Queue, changes(document.Queue, "a", "b", "c"))
		if fmt.Sprint(got) != test.want || (err != nil) != test.stops {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
		call := s.seen()[0]
		if call.Path != "/api/v4/12345678/crawler/hosted/paths" || call.Method != "POST" || call.Body != `["a","b"]` {
			t.Errorf("%s: sent %+v", test.name, call)
		}
	}
}
