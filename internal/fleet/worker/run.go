package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/limit"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/snapshot"
)

// Names of files in the folder of a site. own.Worker lists them too.
const (
	fileConfig = "sitesync.toml"
	filePlan   = "earlier.plan"
)

// attempt is a lease (the right of this worker to run a site), and the run under it.
type attempt struct {
	w     *Worker
	l     *lease.Lease
	due   site.Due
	index string
	dir   string
	began time.Time
	end   context.CancelCauseFunc

	sending bool        // the server stores a plan (changes to send) of this run or an earlier run
	cut     *lease.Plan // empty plan with the ID of the run, if the run was stopped; else nil
}

// lead runs a site and gives its lease up; this worker has taken the lease before. wait is the pause before
// the queue offers the message of the site again; 0: never.
func (w *Worker) lead(
	ctx context.Context, l *lease.Lease, entry site.Site, due site.Due,
) (wait time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer l.Drop()
	a := &attempt{w: w, l: l, due: due, index: entry.Index, began: time.Now(), end: cancel}
	a.dir = w.cache.Folder(l.Site())
	w.running.Store(l.Site(), true)
	defer w.running.Delete(l.Site())
	err = a.findStray(ctx)
	if err != nil {
		return waitTrouble, errors.Join(err, a.giveBack(err))
	}
	if !due.At.After(l.State().Done) {
		return 0, a.giveBack(nil)
	}
	stop, err := a.attend()
	if err != nil {
		return waitTrouble, errors.Join(err, a.giveBack(err))
	}
	defer stop()
	release, err := a.enter(ctx, entry)
	if full, is := errors.AsType[*limit.FullError](err); is {
		return about(min(waitHeld, w.o.Length/2)), cmp.Or(a.giveBack(nil), error(full))
	}
	out := Outcome{}
	if err == nil {
		defer w.o.Monitor.Started()()
		out, err = a.run(ctx, release)
	}
	if err != nil {
		if !lost(err) && l.Left() > 0 {
			w.rests(err)
		}
		return waitTrouble, errors.Join(err, a.giveBack(err))
	}
	return a.finish(ctx, out, a.sending)
}

func (a *attempt) run(ctx context.Context, release func(context.Context) error) (out Outcome, err error) {
	state := a.l.State()
	a.sending = state.Plan != nil
	// Without the ledger (what the index holds) a run can't find removed pages.
	ledgerLost := state.Kept != nil && state.Ledger == nil
	if a.sending && !ledgerLost {
		err = a.takeOver(*state.Plan)
	}
	switch {
	case ledgerLost:
		out = Outcome{Exit: 3, Err: errors.New(state.Kept.Text(a.l.Site()))}
	case err == nil:
		out = a.w.o.Pipeline.Run(ctx, a.job())
	}
	if left := a.settled(release); left != nil { // the places at hosts become free when their leases run out
		a.w.o.Log.Debug("leave the hosts of a site", "site", a.l.Site(), "why", left)
	}
	return out, err
}

func lost(err error) bool {
	return errors.Is(err, bus.ErrMissing) || errors.Is(err, snapshot.ErrDamaged)
}

// findStray looks for a ledger on this machine that the servers have lost, for example because they were
// restored from a backup. It moves this ledger aside. If the ledger is of the site's index, and newer than
// one found before, findStray names it in the state of the site.
func (a *attempt) findStray(ctx context.Context) error {
	state := a.l.State()
	was, aside := a.w.cache.Stray(a.l.Site(), state.Ledger)
	if aside == "" {
		return nil
	}
	a.w.o.Log.Warn("the fleet's ledger of a site does not come from the one on this machine, which is set aside",
		"site", a.l.Site(), "path", aside)
	later := state.Kept == nil || state.Kept.Number < was.Number
	if later && strings.HasPrefix(was.Line, a.index+" ") && !state.Reset {
		kept := &lease.Kept{Worker: a.w.o.Name, Path: aside, Number: was.Number}
		err := a.l.Change(ctx, func(s *lease.State) { s.Kept = kept })
		if err != nil {
			return err
		}
	}
	return a.w.cache.Ready(ctx, a.w.store, a.l.Site(), state.Ledger)
}

func (a *attempt) attend() (stop func(), err error) {
	cancelled, err := a.w.bus.Conn.Subscribe(bus.Cancel(a.l.Site()), func(msg *nats.Msg) {
		a.end(errCancelled)
		_ = msg.Respond([]byte(a.w.o.Name))
	})
	if err != nil {
		return nil, fmt.Errorf("listen to operators: %w", err)
	}
	watch := context.AfterFunc(a.l.Over(), func() { a.end(lease.ErrLost) })
	return func() {
		watch()
		_ = cancelled.Unsubscribe()
	}, nil
}

// enter takes a place at each host of the site (see package limit), and prepares the site's folder. release
// gives the places up; it is nil after an error.
func (a *attempt) enter(ctx context.Context, entry site.Site) (release func(context.Context) error, err error) {
	path := filepath.Join(a.dir, fileConfig)
	release = func(context.Context) error { return nil }
	cfg, unread := config.Parse(path, []byte(entry.TOML), os.Getenv)
	if unread == nil { // with a faulty configuration, the run contacts no host
		needs := limit.Needs(ctx, cfg, net.DefaultResolver.LookupHost)
		left := func(name string) { _ = a.w.bus.Conn.Publish(bus.Left(name), nil) }
		release, err = limit.Acquire(ctx, a.w.keeper, needs, func() { a.end(lease.ErrLost) }, left)
	}
	if err == nil {
		err = a.w.cache.Ready(ctx, a.w.store, a.l.Site(), a.l.State().Ledger)
	}
	if err == nil {
		err = a.w.cache.Begin(a.l.Site())
	}
	if err == nil {
		err = os.WriteFile(path, []byte(entry.TOML), 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, a.settled(release))
	}
	return release, nil
}

// settled calls fn with a fresh context, because the context of the run may have ended.
func (a *attempt) settled(fn func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), min(a.w.o.Length, 30*time.Second))
	defer cancel()
	return fn(ctx)
}

// giveBack gives the lease up without a result. The lease does not count as a try of the site. The parameter
// why is the fault, or nil.
func (a *attempt) giveBack(why error) error {
	if f := a.l.State().Ledger; lost(why) && f != nil {
		a.w.lacks.Store(a.l.Site(), lack{f.Sum, time.Now()})
		why = fmt.Errorf("%w. A worker that still has the file runs the site and stores it whole. "+
			"If none has: sitesync fleet set --ledger with a copy, "+
			"or sitesync fleet remove --purge, fleet add, and sitesync adopt", why)
	}
	return a.settled(func(ctx context.Context) error {
		err := a.l.Release(ctx, func(s *lease.State) {
			s.Trouble, s.Tries = "", s.Tries-1
			if why != nil {
				s.Trouble = record.Cut(why.Error(), 500)
			}
		})
		if errors.Is(err, lease.ErrLost) {
			return nil
		}
		return err
	})
}

func (a *attempt) callTime() time.Duration { return a.w.o.Length / 2 }

func (a *attempt) job() Job {
	return Job{
		Dir: a.dir, Config: filepath.Join(a.dir, fileConfig), Call: a.callTime(), Planned: a.planned,
		Guard: func(base http.RoundTripper) http.RoundTripper {
			return &guard{base: base, left: a.l.Left, call: a.callTime(), end: a.end}
		},
	}
}

// planned stores a plan (changes to send) before the run sends it. If this worker dies, the next worker marks
// the plan's documents as in doubt (outcome unknown).
func (a *attempt) planned(ctx context.Context, path, run string) error {
	file, err := a.w.store.Put(ctx, "plan", a.l.Site(), a.l.State().Number, path, nil)
	if err == nil {
		a.sending = true
		err = a.l.Change(ctx, func(s *lease.State) { s.Plan = &lease.Plan{File: file, Run: run} })
	}
	if err != nil {
		a.end(err)
	}
	return err
}

var errGuard = errors.New("nothing more is sent: the lease has too little time left")

// guard passes a call to the search service only if the lease has more time left than the call may take.
type guard struct {
	base http.RoundTripper
	left func() time.Duration
	call time.Duration
	end  func(error)
}

func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if g.left() <= g.call {
		g.end(errGuard)
		return nil, errGuard
	}
	if r.Body != nil {
		body := r.Body
		r = r.Clone(r.Context())
		r.Body, r.GetBody = &guarded{body, g}, nil
	}
	return g.base.RoundTrip(r)
}

// CloseIdleConnections closes the idle connections of base. http.Client calls this method by its name.
func (g *guard) CloseIdleConnections() { (&http.Client{Transport: g.base}).CloseIdleConnections() }

// guarded is the body of a call. It breaks off if the lease ends, for example while the machine sleeps.
type guarded struct {
	body  io.ReadCloser
	guard *guard
}

func (b *guarded) Read(p []byte) (int, error) {
	if b.guard.left() <= 0 {
		b.guard.end(errGuard)
		return 0, errGuard
	}
	return b.body.Read(p)
}

func (b *guarded) Close() error { return b.body.Close() }
