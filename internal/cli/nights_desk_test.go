package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"sitesync/internal/service"
)

// nightBase is ledger and index as ordinary nights left them before a fault.
type nightBase struct {
	ledger, index, facts []byte
	day                  int
}

// nightDesk stands before the services of all cells: the key of a call says whose it
// is. So the service has one address, and one ledger fits all cells.
type nightDesk struct {
	url      string
	services sync.Map // key → *service.Service
	mu       sync.Mutex
	bases    map[string]*nightBase
}

func newNightDesk(t *testing.T) *nightDesk {
	d := &nightDesk{bases: map[string]*nightBase{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, key, _ := r.BasicAuth()
		if local, ok := d.services.Load(key); ok {
			local.(*service.Service).ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	d.url = server.URL
	return d
}

// base makes each base once.
func (d *nightDesk) base(t *testing.T, size int, trusted bool) *nightBase {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := fmt.Sprint(size, trusted)
	if d.bases[name] == nil {
		c := &nightCell{bad: &badNight{name: "base"}, size: size}
		c.open(t, d, &nightBase{})
		c.sync(t)
		if trusted { // fifty truths
			c.truth.day++
			c.sync(t, "--full")
		}
		c.close(t)
		d.bases[name] = &nightBase{c.read(t, "night.db"), c.read(t, "index.db"), c.read(t, "night.db.site"), c.truth.day}
	}
	return d.bases[name]
}
