package worker

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/limit"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/site"
)

var (
	errDrained   = errors.New("the worker is ending")
	errCancelled = errors.New("cancelled by an operator")
)

// Pauses before the queue offers the message of a due site again.
const (
	waitHeld    = 10 * time.Second // another worker runs the site, or too many sites use its host
	waitTrouble = time.Second      // this worker can't run the site now
	lackFor     = time.Minute      // how long to skip a site whose ledger (index content) can't be fetched
)

// handle runs the site of a message, and then calls free to free the worker's slot. If too many sites use the
// site's host, it waits for the host. At the end, it acknowledges the message or has it offered again.
func (w *Worker) handle(ctx context.Context, msg jetstream.Msg, free func()) {
	busy, end := context.WithCancel(ctx)
	var beats sync.WaitGroup
	beats.Go(func() {
		ticker := time.NewTicker(bus.AckWait / 4)
		defer ticker.Stop()
		for {
			select {
			case <-busy.Done():
				return
			case <-ticker.C:
				_ = msg.InProgress() // on an error, another worker gets the message and finds the site busy
			}
		}
	})
	wait, err := w.due(ctx, msg)
	free()
	if full, is := errors.AsType[*limit.FullError](err); is {
		w.untilLeft(ctx, full.Name, wait)
		wait, err = time.Nanosecond, nil
	}
	end()
	beats.Wait()
	if err != nil {
		w.o.Log.Warn("a due site could not be run; it is tried again", "message", msg.Subject(), "why", err)
	}
	if wait > 0 {
		if meta, err := msg.Metadata(); err == nil {
			wait *= time.Duration(1 + min(meta.NumDelivered/10, 5))
		}
		err = msg.NakWithDelay(wait)
	} else {
		err = msg.Ack()
	}
	if err != nil { // the queue offers the message again, and the next worker finds the result
		w.o.Log.Debug("settle the message of a due site", "message", msg.Subject(), "why", err)
	}
}

// untilLeft waits for a free place at a host or quota, or for the timeout. A free place wakes one worker.
func (w *Worker) untilLeft(ctx context.Context, name string, timeout time.Duration) {
	left := make(chan *nats.Msg, 1)
	if heard, err := w.bus.Conn.ChanQueueSubscribe(bus.Left(name), "next", left); err == nil {
		defer heard.Unsubscribe() //nolint:errcheck // it errs only if the connection was closed
	}
	select {
	case <-left:
	case <-time.After(timeout):
	case <-ctx.Done():
	}
}

// due runs the site of a message. wait is the pause before the queue offers the message again; 0: never.
func (w *Worker) due(ctx context.Context, msg jetstream.Msg) (wait time.Duration, err error) {
	due, err := site.ReadDue(msg.Data())
	if err != nil {
		return 0, err
	}
	entry, err := w.sites.Get(ctx, due.Site)
	switch {
	case errors.Is(err, site.ErrUnknown):
		return 0, nil
	case entry.Damaged != "":
		return waitHeld, errors.Join(err, w.refuse(ctx, entry, err))
	case err != nil:
		return waitTrouble, err
	case len(w.o.Groups) > 0 && !slices.Contains(w.o.Groups, entry.Fleet.Group):
		return waitTrouble, nil // only workers of the site's group have its API keys
	}
	after, err := w.sites.Clock(ctx)
	if after.Before(due.At) { // the clocks of two servers may differ
		after = due.At
	}
	if err == nil {
		err = w.sites.Schedule(ctx, entry, after) // before the run, during which this worker may die
	}
	if err != nil {
		return waitTrouble, err
	}
	state, _, err := w.keeper.Look(ctx, due.Site)
	was, is := w.lacks.Load(due.Site)
	switch {
	case err != nil:
		return waitHeld, err
	case entry.Paused, !due.At.After(state.Done):
		return 0, nil
	case is && was.(lack).of(state.Ledger):
		return waitTrouble, nil
	}
	if pause := afterTries(&state, time.Now()); pause > 0 {
		return pause, nil
	}
	l, err := w.keeper.Take(ctx, due.Site)
	if errors.Is(err, lease.ErrHeld) {
		return about(min(waitHeld, w.o.Length/2)), nil
	}
	if err != nil {
		return waitTrouble, err
	}
	return w.lead(ctx, l, entry, due)
}

// refuse notes in a site's state, once for each revision of the site, why this worker does not run the site.
func (w *Worker) refuse(ctx context.Context, entry site.Site, why error) error {
	state, _, err := w.keeper.Look(ctx, entry.Name)
	if err != nil || state.Refused == entry.Revision {
		return err
	}
	l, err := w.keeper.Take(ctx, entry.Name)
	if err != nil {
		return err
	}
	defer l.Drop()
	return l.Release(ctx, func(s *lease.State) {
		s.Refused, s.Tries = entry.Revision, s.Tries-1
		s.Trouble = record.Cut(w.o.Name+" does not run it: "+why.Error(), 500)
	})
}

type lack struct {
	sum string
	at  time.Time
}

func (l lack) of(f *lease.File) bool { return f != nil && f.Sum == l.sum && time.Since(l.at) < lackFor }

// After maxTries leases (rights to run a site) without a result, a site must wait: it may crash its workers.
const maxTries = 4

// afterTries returns how long a site must still wait. The pause since the last try is a minute after maxTries
// tries. It doubles with each further try, up to an hour.
func afterTries(s *lease.State, now time.Time) time.Duration {
	if s.Tries < maxTries {
		return 0
	}
	pause := min(time.Hour, time.Minute<<min(s.Tries-maxTries, 6))
	return min(pause, max(0, s.Since.Add(pause).Sub(now)))
}

func about(d time.Duration) time.Duration { return d/2 + rand.N(d) } //nolint:gosec // a pause is no secret
