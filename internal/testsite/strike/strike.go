// Package strike stands before the Site Search Service in tests: it makes calls of one
// endpoint go wrong, answers as other readings of the specification have it, and counts the
// calls. It knows the service by its addresses alone.
package strike

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fault makes calls of one endpoint go wrong. With Drop the connection ends
// without an answer; with Status or Body that is the answer; with neither the
// call is answered as usual, late (DelayMS) or cut (Cut).
type Fault struct {
	Endpoint string `json:"endpoint"`        // "": any
	Times    int    `json:"times,omitempty"` // calls that it strikes; 0: every one
	At       Point  `json:"at,omitempty"`
	DelayMS  int    `json:"delay_ms,omitempty"`
	Drop     bool   `json:"drop,omitempty"`
	Status   int    `json:"status,omitempty"` // default 200 where Body is given
	// RetryAfter is sent as it stands: seconds or a date, or nonsense.
	RetryAfter string `json:"retry_after,omitempty"`
	// Body is sent as it stands; "" is an empty body. Default: the shape that
	// section 7 of the specification gives for Status.
	Body *string `json:"body,omitempty"`
	Cut  bool    `json:"cut,omitempty"` // the answer's body ends in its middle
}

// Point is when in a call a fault strikes.
type Point string

// The points of a call. Between is for PUT alone: the old documents are deleted
// and the new ones not indexed yet. A delay whose client leaves ends the call
// where it stands: before, nothing is applied.
const (
	Before  Point = ""
	Between Point = "between"
	After   Point = "after"
)

// Panel is the handler before a service. It is safe for concurrent use.
type Panel struct {
	Extended bool // the service has the operations that the specification does not show, too
	service  http.Handler

	mu       sync.Mutex
	faults   []Fault // what is left of them
	readings Readings
	calls    map[string]int
}

// New returns a panel without faults.
func New(service http.Handler) *Panel { return &Panel{service: service, calls: map[string]int{}} }

// Set replaces all faults; for each call the first that is due strikes.
func (p *Panel) Set(faults ...Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = slices.Clone(faults)
}

// Read replaces all readings.
func (p *Panel) Read(readings Readings) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readings = readings
}

// Calls returns how many calls came to each endpoint since the beginning or ResetCalls.
func (p *Panel) Calls() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.calls)
}

// ResetCalls forgets the counts.
func (p *Panel) ResetCalls() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.calls)
}

// due counts a call and returns the fault that strikes it, if any.
func (p *Panel) due(endpoint string) (Fault, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[endpoint]++
	i := slices.IndexFunc(p.faults, func(f Fault) bool { return f.Endpoint == endpoint || f.Endpoint == "" })
	if i < 0 {
		return Fault{}, false
	}
	due := p.faults[i]
	if due.Times > 0 {
		p.faults[i].Times--
	}
	if due.Times == 1 {
		p.faults = slices.Delete(p.faults, i, i+1)
	}
	return due, true
}

// ServeHTTP passes a call on, under a fault where one is due.
func (p *Panel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	endpoint, struck, f := p.endpoint(r.Method, r.URL.Path), false, Fault{}
	if endpoint != "" {
		f, struck = p.due(endpoint)
	}
	if !struck {
		p.serve(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer, answers := httptest.NewRecorder(), f.Drop || f.Status != 0 || f.Body != nil
	switch f.At {
	case After:
		p.serve(answer, r)
	case Between:
		p.clear(r, body)
	}
	select {
	case <-time.After(time.Duration(f.DelayMS) * time.Millisecond):
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	}
	switch {
	case f.Drop:
		panic(http.ErrAbortHandler)
	case answers:
		answer = f.answer()
	case f.At == Before:
		p.serve(answer, r)
	}
	text := answer.Body.Bytes()
	if f.Cut {
		text = text[:len(text)/2]
	}
	maps.Copy(w.Header(), answer.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(answer.Code)
	_, _ = w.Write(text)
}

// clear deletes the documents that a PUT names.
func (p *Panel) clear(r *http.Request, body []byte) {
	var documents []struct{ ID string }
	_ = json.Unmarshal(body, &documents)
	for _, d := range documents {
		gone := r.Clone(r.Context())
		gone.Method, gone.Body = http.MethodDelete, http.NoBody
		gone.URL.RawQuery = "documentId=" + url.QueryEscape(d.ID)
		p.service.ServeHTTP(httptest.NewRecorder(), gone)
	}
}

// answer returns what the fault answers in the service's place.
func (f Fault) answer() *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	answer.Code = cmp.Or(f.Status, http.StatusOK)
	answer.Header().Set("Content-Type", "application/json; charset=utf-8")
	if f.RetryAfter != "" {
		answer.Header().Set("Retry-After", f.RetryAfter)
	}
	text := fmt.Sprintf(`{"message":%q}`, strings.ToLower(http.StatusText(answer.Code)))
	switch {
	case f.Body != nil:
		text = *f.Body
	case f.Status == http.StatusInternalServerError:
		text = `{"status":"InternalServerError","code":500,"messages":["The request could not be processed. Support reference ID: switched-on"]}`
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden:
		text = `{"message":"unauthorized"}`
	}
	answer.Body.WriteString(text)
	return answer
}

// endpoint names the operation of a call as Fault does: of index management put, patch,
// delete, bulk-delete and paths; search tools by their kind; querylog, clicklog, feedback,
// summary-feedback, answer-feedback and answer-click; search, autocomplete, answer and
// summarize; other for the rest below /api/, the read that tries credentials included. It
// is empty for what is no part of the specified interface.
func (p *Panel) endpoint(method, path string) string {
	if !strings.HasPrefix(path, "/api/") {
		return ""
	}
	if kind := kindOf(path); kind != "" {
		_, id, _ := strings.Cut(strings.TrimPrefix(path, "/api/"), "/")
		given := map[string]string{"rankings": "POST GET PUT", "quicklinks": "GET PUT DELETE", "banners": "POST GET DELETE", "synonyms": "POST DELETE"}[kind]
		listed := strings.Contains(id, "/") || method == http.MethodGet && id == ""
		if id == "0" || !p.Extended && (listed || !strings.Contains(given, method)) {
			return "other"
		}
		return kind
	}
	for _, end := range [][3]string{
		{"PUT", "/documents", "put"}, {"PATCH", "/documents", "patch"}, {"DELETE", "/documents", "delete"}, {"POST", "/bulk-delete", "bulk-delete"}, {"POST", "/paths", "paths"},
		{"POST", "/querylog", "querylog"}, {"POST", "/clicklog", "clicklog"}, {"POST", "/summarize/feedback", "summary-feedback"},
		{"POST", "/answer/feedback", "answer-feedback"}, {"POST", "/answer/click", "answer-click"}, {"POST", "/feedback", "feedback"},
		{"POST", "/search", "search"}, {"GET", "/autocomplete", "autocomplete"}, {"POST", "/search/answer", "answer"}, {"POST", "/search/summarize", "summarize"},
	} {
		if method == end[0] && strings.HasSuffix(path, end[1]) {
			return end[2]
		}
	}
	return "other"
}

// kindOf returns the kind of search tools that a path is about, empty for none.
func kindOf(path string) string {
	for prefix, kind := range map[string]string{"/api/rankings": "rankings", "/api/quicklinks": "quicklinks", "/api/engine/": "quicklinks", "/api/banners": "banners", "/api/synonymsgroup": "synonyms"} {
		if strings.HasPrefix(path, prefix) {
			return kind
		}
	}
	return ""
}
