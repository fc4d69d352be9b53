package push

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

func TestQueue(t *testing.T) {
	s := newService(t,
		answers(200, `[{"Url":"https://example.org/b","Status":"Invalid"},{"url":"https://example.org/a","status":"Ok"}]`),
		answers(200, `[{"url":"https://example.org/c","status":"ok"}]`))
	c, _ := newClient(t, s.URL, inBatchesOf(2), func(o *Options) { o.QueueCrawler = "hosted" })
	urls := []string{"https://example.org/a", "https://example.org/b#x", "https://example.org/a#y", "", "https://example.org/c", "https://example.org/d"}
	got, err := c.Queue(t.Context(), urls)
	want := []wire.PathStatus{
		{URL: urls[0], Status: PathOK}, {URL: urls[1], Status: "Invalid"}, {URL: urls[2], Status: PathOK},
		{URL: ""}, {URL: urls[4], Status: "ok"}, {URL: urls[5]},
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	calls := s.seen()
	if calls[0].Path != "/api/v4/12345678/crawler/hosted/paths" || calls[0].Method != "POST" ||
		calls[0].Body != `["https://example.org/a","https://example.org/b"]` || calls[1].Body != `["https://example.org/c","https://example.org/d"]` {
		t.Errorf("sent %+v", calls)
	}
}

func TestQueueFaults(t *testing.T) {
	for _, test := range []struct {
		name   string
		script []http.HandlerFunc
		status string // of a, then b
		kind   Kind
	}{
		{"by place", []http.HandlerFunc{answers(200, `[{"status":"Ok"}]`)}, "[{a Ok} {b Ok}]", ""},
		{"altered URL", []http.HandlerFunc{answers(200, `[{"url":"http://a/","status":"Ok"}]`)}, "[{a Ok} {b Ok}]", ""},
		{"no rows", []http.HandlerFunc{answers(200, ``)}, "[{a } {b }]", ""},
		{"other rows", []http.HandlerFunc{answers(200, `["Ok"]`)}, "[{a } {b }]", ""},
		{"unauthorised later", []http.HandlerFunc{answers(200, `[{"url":"a","status":"Ok"}]`), answers(401, ``)}, "[{a Ok} {b }]", KindUnauthorised},
		{"server", []http.HandlerFunc{answers(500, ``)}, "[{a } {b }]", KindServer},
		{"cut", []http.HandlerFunc{answers(200, `[{"url"`)}, "[{a } {b }]", KindUnknown},
	} {
		s := newService(t, test.script...)
		c, _ := newClient(t, s.URL, inBatchesOf(1))
		got, err := c.Queue(t.Context(), []string{"a", "b"})
		var failure *Error
		if fmt.Sprint(got) != test.status || errors.As(err, &failure) != (test.kind != "") || failure != nil && failure.Kind != test.kind {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
}

// TestApplyQueue: a URL is told only where its own status is Ok.
func TestApplyQueue(t *testing.T) {
	for _, test := range []struct {
		name   string
		script []http.HandlerFunc
		want   string // outcomes of a, b and c
		stops  bool
	}{
		{"told", []http.HandlerFunc{answers(200, `[{"url":"b","status":"Ok"},{"url":"a","status":"Ok"}]`), answers(200, `[{"url":"c","status":"Ok"}]`)},
			"[{a acknowledged row } {b acknowledged row } {c acknowledged row }]", false},
		{"any other word", []http.HandlerFunc{answers(200, `[{"url":"a","status":"Invalid"},{"url":"b","status":"ok"}]`), answers(200, `[{"url":"c","status":"Ok"}]`)},
			"[{a refused  Invalid} {b refused  ok} {c acknowledged row }]", false},
		{"no status", []http.HandlerFunc{answers(200, ``), answers(200, `[{"url":"c","status":null}]`)},
			"[{a in-doubt  the answer holds no status for it} {b in-doubt  the answer holds no status for it} {c in-doubt  the answer holds no status for it}]", false},
		{"too large together", []http.HandlerFunc{answers(413, ``), answers(200, `[{"url":"a","status":"Ok"}]`), answers(200, `[{"url":"b","status":"Ok"}]`), answers(200, `[{"url":"c","status":"Ok"}]`)},
			"[{a acknowledged row } {b acknowledged row } {c acknowledged row }]", false},
		{"unauthorised", []http.HandlerFunc{answers(401, ``)}, "[]", true},
	} {
		s := newService(t, test.script...)
		c, _ := newClient(t, s.URL, inBatchesOf(2))
		var changes []document.Change
		for _, id := range []string{"a", "b", "c"} {
			changes = append(changes, document.Change{Op: document.Queue, ID: id})
		}
		got := []document.Outcome{}
		err := c.Apply(t.Context(), document.Queue, changes, func(o []document.Outcome) error { got = append(got, o...); return nil })
		if fmt.Sprint(got) != test.want || (err != nil) != test.stops {
			t.Errorf("%s: %v, %v", test.name, got, err)
		}
	}
}

func TestQueueOfNothing(t *testing.T) {
	s := newService(t, answers(500, ""))
	c, _ := newClient(t, s.URL)
	if got, err := c.Queue(t.Context(), nil); err != nil || len(got) != 0 || len(s.seen()) != 0 {
		t.Error(got, err)
	}
}
