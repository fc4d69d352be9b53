package monitor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
	"golang.org/x/sync/errgroup"

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
	families []*family
	resting  atomic.Bool // no site is taken

	running, last   *metrics.Gauge
	ended, sent     *family
	lost, taken     *metrics.Counter
	stored, fetched *metrics.Counter
	took, late      *metrics.PrometheusHistogram
}

// family is a metric of one name, and what is said of it.
type family struct {
	*metrics.Set
	name, kind, help string
}

// of counts under a label.
func (f *family) of(label, value string) *metrics.Counter {
	return f.GetOrCreateCounter(fmt.Sprintf("%s{%s=%q}", f.name, label, value))
}

// New returns a Monitor that has counted nothing yet.
func New(o Options) *Monitor {
	m := &Monitor{o: o}
	add := func(name, kind, help string) *family {
		f := &family{metrics.NewSet(), "sitesync_fleet_" + name, kind, help}
		m.families = append(m.families, f)
		return f
	}
	gauge := func(name, help string, value func() float64) *metrics.Gauge {
		f := add(name, "gauge", help)
		return f.NewGauge(f.name, value)
	}
	counter := func(name, help string) *metrics.Counter {
		f := add(name, "counter", help)
		return f.NewCounter(f.name)
	}
	histogram := func(name, help string, first float64) *metrics.PrometheusHistogram {
		f := add(name, "histogram", help)
		return f.NewPrometheusHistogramExt(f.name, metrics.ExponentialBuckets(first, 4, 9))
	}
	ledgers := add("ledger_bytes_total", "counter", "Bytes of ledgers that went to NATS (stored) or came from there (fetched).")
	m.stored, m.fetched = ledgers.of("way", "stored"), ledgers.of("way", "fetched")
	m.running = gauge("sites_running", "Sites under way.", nil)
	m.ended = add("runs_total", "counter", "Runs that came to a result, by the exit code of sync.")
	for _, exit := range []int{0, 1, 2, 3, 4, 5, 130} { // a rate needs the 0 before the first
		m.ended.of("exit", strconv.Itoa(exit))
	}
	m.sent = add("documents_sent_total", "counter", "Changes that the search service acknowledged.")
	m.lost = counter("leases_lost_total", "Runs that stopped because their lease had run out.")
	m.taken = counter("takeovers_total", "Sites taken over from a run that came to no end.")
	m.last = gauge("last_result_timestamp_seconds", "When a run last came to a result; until one has, when the worker started.", nil)
	m.took = histogram("run_duration_seconds", "How long runs took.", 0.25)
	m.late = histogram("run_delay_seconds", "How long after their due time runs began.", 1)
	m.last.Set(float64(time.Now().Unix()))
	gauge("sites_capacity", "Sites that this worker runs at a time.", func() float64 { return float64(o.Slots) })
	gauge("ready", "1 while the worker takes sites, as /readyz says.", func() float64 {
		if m.unready() != "" {
			return 0
		}
		return 1
	})
	return m
}

// write writes all metrics, and those of the process, in the text format of Prometheus (version 0.0.4).
func (m *Monitor) write(w io.Writer) {
	for _, f := range m.families {
		if len(f.ListMetricNames()) > 0 {
			fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
			f.WritePrometheus(w)
		}
	}
	metrics.WriteProcessMetrics(w)
}

// Started counts a site that is under way until the function that it returns is called.
// resumed: an earlier run came to no end.
func (m *Monitor) Started(_ string, resumed bool) (stopped func()) {
	if resumed {
		m.taken.Inc()
	}
	m.running.Inc()
	return m.running.Dec
}

// Ended counts a result.
func (m *Monitor) Ended(r lease.Result) {
	m.ended.of("exit", strconv.Itoa(r.Exit)).Inc()
	m.took.Update(float64(r.Took) / 1000)
	if !r.Due.IsZero() {
		m.late.Update(max(0, r.Start.Sub(r.Due).Seconds()))
	}
	m.last.Set(float64(time.Now().Unix()))
	c := r.Counts
	for op, n := range map[string]int{"put": c.Put, "patch": c.Patch, "delete": c.Delete, "bulk-delete": c.BulkDelete, "queue": c.Queue} {
		m.sent.of("op", op).Add(n)
	}
}

// Lost counts a lease that ran out during its run.
func (m *Monitor) Lost(string) { m.lost.Inc() }

// Moved counts bytes of ledgers.
func (m *Monitor) Moved(fetched, stored int64) {
	m.fetched.AddInt64(fetched)
	m.stored.AddInt64(stored)
}

// Ready says whether sites are taken: why is empty then.
func (m *Monitor) Ready(why string) { m.resting.Store(why != "") }

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
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.write(w)
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
	var group errgroup.Group
	group.Go(func() error {
		_ = server.Serve(listener) // until it is closed
		return nil
	})
	return listener.Addr().String(), func() error { return errors.Join(server.Close(), group.Wait()) }, nil
}
