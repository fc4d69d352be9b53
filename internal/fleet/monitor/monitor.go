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

// Monitor counts the runs of one worker, a process that runs many sites.
type Monitor struct {
	dir       string
	connected func() bool

	mu sync.Mutex
	f  figures
}

//go:embed metrics.prom
var page string

var metrics = template.Must(template.New("metrics").Parse(page))

type figures struct {
	Resting    bool
	Unready    string // why the worker takes no sites from the queue; empty: it takes sites
	Slots      int
	Running    int
	Exits      map[int]int
	Sent       map[string]int
	Late, Lost int
	Last       time.Time
}

// New returns a Monitor of a worker that runs at most slots sites at a time and writes to the folder dir.
// connected reports whether the worker is connected to NATS.
func New(slots int, dir string, connected func() bool) *Monitor {
	exits := map[int]int{0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 130: 0} // Prometheus needs zeros from the start
	f := figures{Slots: slots, Last: time.Now(), Exits: exits, Sent: map[string]int{}}
	return &Monitor{dir: dir, connected: connected, f: f}
}

func (m *Monitor) count(change func(*figures)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.f)
}

// Started counts a running site until the caller calls stopped.
func (m *Monitor) Started() (stopped func()) {
	m.count(func(f *figures) { f.Running++ })
	return func() { m.count(func(f *figures) { f.Running-- }) }
}

// Ended counts the result of a run.
func (m *Monitor) Ended(r lease.Result) {
	m.count(func(f *figures) {
		f.Exits[r.Exit]++
		if !r.Due.IsZero() && r.Start.Sub(r.Due) > time.Hour {
			f.Late++
		}
		f.Last = time.Now()
		c := r.Counts
		f.Sent["put"] += c.Put
		f.Sent["patch"] += c.Patch
		f.Sent["delete"] += c.Delete
		f.Sent["bulk-delete"] += c.BulkDelete
		f.Sent["queue"] += c.Queue
	})
}

// Lost counts a lease (right to run a site) that ran out during the site's run.
func (m *Monitor) Lost() { m.count(func(f *figures) { f.Lost++ }) }

// Ready sets whether the worker takes sites from the queue.
func (m *Monitor) Ready(taken bool) { m.count(func(f *figures) { f.Resting = !taken }) }

func (m *Monitor) unready() string {
	resting := false
	m.count(func(f *figures) { resting = f.Resting })
	if resting {
		return "the worker takes no sites now; its log says why"
	}
	if !m.connected() {
		return "the worker is not connected to NATS"
	}
	err := os.MkdirAll(m.dir, 0o700)
	if err == nil { // write some bytes: an empty file would fit on a full disk
		err = os.WriteFile(filepath.Join(m.dir, ".ready"), []byte("ready"), 0o600)
	}
	if err != nil {
		return "the worker can't write its folder"
	}
	return ""
}

// ServeHTTP answers /metrics, /healthz (200) and /readyz: 200 if the worker takes sites, else 503 and the reason.
func (m *Monitor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, text := http.StatusNotFound, "there are /metrics, /healthz and /readyz"
	switch r.URL.Path {
	case "/metrics":
		var out bytes.Buffer // the client may be slow, and must not hold the lock
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

// Listen answers requests at an address such as 127.0.0.1:9444, until the caller calls end. If the port is 0,
// the system chooses a free port. at is the address with the chosen port.
func (m *Monitor) Listen(ctx context.Context, address string) (at string, end func() error, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return "", nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	const limit = 10 * time.Second
	server := &http.Server{Handler: m, ReadTimeout: limit, WriteTimeout: limit, MaxHeaderBytes: 16 << 10}
	var group sync.WaitGroup
	group.Go(func() { _ = server.Serve(listener) })
	end = func() error {
		defer group.Wait()
		return server.Close()
	}
	return listener.Addr().String(), end, nil
}
