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

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/limit"
	"sitesync/internal/fleet/monitor"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/snapshot"
)

// Options describe a worker.
type Options struct {
	Name     string        // for people; in leases a random suffix follows it
	Slots    int           // sites at a time; at least 1
	Groups   []string      // groups of the sites to run; none: all
	Length   time.Duration // length of a lease
	Drain    time.Duration // how long sites under way may go on when the worker ends
	Dir      string        // folder of the ledgers
	Cache    int64         // limit in bytes for the folders of sites that are not running
	Pipeline Pipeline
	Monitor  *monitor.Monitor
	Log      *slog.Logger
}

// Worker runs due sites.
type Worker struct {
	o       Options
	bus     *bus.Bus
	keeper  *lease.Keeper
	sites   *site.Sites
	store   *snapshot.Store
	cache   *snapshot.Cache
	limiter *limit.Limiter
	queues  []jetstream.Consumer // highest priority first

	lacks  sync.Map                  // site name to lack
	active sync.Map                  // names of the running sites
	rest   atomic.Pointer[time.Time] // take no site until then, after a fault of this machine
}

// New returns a worker of the fleet. Work runs it; the caller closes the keeper after that.
func New(ctx context.Context, b *bus.Bus, keeper *lease.Keeper, o Options) (*Worker, error) {
	w := &Worker{
		o: o, bus: b, keeper: keeper, sites: site.New(b), store: snapshot.New(b),
		limiter: limit.New(keeper, func(name string) { _ = b.Conn.Publish(bus.Left(name), nil) }),
		cache:   &snapshot.Cache{Dir: o.Dir, Max: o.Cache},
	}
	for _, p := range bus.Priorities() {
		queue, err := b.Queue.Consumer(ctx, string(p))
		if err != nil {
			return nil, fmt.Errorf("find the consumer %s of %s: %w", p, bus.Queue, err)
		}
		w.queues = append(w.queues, queue)
	}
	return w, nil
}

// reconcileEvery is how often a worker checks that each site has its next due time.
const reconcileEvery = 10 * time.Minute

// Work takes sites until ctx is done. Then it lets those under way go on for Drain, and stops them.
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

// reconcile gives each site its next due time where that is missing: now, and every so often.
func (w *Worker) reconcile(ctx context.Context) {
	ticker := time.NewTicker(reconcileEvery)
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

// lookEvery is about how long a worker waits between two looks at an empty queue.
const lookEvery = time.Second

// next waits for the message of a due site; nil when ctx is done.
func (w *Worker) next(ctx context.Context) jetstream.Msg {
	for {
		wait, began := about(lookEvery), time.Now()
		if until := w.rest.Load(); until != nil && time.Until(*until) > 0 {
			wait = time.Until(*until)
		} else {
			if until != nil && w.rest.CompareAndSwap(until, nil) {
				w.o.Monitor.Ready(true)
			}
			msg, err := w.take(ctx, wait)
			if msg != nil {
				return msg
			}
			if err != nil && ctx.Err() == nil {
				w.o.Log.Debug("look for due sites", "why", err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait - time.Since(began)):
		}
	}
}

// take returns the message of a due site of the highest priority; nil if none came. If no site is due, it
// waits for one of the usual priority. If ctx ends while a message comes, the queue offers it again.
func (w *Worker) take(ctx context.Context, most time.Duration) (jetstream.Msg, error) {
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
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	batch, err := w.queues[slices.Index(bus.Priorities(), bus.Normal)].Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, err
	}
	for msg := range batch.Messages() {
		return msg, nil
	}
	return nil, nil
}

// pauseAfterTrouble is how long a worker takes no site after a fault of its own machine.
const pauseAfterTrouble = 30 * time.Second

func (w *Worker) rests(why error) {
	w.o.Log.Warn("the worker takes no sites for a while", "why", why)
	until := time.Now().Add(min(pauseAfterTrouble, w.o.Length))
	w.rest.Store(&until)
	w.o.Monitor.Ready(false)
}

// needs reports whether the folder of a site must stay: the site is under way here, or the folder
// holds a ledger that the fleet has lost.
func (w *Worker) needs(name string) bool {
	state, _, err := w.keeper.Look(context.Background(), name)
	_, aside := w.cache.Stray(name, state.Ledger)
	_, busy := w.active.Load(name)
	return busy || aside != "" && (err != nil || !state.Reset)
}

// findStrays tells the fleet of the ledgers on this machine that the servers have lost, because another
// worker may run their sites first.
func (w *Worker) findStrays(ctx context.Context) {
	names, err := w.cache.Sites()
	for _, name := range names {
		entry, missing := w.sites.Get(ctx, name)
		if _, busy := w.active.Load(name); missing != nil || busy || !w.needs(name) {
			continue
		}
		l, taken := w.keeper.Take(ctx, name)
		if taken == nil {
			_, taken = w.lead(ctx, l, entry, site.Due{}) // the zero Due runs nothing
		}
		err = errors.Join(err, taken)
	}
	if err != nil && ctx.Err() == nil {
		w.o.Log.Debug("look for ledgers that the fleet has lost", "why", err)
	}
}

// Pipeline runs the commands of one site in this process.
type Pipeline interface {
	// Run is sitesync sync.
	Run(ctx context.Context, job Job) Outcome
	// Doubt puts the documents of a plan in doubt. If there is no such file, or it can't be read, it puts
	// every document of the ledger in doubt.
	Doubt(job Job, plan, reason string) error
}

// Job is a site for a Pipeline to run.
type Job struct {
	Dir    string // folder of the ledger and the work folder
	Config string // path of the configuration file in Dir

	Call    time.Duration                                     // the longest that a call of the service may take
	Guard   func(http.RoundTripper) http.RoundTripper         // wraps the transport of all calls of the service
	Planned func(ctx context.Context, path, run string) error // called with a whole plan before anything of it is sent
}

// Outcome is how a command ended.
type Outcome struct {
	Summary      *document.Summary // nil: it ended before there was one
	Err          error
	Exit         int
	Report, Log  string // its standard output and standard error
	Documents    int    // acknowledged documents in the ledger after the run
	Doubt        int    // records in doubt after the run
	MachineFault bool   // a fault of this machine ended it, such as a full disk
}
