package push

import (
	"fmt"
	"net/http"
	"testing"

	"sitesync/internal/document"
)

// TestQueueCall: URLs go to the crawler that fetches them.
func TestQueueCall(t *testing.T) {
	s := newService(t, answers(200, `[{"Url":"b","Status":"Invalid"},{"url":"a","status":"Ok"}]`))
	c, _ := newClient(t, s.URL, func(o *Options) { o.QueueCrawler = "hosted" })
	outcomes, err := apply(t.Context(), c, document.Queue, changes(document.Queue, "a", "b"))
	call := s.seen()[0]
	if states(outcomes) != "ar" || err != nil || call.Path != "/api/v4/12345678/crawler/hosted/paths" || call.Method != "POST" || call.Body != `["a","b"]` {
		t.Errorf("%+v, %v, sent %+v", outcomes, err, call)
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
			"[{a in-doubt  the answer holds no row for it} {b in-doubt  the answer holds no row for it} {c in-doubt  the answer's row holds no verdict}]", false},
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
