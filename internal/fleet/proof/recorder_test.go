//go:build linux

package proof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sitesync/internal/service"
)

const (
	customer = 10000001
	apiKey   = "the-key-of-the-service"
)

// everybody is shaken when a node dies.
const everybody = "everybody"

// keyOf is the key that a worker is given: by it the recorder knows who calls.
func keyOf(worker string) string { return "key-of-" + worker }

// call is one call that writes, as the service heard it.
type call struct {
	worker string
	method string
	ids    []string
}

// recorder stands before the service and sees that the fleet keeps its promises.
type recorder struct {
	service *service.Service
	server  *httptest.Server
	slow    time.Duration              // the most that a call waits before, and after the service heard it
	lives   func(site, id string) bool // by the truth of tonight

	mu       sync.Mutex
	cut      map[string]bool           // workers without a network
	busy     map[string]map[string]int // site, worker: its calls under way
	tonight  map[string][]call         // site: its calls, in order
	onCall   func(worker, site string) // nil, or what happens at each call that writes, before the service hears it
	wrong    []string                  // what must not be
	calls    int                       // that write
	repeated int                       // documents that were put again by who took over
	shaken   map[string]bool           // workers that were killed, paused, cut off or full, or everybody
}

func newRecorder(t testing.TB, dir string) *recorder {
	t.Helper()
	inner, err := service.Open(service.Options{Path: filepath.Join(dir, "service.db"), CustomerID: customer, APIKey: apiKey})
	must(t, err)
	r := &recorder{service: inner, cut: map[string]bool{}, busy: map[string]map[string]int{}, tonight: map[string][]call{}, shaken: map[string]bool{}}
	r.server = httptest.NewServer(r)
	t.Cleanup(func() {
		r.server.CloseClientConnections()
		r.server.Close()
		must(t, inner.Close())
	})
	return r
}

// ServeHTTP passes a call on under the service's own key, unless its worker has no network.
func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	user, key, _ := req.BasicAuth()
	worker := strings.TrimPrefix(key, "key-of-")
	body, err := io.ReadAll(req.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.SetBasicAuth(user, apiKey)
	site := crawlerOf(req.URL.Path)
	if site == "" || req.Method == http.MethodGet {
		if r.isCut(worker) {
			<-req.Context().Done()
			panic(http.ErrAbortHandler)
		}
		r.service.ServeHTTP(w, req)
		return
	}
	if !r.begin(worker, site, req, body) {
		<-req.Context().Done() // nothing comes of it, until the client gives up
		panic(http.ErrAbortHandler)
	}
	answer := httptest.NewRecorder()
	r.dawdle()
	r.service.ServeHTTP(answer, req)
	r.dawdle()
	r.end(worker, site)
	if r.isCut(worker) { // the answer is lost
		<-req.Context().Done()
		panic(http.ErrAbortHandler)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// dawdle makes a call take its time, so that much can happen meanwhile.
func (r *recorder) dawdle() {
	if r.slow > 0 {
		<-time.After(rand.N(r.slow)) //nolint:gosec // of a test
	}
}

// crawlerOf returns the crawler ID of a call that is about documents.
func crawlerOf(path string) string {
	parts := strings.Split(path, "/")
	if len(parts) < 6 || parts[4] != "index" {
		return ""
	}
	return parts[5]
}

func (r *recorder) isCut(worker string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cut[worker]
}

// begin notes a call, unless its worker has no network, and reports whether it was noted.
func (r *recorder) begin(worker, site string, req *http.Request, body []byte) bool {
	c := call{worker: worker, method: req.Method}
	switch {
	case strings.HasSuffix(req.URL.Path, "/bulk-delete"):
		r.accuse("%s: %s sent a bulk delete", site, worker)
	case req.Method == http.MethodDelete:
		c.ids = []string{req.URL.Query().Get("documentId")}
	default:
		var docs []struct{ ID string }
		if err := json.Unmarshal(body, &docs); err != nil {
			r.accuse("%s: %s sent a body that can't be read: %v", site, worker, err)
		}
		for _, d := range docs {
			c.ids = append(c.ids, d.ID)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.method == http.MethodDelete && r.lives(site, c.ids[0]) {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: %s deletes %s, which lives", site, worker, c.ids[0]))
	}
	if r.onCall != nil {
		r.onCall(worker, site)
	}
	if r.cut[worker] {
		return false
	}
	r.calls++
	r.tonight[site] = append(r.tonight[site], c)
	if r.busy[site] == nil {
		r.busy[site] = map[string]int{}
	}
	r.busy[site][worker]++
	if len(r.busy[site]) > 1 {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: calls of two workers at a time: %v", site, r.busy[site]))
	}
	return true
}

func (r *recorder) end(worker, site string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy[site][worker]--
	if r.busy[site][worker] == 0 {
		delete(r.busy[site], worker)
	}
}

func (r *recorder) accuse(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wrong = append(r.wrong, fmt.Sprintf(format, args...))
}

// shake notes that something was done to a worker.
func (r *recorder) shake(worker string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shaken[worker] = true
}

func (r *recorder) setCut(worker string, cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut[worker] = cut
}

// endNight judges the calls of a night and forgets them.
func (r *recorder) endNight() (wrong []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for site, calls := range r.tonight {
		repeated, faults := judge(site, calls, r.shaken)
		r.repeated += repeated
		r.wrong = append(r.wrong, faults...)
	}
	clear(r.tonight)
	wrong, r.wrong = r.wrong, nil
	return wrong
}

// judge returns how many documents of a site were put again after a takeover, and what is
// wrong with its calls: a worker takes over only from one that is in trouble.
func judge(site string, calls []call, shaken map[string]bool) (repeated int, wrong []string) {
	last := map[string]string{} // ID: who sent it
	for i, c := range calls {
		if i > 0 && calls[i-1].worker != c.worker && !shaken[calls[i-1].worker] && !shaken[everybody] {
			wrong = append(wrong, fmt.Sprintf("%s: %s sent after %s, which nothing had befallen", site, c.worker, calls[i-1].worker))
		}
		for _, id := range c.ids {
			if by, again := last[id]; again && by != c.worker {
				repeated++
			}
			last[id] = c.worker
		}
	}
	return repeated, wrong
}

// index returns the texts that the service holds of a site, by ID.
func (r *recorder) index(t testing.TB, site string) map[string]string {
	t.Helper()
	docs, err := r.service.Documents(customer, site)
	must(t, err)
	texts := map[string]string{}
	for _, d := range docs {
		var text string
		if raw := d.Fields["Content"]; raw != nil {
			must(t, json.Unmarshal(raw, &text))
		}
		texts[d.ID] = text
	}
	return texts
}
