package push

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// echoes answers each document with size bytes of fields, the last document first.
func echoes(size int, escaped string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ids := idsOf(r)
		text := strings.Repeat(escaped, size/len(escaped))
		for i := range ids {
			fmt.Fprintf(w, `%c{"new":{"deep":[[{"a":"`, "[,"[min(i, 1)])
			_, _ = io.WriteString(w, text)
			_, _ = io.WriteString(w, `"}]]},"success":true,"document":{"fields":{"Content":"`)
			_, _ = io.WriteString(w, text)
			fmt.Fprintf(w, `"},"id":%q}}`, ids[len(ids)-1-i])
		}
		_, _ = io.WriteString(w, "]")
	}
}

// TestLongRows: rows of 18 MB each are read for their verdicts, however many come in a row,
// and their texts are never held.
func TestLongRows(t *testing.T) {
	size := 9 << 20
	if testing.Short() { // the race detector looks at each byte
		size /= 9
	}
	for _, test := range []struct {
		text                   string
		size, documents, batch int
	}{{"text ", size, 3, 1}, {`\u0442`, 100_000, 3, 3}, {`\\\"`, 100_000, 2, 2}} {
		s := newService(t, echoes(test.size, test.text))
		c, _ := newClient(t, s.URL, func(o *Options) { o.BatchDocuments = test.batch })
		outcomes, err := apply(t.Context(), c, document.Patch, changes(document.Patch, numbered(test.documents)...))
		if err != nil || states(outcomes) != "aaa"[:test.documents] || outcomes[0].By != "row" || outcomes[0].Reason != "" {
			t.Errorf("%s: %s %+v, %v", test.text, states(outcomes), outcomes, err)
		}
	}
	var before, after runtime.MemStats
	body := strings.NewReader(`[{"a":"` + strings.Repeat("x", size) + `"}]`)
	runtime.ReadMemStats(&before)
	short, err := readShort(body, 16<<20, maxText)
	runtime.ReadMemStats(&after)
	if held := after.TotalAlloc - before.TotalAlloc; string(short) != `[{"a":`+longText+`}]` || err != nil || held > 1<<20 {
		t.Errorf("%d bytes are held to read %d, %v", held, len(short), err)
	}
}

// TestLongRowsThatBreakOff: an answer that ends early acknowledges nothing, wherever it
// ends.
func TestLongRowsThatBreakOff(t *testing.T) {
	for _, end := range []string{"", `\`, `\u00`, `"`, `"},"id":"A"},"success":true`} {
		s := newService(t, answers(200, `[{"document":{"fields":{"Content":"`+strings.Repeat("x", 2*maxText)+end))
		c, _ := newClient(t, s.URL, noRetry)
		if outcomes, err := apply(t.Context(), c, document.Put, changes(document.Put, "A")); states(outcomes) != "d" || err != nil {
			t.Errorf("%q: %+v, %v", end, outcomes, err)
		}
	}
}

// TestAnswersBeyondTheBound: answers that are too long leave documents in doubt, and don't
// end the run however many come in a row; a question is asked again for fewer.
func TestAnswersBeyondTheBound(t *testing.T) {
	long := `[{"many":[` + strings.Repeat(`1,`, 1<<16) + `1]}]`
	s := newService(t, answers(200, long))
	c, _ := newClient(t, s.URL, func(o *Options) { o.BatchDocuments = 1 })
	c.answerBytes = 1 << 17
	outcomes, err := apply(t.Context(), c, document.Put, changes(document.Put, numbered(5)...))
	if err != nil || states(outcomes) != "ddddd" || !strings.Contains(outcomes[0].Reason, "too long") {
		t.Errorf("%+v, %v", outcomes, err)
	}
	s = newService(t, answers(200, `["`+strings.Repeat("x", rawFactor<<17)+`"]`))
	c, _ = newClient(t, s.URL)
	c.answerBytes = 1 << 17
	if outcomes, err := apply(t.Context(), c, document.Put, changes(document.Put, "A")); err != nil || states(outcomes) != "d" || !strings.Contains(outcomes[0].Reason, "too long") {
		t.Errorf("%+v, %v", outcomes, err)
	}
	text := strings.Repeat("x", 80_000)
	s = newService(t, func(w http.ResponseWriter, r *http.Request) {
		for i, id := range idsOf(r) {
			fmt.Fprintf(w, `%c{"success":true,"document":{"id":%q,"fields":{"Title":%q}}}`, "[,"[min(i, 1)], id, text)
		}
		_, _ = io.WriteString(w, "]")
	})
	c, _ = newClient(t, s.URL)
	c.answerBytes = 1 << 17
	if got, err := ask(t, c); got != "acknowledged "+text+", acknowledged "+text || err != nil || len(s.seen()) != 3 {
		t.Errorf("%.80q, %v after %d calls", got, err, len(s.seen()))
	}
}

// FuzzReadShort: what is read short is valid where the answer is, says the same of each
// document, and differs in long texts alone.
func FuzzReadShort(f *testing.F) {
	const most = 64
	filler := strings.Repeat("x", most)
	for _, body := range []string{
		``, `[]`, `[{"document":{"id":"A","fields":{"a":"` + filler + `"}},"success":true}]`, `[{"document":{"id":"` + filler + `"},"success":true},{"success":false,"reason":"` + filler + `"}]`,
		`{"message":"` + filler + `"}`, `[{"` + filler + `":1,"\u0073uccess":true}]`, `["` + filler + `\`, `["` + filler + `\u00"]`, `["` + filler + "\n" + `"]`, `["` + filler + `\x"]`, `["\u` + filler, `"` + strings.Repeat(`\"`, most) + `"`,
	} {
		f.Add([]byte(body))
	}
	list := changes(document.Patch, "A", "B")
	f.Fuzz(func(t *testing.T, body []byte) {
		short, err := readShort(bytes.NewReader(body), 1<<20, most)
		if err != nil || len(short) > len(body) || json.Valid(short) != json.Valid(body) {
			t.Fatalf("%q is read as %q, %v", body, short, err)
		}
		was, is := newAnswer(200, body), newAnswer(200, short)
		if (classify(was, nil) == nil) != (classify(is, nil) == nil) {
			t.Errorf("%q fails otherwise than %q", short, body)
		}
		if a, b := states(judgeRows(document.Patch, list, was.rows)), states(judgeRows(document.Patch, list, is.rows)); a != b {
			t.Errorf("%q says %s, %q says %s", body, a, short, b)
		}
		for a, b := json.NewDecoder(bytes.NewReader(body)), json.NewDecoder(bytes.NewReader(short)); json.Valid(body); {
			want, err := a.Token()
			got, err2 := b.Token()
			text, _ := want.(string)
			if got != want && (got != longText[1:len(longText)-1] || 6*len(text) < most-2) || err != err2 {
				t.Fatalf("%v (%v) is read as %v (%v)", want, err, got, err2)
			}
			if err != nil {
				return
			}
		}
	})
}
