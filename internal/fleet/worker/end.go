package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nuid"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/journal"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/own"
)

// maxPlanAge is how old a plan may be that another worker goes on with: the site is another one
// after that. It is fetch.resume's default.
const maxPlanAge = 24 * time.Hour

// resume goes on with a plan that an earlier lease was sending. A plan that is too old, or of
// which something is lost, is given up: what it may have touched is in doubt.
func (a *attempt) resume(ctx context.Context, plan lease.Plan) (wait time.Duration, err error) {
	path := filepath.Join(a.dir, filePlan)
	defer func() { _ = os.Remove(path) }()
	err = a.takeOver(ctx, plan, path)
	if errors.Is(err, bus.ErrMissing) || errors.Is(err, snapshot.ErrDamaged) {
		a.abandoned = err
	} else if err != nil {
		return waitTrouble, errors.Join(err, a.giveBack(err))
	}
	if age := time.Since(plan.At); age > maxPlanAge {
		a.abandoned = fmt.Errorf("it is %s old", age.Round(time.Minute))
	}
	if a.journal == nil {
		return a.abandon(ctx, plan, true)
	}
	a.due.At = plan.Due
	out := a.w.o.Pipeline.Run(ctx, a.job(), path)
	switch {
	case out.UnfitPlan:
		a.abandoned = out.Err
		return a.abandon(ctx, plan, true)
	case a.abandoned != nil && errors.Is(out.Err, journal.ErrAbandoned):
		return a.abandon(ctx, plan, false)
	}
	return a.finish(ctx, out, true)
}

// takeOver reads the plan and how far it was sent. From then on, what an earlier holder writes
// no longer counts.
func (a *attempt) takeOver(ctx context.Context, plan lease.Plan, path string) error {
	if err := a.w.store.Get(ctx, "plan", a.l.Site(), plan.File, path); err != nil {
		return err
	}
	j, err := journal.Open(ctx, a.w.bus, a.l.Site(), plan, a.l.Number())
	if err != nil {
		return err
	}
	a.journal = j
	plan.Marks = j.Closed
	return a.l.Change(ctx, func(s *lease.State) { s.Plan = &plan })
}

// abandon commits the ledger after a plan was given up, so that the next lease plans anew. all:
// nobody knows what of the plan arrived, and every document is in doubt.
func (a *attempt) abandon(ctx context.Context, plan lease.Plan, all bool) (wait time.Duration, err error) {
	a.w.o.Log.Warn("a plan was given up; the site is planned anew", "site", a.l.Site(), "run", plan.Run, "why", a.abandoned)
	if all {
		if err := a.w.o.Pipeline.Doubt(ctx, a.job(), fmt.Sprintf("run %s was given up: %v", plan.Run, a.abandoned)); err != nil {
			return waitTrouble, errors.Join(err, a.giveBack(err))
		}
	}
	err = a.commit(func(s *lease.State) { s.Plan, s.Tries = nil, 0 })
	if err == nil {
		a.sweep()
	}
	return waitTrouble, err
}

// finish commits what a run did, where it came to an end; else the site goes back.
func (a *attempt) finish(ctx context.Context, out Outcome, resumed bool) (wait time.Duration, err error) {
	a.mu.Lock()
	fault := a.fault
	a.mu.Unlock()
	stopped := context.Cause(ctx)
	ended := out.Summary != nil && out.Summary.Stopped != "interrupted" // also one that was to stop, and was quicker
	switch {
	case a.l.Left() <= 0:
		a.w.o.Monitor.Lost()
		return waitHeld, nil
	case fault != nil:
		return waitTrouble, a.giveBack(errors.Join(fault, out.Err))
	case out.MachineFault:
		a.w.rests(out.Err)
		if err := own.Worker.Remove(a.dir); err != nil { // what is damaged is not to be found again
			a.w.o.Log.Debug("remove the folder of a site", "site", a.l.Site(), "why", err)
		}
		return waitTrouble, a.giveBack(fmt.Errorf("%s: %w", a.w.o.Name, out.Err))
	case stopped != nil && !ended && errors.Is(stopped, errCancelled):
		out.Exit, out.Err = exitInterrupted, errCancelled
		return a.report(out, resumed, false)
	case stopped != nil && !ended:
		return waitTrouble, a.giveBack(nil)
	}
	return a.report(out, resumed, out.Summary != nil || a.l.State().Plan == nil)
}

// The exit codes of a run that was ended by somebody, and of one that was not begun as the fleet
// has lost the ledger.
const (
	exitInterrupted = 130
	exitKept        = 3
)

// report commits the result of a run, with its ledger where it is to count. Without, a plan
// that was being sent stays, and the next lease goes on with it. The message of a due site that
// had such a plan is offered again: it may be of a later due time.
func (a *attempt) report(out Outcome, resumed, ledger bool) (wait time.Duration, err error) {
	r := record.Run{Site: a.l.Site(), Report: out.Report, Log: out.Log, Result: lease.Result{
		Worker: a.w.o.Name, Due: a.due.At, Start: a.began.UTC(), Took: max(1, time.Since(a.began).Milliseconds()), Exit: out.Exit,
		Documents: out.Documents, Doubt: out.Doubt, Resumed: resumed,
	}}
	if s := out.Summary; s != nil {
		r.Run, r.Counts, r.Stopped = s.Run, s.Counts, s.Stopped
		r.New, r.Hosts, r.Brakes = s.New, s.Hosts, s.Brakes
	}
	if out.Err != nil && r.Stopped == "" {
		r.Stopped = record.Cut(out.Err.Error(), 500)
	}
	change := func(s *lease.State) {
		s.Last, s.Done, s.Tries, s.Trouble = &r.Result, a.due.At, 0, ""
		if r.Exit == 0 {
			s.NotWell = time.Time{}
		} else if s.NotWell.IsZero() {
			s.NotWell = r.Start
		}
		if ledger {
			s.Plan = nil
		}
	}
	if ledger {
		err = a.commit(change)
	} else {
		err = a.settled(func(ctx context.Context) error { return a.l.Release(ctx, change) })
	}
	if err == nil {
		a.w.o.Monitor.Ended(r.Result)
		c := r.Counts
		a.w.o.Log.Info("a site was run", "worker", a.w.o.Name, "site", r.Site, "exit", r.Exit, "put", c.Put, "patch", c.Patch, "delete", c.Delete, "held", c.Held, "took", time.Since(a.began).Round(time.Millisecond))
		err = a.settled(func(ctx context.Context) error { return record.Put(ctx, a.w.bus, r) })
		if ledger {
			a.sweep()
		}
	}
	if resumed || err != nil {
		wait = waitTrouble
	}
	return wait, err
}

// commit stores the ledger, then names it in the state of the site and gives the lease up, in
// one step.
func (a *attempt) commit(change func(*lease.State)) error {
	ctx := a.l.Over() // a large ledger may take its time, also while the worker is ending
	site, number, path := a.l.Site(), a.l.Number(), filepath.Join(a.dir, snapshot.LedgerFile)
	before := a.l.State().Ledger
	file := before
	_, err := os.Stat(path)
	if first := before == nil && errors.Is(err, fs.ErrNotExist); !first { // else the run ended before it had a ledger
		var stored lease.File
		stored, err = a.w.store.Put(ctx, "ledger", site, number, path, before)
		if err != nil {
			return errors.Join(err, a.giveBack(err))
		}
		stored.Line = cmp.Or(stored.Line, a.index+" "+nuid.Next())
		file = &stored
	}
	err = a.settled(func(ctx context.Context) error {
		return a.l.Release(ctx, func(s *lease.State) {
			change(s)
			s.Ledger = file
		})
	})
	if err != nil || file == nil {
		return err
	}
	if err := a.w.cache.Keep(site, *file); err != nil { // it costs a fetch
		a.w.o.Log.Debug("keep the ledger of a site", "site", site, "why", err)
	}
	return nil
}

// sweep removes what nobody needs any more after a commit. It may take a while: the result is
// to be seen before.
func (a *attempt) sweep() {
	site, state := a.l.Site(), a.l.State()
	if state.Ledger == nil {
		return
	}
	err := a.settled(func(ctx context.Context) error {
		err := a.w.store.Sweep(ctx, "ledger", site, *state.Ledger)
		if a.journal != nil {
			upTo := lease.File{Number: state.Number}
			err = errors.Join(err, a.w.store.Sweep(ctx, "plan", site, upTo), a.w.store.Sweep(ctx, "mark", site, upTo))
		}
		return err
	})
	if err != nil { // the next commit sweeps again
		a.w.o.Log.Debug("remove what is no longer needed", "site", site, "why", err)
	}
	if err := a.w.cache.Trim(a.w.needs); err != nil {
		a.w.o.Log.Debug("trim the ledgers kept here", "why", err)
	}
}
