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

	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/own"
)

// takeOver settles an earlier run that came to no end. It waits until no request of that run can still reach
// the search service. It then marks the documents that the run may have sent as in doubt (outcome unknown),
// and stores the ledger (what the index holds). The next run sends these documents in full.
func (a *attempt) takeOver(plan lease.Plan) error {
	ctx := a.l.Over() // the lease (right to run the site) outlives the context of the run
	a.w.o.Log.Warn("a run did not end: what it may have sent is in doubt", "site", a.l.Site(), "run", plan.Run)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(a.callTime()): // that run's machine has dropped its requests by now: see package push
	}
	if plan.Sum == "" { // the run was stopped, and the ledger has its results
		return a.l.Change(ctx, func(s *lease.State) { s.Plan = nil })
	}
	path := filepath.Join(a.dir, filePlan)
	defer func() { _ = os.Remove(path) }()
	err := a.w.store.Get(ctx, "plan", a.l.Site(), plan.File, path)
	if lost(err) {
		path, err = "", nil
	}
	if err == nil {
		err = a.w.o.Pipeline.Doubt(a.job(), path, fmt.Sprintf("run %s did not end", plan.Run))
	}
	if err != nil {
		return err
	}
	file, err := a.storeLedger()
	if err == nil {
		err = a.l.Change(ctx, func(s *lease.State) { s.Ledger, s.Plan = file, nil })
	}
	return err
}

// finish gives the lease (right to run the site) up. If the run came to a result, finish commits the result.
func (a *attempt) finish(ctx context.Context, out Outcome, resumed bool) (wait time.Duration, err error) {
	stopped := context.Cause(ctx)
	asked := errors.Is(stopped, errDrained) || errors.Is(stopped, errCancelled) || errors.Is(stopped, lease.ErrLost)
	ended := out.Summary != nil && out.Summary.Stopped != "interrupted" // a stop may come after the end
	if stopped != nil && !ended && out.Summary != nil {
		a.cut = &lease.Plan{Run: out.Summary.Run}
	}
	switch {
	case a.l.Left() <= 0:
		a.w.o.Monitor.Lost()
		return waitHeld, nil
	case stopped != nil && !asked: // the NATS servers failed, or the lease has too little time left
		return waitTrouble, a.giveBack(errors.Join(stopped, out.Err))
	case out.MachineFault:
		a.w.rests(out.Err)
		if err := own.Worker.Remove(a.dir); err != nil { // remove the files, which may be damaged
			a.w.o.Log.Debug("remove the folder of a site", "site", a.l.Site(), "why", err)
		}
		return waitTrouble, a.giveBack(fmt.Errorf("%s: %w", a.w.o.Name, out.Err))
	case stopped != nil && !ended && errors.Is(stopped, errCancelled):
		out.Exit, out.Err = 130, errCancelled
	case a.cut != nil:
		return waitTrouble, a.commit(func(s *lease.State) { s.Tries, s.Trouble = s.Tries-1, "" })
	case stopped != nil && !ended:
		return waitTrouble, a.giveBack(nil)
	}
	return a.report(out, resumed)
}

func (a *attempt) report(out Outcome, resumed bool) (wait time.Duration, err error) {
	took := time.Since(a.began).Round(time.Millisecond)
	r := record.Run{Site: a.l.Site(), Report: out.Report, Log: out.Log, Result: lease.Result{
		Worker: a.w.o.Name, Due: a.due.At, Start: a.began.UTC(), Took: max(1, took.Milliseconds()),
		Exit: out.Exit, Documents: out.Documents, Doubt: out.Doubt, Resumed: resumed,
	}}
	if s := out.Summary; s != nil {
		r.Run, r.Counts, r.Kinds, r.Stopped = s.Run, s.Counts, s.Kinds, s.Stopped
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
	}
	// The record is stored first, so that whoever has seen the result finds the record.
	unrecorded := a.settled(func(ctx context.Context) error { return record.Put(ctx, a.w.bus, r) })
	err = a.commit(change)
	if err == nil {
		a.w.o.Monitor.Ended(r.Result)
		c := r.Counts
		a.w.o.Log.Info("a site was run", "worker", a.w.o.Name, "site", r.Site, "exit", r.Exit,
			"put", c.Put, "patch", c.Patch, "delete", c.Delete, "held", c.Held, "took", took)
		a.sweep()
	}
	err = errors.Join(unrecorded, err)
	if err != nil {
		wait = waitTrouble
	}
	return wait, err
}

// commit stores the ledger. Then one write names this ledger in the state of the site, replaces the state's
// plan (changes to send) with a.cut (empty or nil), and gives the lease up.
func (a *attempt) commit(change func(*lease.State)) error {
	file, err := a.storeLedger()
	if err != nil {
		return errors.Join(err, a.giveBack(err))
	}
	site := a.l.Site()
	err = a.settled(func(ctx context.Context) error {
		return a.l.Release(ctx, func(s *lease.State) {
			change(s)
			s.Ledger, s.Plan = file, a.cut
		})
	})
	if err != nil || file == nil {
		return err
	}
	if err := a.w.cache.Keep(site, *file); err != nil { // the next run then fetches the ledger
		a.w.o.Log.Debug("keep the ledger of a site", "site", site, "why", err)
	}
	return nil
}

func (a *attempt) storeLedger() (*lease.File, error) {
	before, path := a.l.State().Ledger, filepath.Join(a.dir, snapshot.LedgerFile)
	if _, err := os.Stat(path); before == nil && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	// A large ledger takes time: storing it may go on until the lease ends, even while the worker shuts down.
	stored, err := a.w.store.Put(a.l.Over(), "ledger", a.l.Site(), a.l.State().Number, path, before)
	stored.Line = cmp.Or(stored.Line, a.index+" "+nuid.Next())
	return &stored, err
}

func (a *attempt) sweep() {
	site, state := a.l.Site(), a.l.State()
	if state.Ledger == nil {
		return
	}
	err := a.settled(func(ctx context.Context) error {
		err := a.w.store.Sweep(ctx, "ledger", site, *state.Ledger)
		if a.sending {
			err = errors.Join(err, a.w.store.Sweep(ctx, "plan", site, lease.File{Number: state.Number}))
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
