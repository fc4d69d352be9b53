package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sitesync/internal/service"
	"sitesync/internal/testsite/strike"
)

// clerk stands before the service, on a server of its own: it can end a run at any
// call, before or after the service heard it, and it looks at each delete.
type clerk struct {
	service *service.Service
	panel   *strike.Panel // before the service
	url     string
	fleet   *depot // that plays the nights of a twin; nil: none does
	trouble serviceTrouble

	mu       sync.Mutex
	calls    int // that write, since the last reset
	at       int // the call at which to end the run; 0: none
	applied  bool
	end      func()
	onDelete func(crawler, id string)
}

func newClerk(t *testing.T, dir string) *clerk {
	t.Helper()
	inner, err := service.Open(service.Options{Path: filepath.Join(dir, "service.db"), CustomerID: customer, APIKey: apiKey})
	if err != nil {
		t.Fatal(err)
	}
	c := &clerk{service: inner, panel: strike.New(inner)}
	server := httptest.NewServer(c)
	c.url = server.URL
	t.Cleanup(func() { server.Close(); inner.Close() })
	return c
}

// reset forgets the calls so far and, with at above 0, has the call of that number
// end the run.
func (c *clerk) reset(at int, applied bool, end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls, c.at, c.applied, c.end = 0, at, applied, end
}

func (c *clerk) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}

// ServeHTTP passes a call on, unless it is the one that ends the run.
func (c *clerk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		c.panel.ServeHTTP(w, r)
		return
	}
	c.mu.Lock()
	c.calls++
	now, applied, end, onDelete := c.calls == c.at, c.applied, c.end, c.onDelete
	c.mu.Unlock()
	if r.Method == http.MethodDelete && onDelete != nil {
		onDelete(strings.Split(r.URL.Path, "/")[5], r.URL.Query().Get("documentId"))
	}
	if !now {
		c.panel.ServeHTTP(w, r)
		return
	}
	if applied {
		c.panel.ServeHTTP(httptest.NewRecorder(), r)
	}
	end()
	panic(http.ErrAbortHandler)
}

// serviceTrouble is what is wrong with the service.
type serviceTrouble struct {
	readings strike.Readings
	faults   []strike.Fault
}

// serviceTroubles are what may be wrong with the service for a night, as far as the
// client does not wait and try again: nothing here is to take its time.
func serviceTroubles() map[string]serviceTrouble {
	each := func(f strike.Fault) serviceTrouble { return serviceTrouble{faults: []strike.Fault{f}} }
	reads := func(s strike.Readings) serviceTrouble { return serviceTrouble{readings: s} }
	nonsense, rows := "", "[]"
	return map[string]serviceTrouble{
		"":                   {},
		"refuses one folder": reads(strike.Readings{Refuse: []strike.Refusal{{ID: "/s1/"}}}),
		"refuses and loses":  reads(strike.Readings{Refuse: []strike.Refusal{{Endpoint: "put", ID: "/s2/", Lose: true}}}),
		"refuses deletes":    reads(strike.Readings{Refuse: []strike.Refusal{{Endpoint: "delete", ID: "/s0/"}}}),
		"too large":          reads(strike.Readings{MaxDocuments: 2}),
		"too large by far":   reads(strike.Readings{MaxBytes: 100}),
		"whole batches":      reads(strike.Readings{WholeBatch: true, Refuse: []strike.Refusal{{ID: "p4"}}}),
		"empty answer":       each(strike.Fault{Endpoint: "put", At: strike.After, Body: &nonsense}),
		"empty rows":         each(strike.Fault{Endpoint: "put", At: strike.After, Body: &rows}),
		"cut answer":         each(strike.Fault{Cut: true, Times: 1}),
		"empty 200":          each(strike.Fault{Body: &nonsense, Times: 1}),
		"cut put, and gone":  each(strike.Fault{Endpoint: "put", At: strike.Between, Status: 400, Times: 1}),
		"unauthorised":       each(strike.Fault{Status: 401}),
		"forbidden":          each(strike.Fault{Endpoint: "patch", Status: 403}),
	}
}

func (c *clerk) behave(name string) error {
	is, ok := serviceTroubles()[name]
	if !ok {
		return fmt.Errorf("no trouble of the service is called %q", name)
	}
	c.trouble = is
	c.panel.Read(is.readings)
	c.panel.Set(is.faults...)
	return nil
}
