package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/monitor"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/snapshot"
)

// Options describe a worker: a process that crawls sites of a fleet (sites that several workers share).
type Options struct {
	Name     string        // name in results and messages; need not be unique
	Slots    int           // largest number of sites that run at a time; at least 1
	Groups   []string      // groups of the sites to run; none: all
	Length   time.Duration // length of a lease, the right to run a site
	Drain    time.Duration // how long running sites may continue when the worker ends
	Dir      string        // folder for the sites and their ledgers (databases of what the indexes hold)
	Cache    int64         // limit in bytes for all sites' folders; a running site keeps its folder anyway
	Pipeline Pipeline
	Monitor  *monitor.Monitor
	Log      *slog.Logger
}

// Worker takes due sites from the queue and runs them.
type Worker struct {
	o      Options
	bus    *bus.Bus
	keeper *lease.Keeper
	sites  *site.Sites
	store  *snapshot.Store
	cache  *snapshot.Cache
	queues []jetstream.Consumer

	lacks     sync.Map // site name → lack (a ledger that this worker could not fetch)
	running   sync.Map
	restUntil atomic.Pointer[time.Time]
}

// New returns a worker of the fleet. It errs if the fleet has no queue. Close the keeper after Work returns.
func New(ctx context.Context, b *bus.Bus, keeper *lease.Keeper, o Options) (*Worker, error) {
	w := &Worker{
		o: o, bus: b, keeper: keeper, sites: site.New(b), store: snapshot.New(b),
		cache: &snapshot.Cache{Dir: o.Dir, Max: o.Cache},
	}
	w.restUntil.Store(&time.Time{})
	for _, p := range bus.Priorities() {
		queue, err := b.Queue.Consumer(ctx, string(p))
		if err != nil {
			return nil, fmt.Errorf("find the consumer %s of %s: %w", p, bus.Queue, err)
		}
		w.queues = append(w.queues, queue)
	}
	return w, nil
}

// Work runs due sites until ctx is done. It then waits at most Drain for the running sites, and stops them.
func (w *Worker) Work(ctx context.Context) {
	runs, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	var group sync.WaitGroup
	group.Go(func() { w.reconcile(ctx) })
	slots := make(chan struct{}, max(1, w.o.Slots))
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			continue
		case slots <- struct{}{}:
		}
		msg := w.next(ctx)
		if msg == nil {
			break
		}
		group.Go(func() {
			w.handle(runs, msg, func() { <-slots })
		})
	}
	w.o.Monitor.Ready(false)
	defer time.AfterFunc(w.o.Drain, func() { stop(errDrained) }).Stop()
	group.Wait()
}

func (w *Worker) reconcile(ctx context.Context) {
	ticker := time.NewTicker(10 * time.Minute)
	defer ticker.Stop()
	for {
		if err := w.sites.Reconcile(ctx); err != nil && ctx.Err() == nil {
			w.o.Log.Warn("some sites may have no next due time", "why", err)
		}
		w.findStrays(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (w *Worker) next(ctx context.Context) jetstream.Msg {
	for {
		pause, began := about(time.Second), time.Now()
		rest := time.Until(*w.restUntil.Load())
		w.o.Monitor.Ready(rest <= 0)
		if rest > 0 {
			pause = rest
		} else if msg, err := w.nextDue(ctx, pause); msg != nil {
			return msg
		} else if err != nil && ctx.Err() == nil {
			w.o.Log.Debug("look for due sites", "why", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause - time.Since(began)):
		}
	}
}

// nextDue returns a due site's message, the highest priority first. If no site is due, nextDue waits for a
// message of normal priority. It returns nil after the timeout, or if ctx ends.
func (w *Worker) nextDue(ctx context.Context, timeout time.Duration) (jetstream.Msg, error) {
	var all error
	for _, queue := range w.queues {
		batch, err := queue.FetchNoWait(1)
		if err != nil {
			return nil, err
		}
		for msg := range batch.Messages() {
			return msg, nil
		}
		all = errors.Join(all, batch.Error())
	}
	if all != nil {
		return nil, all
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	msg, err := w.queues[slices.Index(bus.Priorities(), bus.Normal)].Next(jetstream.FetchContext(ctx))
	if errors.Is(err, nats.ErrTimeout) || ctx.Err() != nil {
		err = nil
	}
	return msg, err
}

func (w *Worker) rests(why error) {
	w.o.Log.Warn("the worker takes no sites for a while", "why", why)
	until := time.Now().Add(min(30*time.Second, w.o.Length))
	w.restUntil.Store(&until)
	w.o.Monitor.Ready(false)
}

// needs reports whether a site's folder must stay: the site is running, or only this machine has its ledger.
func (w *Worker) needs(name string) bool {
	state, _, err := w.keeper.Look(context.Background(), name)
	_, aside := w.cache.Stray(name, state.Ledger)
	_, busy := w.running.Load(name)
	return busy || aside != "" && (err != nil || !state.Reset)
}

// findStrays reports the ledgers on this machine that the servers have lost. It does so before a site is due,
// because another worker may then run the site without the ledger.
func (w *Worker) findStrays(ctx context.Context) {
	names, err := w.cache.Sites()
	for _, name := range names {
		entry, missing := w.sites.Get(ctx, name)
		if _, busy := w.running.Load(name); missing != nil || busy || !w.needs(name) {
			continue
		}
		l, taken := w.keeper.Take(ctx, name)
		if taken == nil {
			_, taken = w.lead(ctx, l, entry, site.Due{}) // with the zero Due, lead runs nothing
		}
		err = errors.Join(err, taken)
	}
	if err != nil && ctx.Err() == nil {
		w.o.Log.Debug("look for ledgers that the fleet has lost", "why", err)
	}
}

// Pipeline runs the commands of one site in this process.
type Pipeline interface {
	// Run runs the command "sitesync sync".
	Run(ctx context.Context, job Job) Outcome
	// Doubt marks the documents in a plan file (changes to send) as in doubt: their outcome is unknown.
	// plan is the path of the file. If the file is missing or unreadable, Doubt marks every document of the
	// ledger. reason is shown to people. Doubt errs if it can't change the ledger.
	Doubt(job Job, plan, reason string) error
}

// Job describes a site that a Pipeline runs.
type Job struct {
	Dir    string        // folder of the site, with its ledger
	Config string        // path of the configuration file in Dir
	Call   time.Duration // maximum duration of one call of the search service

	Guard   func(http.RoundTripper) http.RoundTripper         // wraps the transport to the search service
	Planned func(ctx context.Context, path, run string) error // called before the plan at path is sent
}

// Outcome describes how a run ended.
type Outcome struct {
	Summary      *document.Summary // nil: the run ended before it had a summary
	Err          error
	Exit         int
	Report, Log  string // standard output and standard error
	Documents    int    // acknowledged documents in the ledger after the run
	Doubt        int    // documents in doubt (outcome unknown) after the run
	MachineFault bool   // a fault of this machine ended the run, such as a full disk
}
