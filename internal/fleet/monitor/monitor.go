package monitor

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"text/template"
	"time"

	"sitesync/internal/fleet/lease"
)

// Options describe a worker.
type Options struct {
	Slots     int         // how many sites it runs at a time
	Dir       string      // must be writable
	Connected func() bool // whether it is connected to NATS
}

// Monitor counts what one worker does.
type Monitor struct {
	o Options

	mu sync.Mutex // guards the fields below
	f  figures
}

//go:embed metrics.prom
var page string

var metrics = template.Must(template.New("metrics").Parse(page))

// figures are what metrics.prom shows.
type figures struct {
	Resting     bool   // the worker takes no site for a while
	Unready     string // why the worker takes no site; empty: it takes sites
	Slots       int
	Running     int
	Exits       map[int]int    // runs, by exit code
	Sent        map[string]int // changes, by operation
	Late        int
	Lost, Taken int
	Last        time.Time
	Took        float64 // total seconds of all runs
}

// New returns a Monitor that has counted nothing yet.
func New(o Options) *Monitor {
	exits := map[int]int{0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 130: 0} // a rate needs the 0 before the first
	return &Monitor{o: o, f: figures{Slots: o.Slots, Last: time.Now(), Exits: exits, Sent: map[string]int{}}}
}

func (m *Monitor) count(change func(*figures)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.f)
}

// Started counts a site that is under way until the function that it returns is called.
// resumed: an earlier run came to no end.
func (m *Monitor) Started(resumed bool) (stopped func()) {
	m.count(func(f *figures) {
		f.Running++
		if resumed {
			f.Taken++
		}
	})
	return func() { m.count(func(f *figures) { f.Running-- }) }
}

// Ended counts a result.
func (m *Monitor) Ended(r lease.Result) {
	m.count(func(f *figures) {
		f.Exits[r.Exit]++
		f.Took += float64(r.Took) / 1000
		if !r.Due.IsZero() && r.Start.Sub(r.Due) > time.Hour {
			f.Late++
		}
		f.Last = time.Now()
		c := r.Counts
		for op, n := range map[string]int{"put": c.Put, "patch": c.Patch, "delete": c.Delete, "bulk-delete": c.BulkDelete, "queue": c.Queue} {
			f.Sent[op] += n
		}
	})
}

// Lost counts a lease that ran out during its run.
func (m *Monitor) Lost() { m.count(func(f *figures) { f.Lost++ }) }

// Ready says whether sites are taken.
func (m *Monitor) Ready(taken bool) { m.count(func(f *figures) { f.Resting = !taken }) }

// unready returns why no site is taken; empty when they are.
func (m *Monitor) unready() string {
	resting := false
	m.count(func(f *figures) { resting = f.Resting })
	if resting {
		return "the worker takes no sites now; its log says why"
	}
	if !m.o.Connected() {
		return "the worker is not connected to NATS"
	}
	err := os.MkdirAll(m.o.Dir, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(m.o.Dir, ".ready"), []byte("ready"), 0o600) // a byte at least: a disk may be full
	}
	if err != nil {
		return "the worker can't write its folder"
	}
	return ""
}

// ServeHTTP answers /metrics, /healthz (the process is alive) and /readyz (sites are taken,
// else 503 and why not).
func (m *Monitor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, text := http.StatusNotFound, "there are /metrics, /healthz and /readyz"
	switch r.URL.Path {
	case "/metrics":
		var out bytes.Buffer // a client that reads slowly must not hold up a run
		unready := m.unready()
		m.count(func(f *figures) {
			f.Unready = unready
			_ = metrics.Execute(&out, f)
		})
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = out.WriteTo(w)
		return
	case "/healthz":
		status, text = http.StatusOK, "alive"
	case "/readyz":
		status, text = http.StatusOK, "ready"
		if why := m.unready(); why != "" {
			status, text = http.StatusServiceUnavailable, why
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}

// Listen answers at an address such as 127.0.0.1:9444, which it returns with the port, until
// end is called.
func (m *Monitor) Listen(ctx context.Context, address string) (at string, end func() error, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	server := &http.Server{Handler: m, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10}
	var group sync.WaitGroup
	group.Go(func() { _ = server.Serve(listener) }) // Serve returns when the listener is closed
	end = func() error {
		defer group.Wait()
		return server.Close()
	}
	return listener.Addr().String(), end, nil
}
