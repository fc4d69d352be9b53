package push

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
)

const (
	testCustomer = 12345678
	testKey      = "ca/na+ry<key>&\"7f3b9d"
)

// call is one request as the service saw it.
type call struct {
	Method, Path, Query, Body string
	Header                    http.Header
}

// script is what a service answers, one call after the other; the last answer stays.
type script = []http.HandlerFunc

// service is a Site Search Service that answers from a script.
type service struct {
	*httptest.Server
	mu     sync.Mutex
	calls  []call
	script script
}

func newService(t *testing.T, script ...http.HandlerFunc) *service {
	t.Helper()
	s := &service{script: script}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.calls = append(s.calls, call{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, string(body), r.Header.Clone()})
	step := s.script[min(len(s.calls), len(s.script))-1]
	s.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	step(w, r)
}

func (s *service) seen() []call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]call(nil), s.calls...)
}

// answers replies with a status, a body and header fields in pairs.
func answers(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// resets breaks the connection without an answer.
func resets(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

// breaksOff promises more bytes than it sends.
func breaksOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `[{"document":`)
}

// hangs never answers.
func hangs(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// accepts answers each document with a good row, as the service does.
func accepts(w http.ResponseWriter, r *http.Request) {
	rows := []any{}
	for _, id := range idsOf(r) {
		rows = append(rows, map[string]any{"document": map[string]any{"id": id, "type": 0, "fields": map[string]string{}}, "reason": "", "success": true})
	}
	_ = json.NewEncoder(w).Encode(rows)
}

func idsOf(r *http.Request) []string {
	var docs []document.Document
	if err := json.NewDecoder(r.Body).Decode(&docs); err != nil {
		panic(fmt.Sprintf("a body that is no array of documents: %v", err))
	}
	ids := make([]string, len(docs))
	for i, doc := range docs {
		ids[i] = doc.ID
	}
	return ids
}

// waits keeps the waits that a client made.
type waits struct{ made []time.Duration }

func (*waits) NextBackOff() time.Duration { return time.Millisecond }
func (*waits) Reset()                     {}

// newClient returns a client that does not wait, and the record of its waits.
func newClient(t *testing.T, base string, change ...func(*Options)) (*Client, *waits) {
	t.Helper()
	record := &waits{}
	options := Options{
		BaseURL: base, Customer: testCustomer, Crawler: "crawler one", Key: testKey,
		Backoff: func() backoff.BackOff { return record },
	}
	for _, f := range change {
		f(&options)
	}
	c := New(options)
	c.o.After = func(d time.Duration) <-chan time.Time {
		record.made = append(record.made, d)
		return time.After(0)
	}
	return c, record
}

// changes returns one change of op for each ID.
func changes(op document.Op, ids ...string) []document.Change {
	list := make([]document.Change, len(ids))
	for i, id := range ids {
		list[i] = document.Change{Op: op, ID: id, Cause: document.CauseChanged}
		if op != document.Delete {
			list[i].Doc = document.Document{ID: id, Fields: map[string]string{"Title": "t"}}.Wire()
		}
	}
	return list
}

// numbered returns n IDs.
func numbered(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("https://example.org/%d", i)
	}
	return ids
}

// apply runs Apply and collects what it reports.
func apply(ctx context.Context, c *Client, op document.Op, list []document.Change) ([]document.Outcome, error) {
	var got []document.Outcome
	err := c.Apply(ctx, op, list, func(outcomes []document.Outcome) error {
		got = append(got, outcomes...)
		return nil
	})
	return got, err
}

// states draws outcomes as one letter each: a, r or d.
func states(outcomes []document.Outcome) (drawn string) {
	for _, o := range outcomes {
		drawn += map[document.State]string{document.Acknowledged: "a", document.Refused: "r", document.InDoubt: "d"}[o.State]
	}
	return drawn
}
