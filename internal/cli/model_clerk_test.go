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
)

// clerk stands before the service, on a server of its own: it can end a run at any
// call, before or after the service heard it, and it looks at each delete.
type clerk struct {
	service *service.Service
	url     string

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
	c := &clerk{service: inner}
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
		c.service.ServeHTTP(w, r)
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
		c.service.ServeHTTP(w, r)
		return
	}
	if applied {
		c.service.ServeHTTP(httptest.NewRecorder(), r)
	}
	end()
	panic(http.ErrAbortHandler)
}

// serviceTroubles are what may be wrong with the service for a night, as far as the
// client does not wait and try again: nothing here is to take its time.
func serviceTroubles() map[string]service.Switches {
	each := func(f service.Fault) service.Switches { return service.Switches{Faults: []service.Fault{f}} }
	nonsense := ""
	return map[string]service.Switches{
		"":                   {},
		"refuses one folder": {Refuse: []service.Refusal{{ID: "/s1/"}}},
		"refuses and loses":  {Refuse: []service.Refusal{{Endpoint: service.EndpointPut, ID: "/s2/", Lose: true}}},
		"refuses deletes":    {Refuse: []service.Refusal{{Endpoint: service.EndpointDelete, ID: "/s0/"}}},
		"too large":          {MaxDocuments: 2},
		"too large by far":   {MaxBytes: 100},
		"whole batches":      {WholeBatch: true, Refuse: []service.Refusal{{ID: "p4"}}},
		"empty answer":       {PutAnswer: "empty"},
		"empty rows":         {PutAnswer: "array"},
		"cut answer":         each(service.Fault{Cut: true, Times: 1}),
		"empty 200":          each(service.Fault{Body: &nonsense, Times: 1}),
		"cut put, and gone":  each(service.Fault{Endpoint: service.EndpointPut, At: service.Between, Status: 400, Times: 1}),
		"unauthorised":       each(service.Fault{Status: 401}),
		"forbidden":          each(service.Fault{Endpoint: service.EndpointPatch, Status: 403}),
	}
}

func (c *clerk) behave(name string) error {
	switches, ok := serviceTroubles()[name]
	if !ok {
		return fmt.Errorf("no trouble of the service is called %q", name)
	}
	c.service.SetSwitches(switches)
	return nil
}
