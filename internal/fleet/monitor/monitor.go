package monitor

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"sitesync/internal/fleet/lease"
)

// Options are what a worker may do, and what it needs.
type Options struct {
	Slots     int         // sites at a time
	Dir       string      // that must be writable
	Connected func() bool // to NATS
}

// Monitor counts what one worker does.
type Monitor struct {
	o        Options
	registry *prometheus.Registry
	resting  atomic.Bool // no site is taken

	running     prometheus.Gauge
	ended, sent *prometheus.CounterVec
	lost, taken prometheus.Counter
	last        prometheus.Gauge
	took, late  prometheus.Histogram
}

// New returns a Monitor that has counted nothing yet.
func New(o Options) *Monitor {
	m := &Monitor{
		o: o, registry: prometheus.NewRegistry(),
		running: prometheus.NewGauge(prometheus.GaugeOpts{Name: "sitesync_fleet_sites_running", Help: "Sites under way."}),
		ended:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sitesync_fleet_runs_total", Help: "Runs that came to a result, by the exit code of sync."}, []string{"exit"}),
		sent:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "sitesync_fleet_documents_sent_total", Help: "Changes that the search service acknowledged."}, []string{"op"}),
		lost:    prometheus.NewCounter(prometheus.CounterOpts{Name: "sitesync_fleet_leases_lost_total", Help: "Runs that stopped because their lease had run out."}),
		taken:   prometheus.NewCounter(prometheus.CounterOpts{Name: "sitesync_fleet_takeovers_total", Help: "Sites taken over from a run that came to no end."}),
		last:    prometheus.NewGauge(prometheus.GaugeOpts{Name: "sitesync_fleet_last_result_timestamp_seconds", Help: "When a run last came to a result; until one has, when the worker started."}),
		took:    prometheus.NewHistogram(prometheus.HistogramOpts{Name: "sitesync_fleet_run_duration_seconds", Help: "How long runs took.", Buckets: prometheus.ExponentialBuckets(0.25, 4, 9)}),
		late:    prometheus.NewHistogram(prometheus.HistogramOpts{Name: "sitesync_fleet_run_delay_seconds", Help: "How long after their due time runs began.", Buckets: prometheus.ExponentialBuckets(1, 4, 9)}),
	}
	for _, exit := range []int{0, 1, 2, 3, 4, 5, 130} { // a rate needs the 0 before the first
		m.ended.WithLabelValues(strconv.Itoa(exit))
	}
	m.last.SetToCurrentTime()
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	m.registry.MustRegister(m.running, m.ended, m.sent, m.lost, m.taken, m.last, m.took, m.late,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("sitesync_fleet_sites_capacity", "Sites that this worker runs at a time.", func() float64 { return float64(o.Slots) }),
		gauge("sitesync_fleet_ready", "1 while the worker takes sites, as /readyz says.", func() float64 {
			if m.unready() != "" {
				return 0
			}
			return 1
		}))
	return m
}

// Started counts a site that is under way until the function that it returns is called.
// resumed: an earlier run came to no end.
func (m *Monitor) Started(resumed bool) (stopped func()) {
	if resumed {
		m.taken.Inc()
	}
	m.running.Inc()
	return m.running.Dec
}

// Ended counts a result.
func (m *Monitor) Ended(r lease.Result) {
	m.ended.WithLabelValues(strconv.Itoa(r.Exit)).Inc()
	m.took.Observe(float64(r.Took) / 1000)
	if !r.Due.IsZero() {
		m.late.Observe(max(0, r.Start.Sub(r.Due).Seconds()))
	}
	m.last.SetToCurrentTime()
	c := r.Counts
	for op, n := range map[string]int{"put": c.Put, "patch": c.Patch, "delete": c.Delete, "bulk-delete": c.BulkDelete, "queue": c.Queue} {
		m.sent.WithLabelValues(op).Add(float64(n))
	}
}

// Lost counts a lease that ran out during its run.
func (m *Monitor) Lost() { m.lost.Inc() }

// Ready says whether sites are taken.
func (m *Monitor) Ready(taken bool) { m.resting.Store(!taken) }

// unready returns why no site is taken; empty when they are.
func (m *Monitor) unready() string {
	if m.resting.Load() {
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
		promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}).ServeHTTP(w, r)
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
	group.Go(func() { _ = server.Serve(listener) }) // until it is closed
	end = func() error {
		defer group.Wait()
		return server.Close()
	}
	return listener.Addr().String(), end, nil
}
