package push

import (
	"fmt"
	"testing"

	"sitesync/internal/document"
)

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
