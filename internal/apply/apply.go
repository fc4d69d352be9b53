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

// A window of changes is written to the ledger (the database of what the index holds) in one transaction.
const (
	window        = 1000
	windowBytes   = 2 << 20 // a window with more bytes of documents gets no further change
	observeWindow = 4000    // most observations (records that need no call) in a window
)

// Plan yields the changes that Apply sends, and the observations: records to write that need no call of the
// service.
type Plan interface {
	Changes() iter.Seq2[document.Change, error]
	Heads() iter.Seq2[document.Change, error] // the same changes without their documents
	Observations() iter.Seq2[document.Observation, error]
}

// Book has the methods of the ledger that Apply needs.
type Book interface {
	Begin(plan document.PlanHeader) error
	SetMode(mode string) error
	Learn(profile document.Profile) error
	Step(run string, batch document.Batch) error
	Finish(trailer document.PlanTrailer) error
	Get(id string) (*document.Record, error)
	BulkBegun(why string) error
	BulkProved() error
	Lend(ctx context.Context, fn func() error) error // lets other processes read the ledger while fn runs
}

// Sender sends changes of one operation in order and passes outcomes to report. An error ends the run.
type Sender interface {
	Apply(ctx context.Context, op document.Op, changes []document.Change, report func([]document.Outcome) error) error
}

// Applier sends the changes of one plan.
type Applier struct {
	Header      document.PlanHeader
	Trailer     document.PlanTrailer
	Plan        Plan
	Book        Book
	Sender      Sender
	Bulk        BulkSender // nil: the documents of a bulk delete are deleted by ID
	IncludeHeld bool       // also send changes that a brake (a limit) holds, except for BrakeHost
	Progress    func(done int)
	End         func(run *document.Summary, stop error) // fills in the summary to be stored; may be nil

	released      map[string]bool
	doubted       map[string]bool // acknowledged IDs whose document an older, delayed call may overwrite
	settled       []document.Settled
	noted         []document.Entry
	counts        document.Counts
	kinds         document.Kinds
	heldForTarget int
	rules         []string // retention (age) rules whose held deletes were sent and acknowledged
	firstFailures int
	done          int
	bulkDelete    judge.Bulk
}

// Apply sends the changes of the plan, records their outcomes and returns the run's summary. It errs if the
// plan does not fit the ledger, if the ledger or the sender fails, and if ctx ends. Outcomes before the error
// stay recorded. Changes of an unfinished call are in doubt: their outcome is unknown.
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
	// The profile is the text that the site's pages share. It is stored before the first call: even after an
	// interruption, the ledger must know the profile of each document in the index.
	if err := a.Book.Learn(a.Trailer.Profile); err != nil {
		return document.Summary{}, err
	}
	a.released, a.doubted = map[string]bool{}, map[string]bool{}
	if bulk := a.Trailer.Summary.Bulk; bulk != nil {
		a.bulkDelete.Before = bulk.Before
	}
	stop := a.send(ctx)
	err := a.step(nil, nil)
	trailer := a.Trailer
	trailer.Summary.Counts, trailer.Summary.Kinds = a.counts, a.kinds
	trailer.Summary.New += a.firstFailures
	trailer.Summary.Brakes = a.brakes()
	trailer.Retention = append(trailer.Retention, a.rules...)
	if stop != nil {
		trailer.Summary.Stopped = stop.Error()
	}
	// An interrupted run records no findings of the crawl: the run that resumes it records them.
	if errors.Is(stop, context.Canceled) {
		trailer.Summary.Stopped, trailer.Hosts = "interrupted", nil
	} else if err == nil { // the findings of the crawl are valid even if the service stopped the run
		takes := func(o document.Observation) bool { return !a.released[o.ID] }
		write := func(observed []document.Observation) error { return a.step(nil, observed) }
		err = inWindows(a.Plan.Observations(), observeWindow, takes, write)
	}
	if a.End != nil {
		a.End(&trailer.Summary, stop)
	}
	if err == nil {
		err = a.Book.Finish(trailer)
	}
	return trailer.Summary, errors.Join(stop, err)
}

// send sends the changes in windows of one operation each. Every run must report the held changes and the
// parked ones (refused three times), so send records them even if the sender fails.
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
		bulk = bulk || c.Op == document.BulkDelete // bulk deletes come last in a plan
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

// sendWindow records, in one transaction, the outcomes of earlier changes and the intent to send the given
// changes. Then it sends them.
func (a *Applier) sendWindow(ctx context.Context, changes []document.Change) error {
	if len(changes) == 0 {
		return ctx.Err()
	}
	if changes[0].Op == document.Delete {
		err := a.step(nil, nil) // a.ready reads earlier outcomes from the ledger
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
			a.addOutcome(changes[next], outcome)
			next++
		}
		return nil
	}
	return a.Book.Lend(ctx, func() error { return a.Sender.Apply(ctx, changes[0].Op, changes, report) })
}

// ready removes deletes that need a document which the service has not acknowledged, and notes them as held.
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
				a.heldForTarget++
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

// addOutcome counts the outcome of a change, and keeps it until step writes it to the ledger. It forbids the
// bulk delete if a delete was not acknowledged, or if the bulk delete might remove a document just sent.
func (a *Applier) addOutcome(c document.Change, outcome document.Outcome) {
	a.settled = append(a.settled, document.Settled{Change: c, Outcome: outcome})
	acknowledged := outcome.State == document.Acknowledged || outcome.By != ""
	if acknowledged && outcome.State == document.InDoubt {
		a.doubted[c.ID] = true
	}
	switch {
	case c.Op == document.Delete && !acknowledged:
		a.bulkDelete.Barred = true
	case (c.Op == document.Put || c.Op == document.Patch) && c.Next != nil:
		a.bulkDelete.Lives(c.Next)
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
		a.firstFailures++
	}
	if acknowledged && c.Brake == document.BrakeRetention && !slices.Contains(a.rules, c.Group) {
		a.rules = append(a.rules, c.Group)
	}
}

// brakes returns the brakes that hold changes at the end of the run. Held changes that were sent no longer
// count. Deletes that wait for another document count under BrakeTarget.
func (a *Applier) brakes() []document.Tripped {
	held := slices.DeleteFunc(slices.Clone(a.Trailer.Summary.Brakes), func(t document.Tripped) bool {
		return a.IncludeHeld && t.Brake != document.BrakeHost
	})
	if a.heldForTarget > 0 {
		why := "the document that takes its place is not acknowledged; it goes out once that is"
		held = append(held, document.Tripped{Brake: document.BrakeTarget, Held: a.heldForTarget, Why: why})
	}
	return held
}

func (a *Applier) step(intents []document.Change, observed []document.Observation) error {
	batch := document.Batch{Settled: a.settled, Intents: intents, Observed: observed, Noted: a.noted}
	if len(a.settled)+len(intents)+len(observed)+len(a.noted) == 0 {
		return nil
	}
	a.settled, a.noted = nil, nil
	return a.Book.Step(a.Header.Run, batch)
}
