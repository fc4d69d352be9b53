package apply

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// One ledger transaction covers so many changes, or so many bytes of documents.
const (
	window        = 1000
	windowBytes   = 2 << 20
	observeWindow = 4000 // observations, which are small
)

// Plan is what applying reads of a plan.
type Plan interface {
	Changes() iter.Seq2[document.Change, error]
	Heads() iter.Seq2[document.Change, error] // without their documents
	Observations() iter.Seq2[document.Observation, error]
}

// Book is what applying writes of a ledger.
type Book interface {
	Begin(plan document.PlanHeader) error
	SetMode(mode string) error
	Learn(profile document.Profile) error
	Step(run string, batch document.Batch) error
	Finish(trailer document.PlanTrailer) error
	Get(id string) (*document.Record, error)
	BulkBegun(why string) error
	BulkProved() error
	Lend(ctx context.Context, fn func() error) error // to readers, while fn waits for the service
}

// Sender sends changes of one operation, in order, and reports their outcomes. It
// errs for what must stop the run.
type Sender interface {
	Apply(ctx context.Context, op document.Op, changes []document.Change, report func([]document.Outcome) error) error
}

// Applier applies one plan.
type Applier struct {
	Header      document.PlanHeader
	Trailer     document.PlanTrailer
	Plan        Plan
	Book        Book
	Sender      Sender
	Bulk        BulkSender // nil: what a plan deletes by bulk goes by ID
	IncludeHeld bool       // also send the changes that brakes hold, except on hosts that are not ok
	Progress    func(done int)
	End         func(run *document.Summary, stop error) // nil, or what adds to the summary before that is recorded

	released map[string]bool // held changes that were sent
	doubted  map[string]bool // what is in doubt although it was acknowledged
	settled  []document.Settled
	noted    []document.Entry
	counts   document.Counts
	kinds    document.Kinds
	waiting  int      // deletes whose document's new place is not acknowledged
	rules    []string // of retention, whose first effect was sent although it is held
	fresh    int      // failures of documents that did not fail in an earlier run
	done     int
	beside   judge.Bulk // the plan's bulk delete, and what it must spare
}

// Apply sends what the plan says, records the outcomes and returns the run's summary. It errs when the
// ledger is another one, has moved on or can't be written, when the sender stops, and when ctx is done.
// What was recorded until then stands; a call that was under way leaves its documents in doubt.
func (a *Applier) Apply(ctx context.Context) (document.Summary, error) {
	a.counts = a.Trailer.Summary.Counts
	a.counts.Put, a.counts.Patch, a.counts.Delete, a.counts.BulkDelete, a.counts.Queue = 0, 0, 0, 0, 0
	a.counts.Refused, a.counts.Held = 0, 0
	if err := a.Book.Begin(a.Header); err != nil {
		return document.Summary{}, err
	}
	if err := a.Book.SetMode(a.Header.Mode); err != nil {
		return document.Summary{}, err
	}
	// Before anything is sent: what was finished with the profile must never be known
	// to a ledger that does not know the profile.
	if err := a.Book.Learn(a.Trailer.Profile); err != nil {
		return document.Summary{}, err
	}
	a.released, a.doubted = map[string]bool{}, map[string]bool{}
	if bulk := a.Trailer.Summary.Bulk; bulk != nil {
		a.beside.Before = bulk.Before
	}
	stop := a.send(ctx)
	// What is known is recorded even when the run was stopped: the ledger must not
	// say less than the service did.
	err := a.step(nil, nil)
	trailer := a.Trailer
	trailer.Summary.Counts, trailer.Summary.Kinds, trailer.Summary.New = a.counts, a.kinds, trailer.Summary.New+a.fresh
	trailer.Summary.Brakes = a.brakes()
	trailer.Retention = append(trailer.Retention, a.rules...)
	if stop != nil {
		trailer.Summary.Stopped = stop.Error()
	}
	if errors.Is(stop, context.Canceled) { // the next run resumes this one: what the crawl saw would count twice
		trailer.Summary.Stopped, trailer.Hosts = "interrupted", nil
	} else if err == nil { // also a run that the service stopped saw what it saw
		takes := func(o document.Observation) bool { return !a.released[o.ID] }
		err = inWindows(a.Plan.Observations(), observeWindow, takes, func(pending []document.Observation) error { return a.step(nil, pending) })
	}
	if a.End != nil {
		a.End(&trailer.Summary, stop)
	}
	if err == nil {
		err = a.Book.Finish(trailer)
	}
	return trailer.Summary, errors.Join(stop, err)
}

// send goes through the changes, a window of one operation at a time. After a stop that is
// not an interruption it still notes what is held and parked: the alarm must not depend on
// how the run ends.
func (a *Applier) send(ctx context.Context) (stop error) {
	var changes []document.Change
	size, bulk := 0, false
	for c, err := range a.Plan.Changes() {
		if err == nil {
			err = ctx.Err()
		}
		due := c.State == document.Planned || c.State == document.Held && a.IncludeHeld && c.Brake != document.BrakeHost
		if err == nil && !due {
			err = a.note(&c)
		}
		switch {
		case err != nil && stop == nil:
			return err
		case err != nil:
			return stop
		case !due:
			continue
		}
		bulk = bulk || c.Op == document.BulkDelete // which come last, and together
		if stop != nil || bulk {
			continue
		}
		if c.State == document.Held {
			a.released[c.ID] = true
		}
		if len(changes) == window || size > windowBytes || len(changes) > 0 && changes[0].Op != c.Op {
			stop = a.sendWindow(ctx, changes)
			changes, size = nil, 0
		}
		changes, size = append(changes, c), size+len(c.Doc)
	}
	if stop == nil {
		stop = a.sendWindow(ctx, changes)
	}
	if stop == nil && bulk {
		stop = a.sendBulk(ctx)
	}
	return stop
}

// sendWindow records the outcomes of the last window and the intents of this one in
// one transaction, then sends.
func (a *Applier) sendWindow(ctx context.Context, changes []document.Change) error {
	if len(changes) == 0 {
		return ctx.Err()
	}
	if changes[0].Op == document.Delete {
		err := a.step(nil, nil) // so that what deletes need is on record
		if err == nil {
			changes, err = a.ready(changes)
		}
		if err != nil || len(changes) == 0 {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := a.step(changes, nil); err != nil {
		return err
	}
	next := 0
	report := func(outcomes []document.Outcome) error {
		for _, outcome := range outcomes {
			if next >= len(changes) || changes[next].ID != outcome.ID {
				return fmt.Errorf("record the outcome of %s: it was not sent in this order", outcome.ID)
			}
			a.take(changes[next], outcome)
			next++
		}
		return nil
	}
	return a.Book.Lend(ctx, func() error { return a.Sender.Apply(ctx, changes[0].Op, changes, report) })
}

// ready holds back deletes whose document has a new ID that is not acknowledged.
func (a *Applier) ready(changes []document.Change) ([]document.Change, error) {
	ready := changes[:0]
	for _, c := range changes {
		if c.Needs != "" {
			target, err := a.Book.Get(c.Needs)
			if err != nil {
				return nil, err
			}
			if target == nil || target.Push != document.PushOK && !a.doubted[c.Needs] {
				c.State, c.Brake, c.Group = document.Held, document.BrakeTarget, ""
				a.waiting++
				if err := a.note(&c); err != nil {
					return nil, err
				}
				continue
			}
		}
		ready = append(ready, c)
	}
	return ready, nil
}

// note keeps, for the history, what is not sent.
func (a *Applier) note(c *document.Change) error {
	switch c.State {
	case document.Held:
		a.counts.Held++
	case document.Refused:
		a.counts.Refused++
	}
	a.noted = append(a.noted, c.Entry(c.State, ""))
	if len(a.noted) < window {
		return nil
	}
	return a.step(nil, nil)
}

// take takes in the outcome of one change. It also tells the bulk delete at the end of the
// run what must stay: what was put or patched, and documents whose delete may have failed.
func (a *Applier) take(c document.Change, outcome document.Outcome) {
	a.settled = append(a.settled, document.Settled{Change: c, Outcome: outcome})
	acknowledged := outcome.State == document.Acknowledged || outcome.By != ""
	if acknowledged && outcome.State == document.InDoubt {
		a.doubted[c.ID] = true
	}
	switch {
	case c.Op == document.Delete && !acknowledged:
		a.beside.Barred = true
	case (c.Op == document.Put || c.Op == document.Patch) && c.Next != nil:
		a.beside.Lives(c.Next)
	}
	a.done++
	if a.Progress != nil {
		a.Progress(a.done)
	}
	switch {
	case acknowledged:
		a.counts.Count(c.Op)
		a.kinds.Count(c.Entry(c.State, ""))
	case outcome.State == document.Refused:
		a.counts.Refused++
	}
	if !acknowledged && !c.Again {
		a.fresh++
	}
	if acknowledged && c.Brake == document.BrakeRetention && !slices.Contains(a.rules, c.Group) {
		a.rules = append(a.rules, c.Group)
	}
}

// brakes returns what the brakes held after all: nothing that was sent, and what waits
// for the document that takes its place.
func (a *Applier) brakes() []document.Tripped {
	held := slices.DeleteFunc(slices.Clone(a.Trailer.Summary.Brakes), func(t document.Tripped) bool {
		return a.IncludeHeld && t.Brake != document.BrakeHost
	})
	if a.waiting > 0 {
		why := "the document that takes its place is not acknowledged; it goes out once that is"
		held = append(held, document.Tripped{Brake: document.BrakeTarget, Held: a.waiting, Why: why})
	}
	return held
}

// step writes what was settled and noted since the last step, with new intents.
func (a *Applier) step(intents []document.Change, observed []document.Observation) error {
	batch := document.Batch{Settled: a.settled, Intents: intents, Observed: observed, Noted: a.noted}
	if len(a.settled)+len(intents)+len(observed)+len(a.noted) == 0 {
		return nil
	}
	a.settled, a.noted = nil, nil
	return a.Book.Step(a.Header.Run, batch)
}
