package apply

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// One ledger transaction covers so many changes, or so many bytes of documents.
const (
	window      = 1000
	windowBytes = 8 << 20
)

// observeWindow is how many observations one transaction covers: they are small.
const observeWindow = 4000

// Plan is what applying reads of a plan.
type Plan interface {
	Changes() iter.Seq2[document.Change, error]
	Heads() iter.Seq2[document.Change, error] // without their documents
	Observations() iter.Seq2[document.Observation, error]
}

// Book is what applying writes of a ledger.
type Book interface {
	Begin(generation uint64, target document.Target) error
	SetMode(mode string) error
	Learn(profile document.Profile) error
	Step(run string, batch document.Batch) error
	Finish(trailer document.PlanTrailer) error
	Get(id string) (*document.Record, error)
	BulkBegun(why string) error
	BulkProved() error
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
	IncludeHeld bool       // send what the brakes hold as well, but for hosts that are not ok
	Progress    func(done int)

	released map[string]bool // held changes that were sent
	settled  []document.Settled
	noted    []document.Entry
	counts   document.Counts
	waiting  int      // deletes whose document's new place is not acknowledged
	rules    []string // of retention, whose first effect was sent although it is held
	fresh    int
	done     int
	beside   judge.Bulk // what a bulk delete must spare
}

// Apply sends what the plan says and records what became of it. It returns the
// run's summary. It errs when the ledger has moved on, when the ledger can't be
// written, when the sender stops, and when ctx is done; what was recorded until
// then stands, and what was under way is in doubt.
func (a *Applier) Apply(ctx context.Context) (document.Summary, error) {
	a.counts = a.Trailer.Summary.Counts
	a.counts.Put, a.counts.Patch, a.counts.Delete, a.counts.BulkDelete, a.counts.Queue = 0, 0, 0, 0, 0
	a.counts.Refused, a.counts.Held = 0, 0
	if err := a.Book.Begin(a.Header.Generation, a.Header.Target); err != nil {
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
	a.released = map[string]bool{}
	stop := a.send(ctx)
	// What is known is recorded even when the run was stopped: the ledger must not
	// say less than the service did.
	err := a.step(nil, nil)
	trailer := a.Trailer
	trailer.Summary.Counts, trailer.Summary.New = a.counts, trailer.Summary.New+a.fresh
	trailer.Summary.Brakes = a.brakes()
	trailer.Retention = append(trailer.Retention, a.rules...)
	if errors.Is(stop, context.Canceled) {
		// The next run goes on in this one's place: what the crawl saw would count twice.
		trailer.Summary.Stopped, trailer.Hosts = "interrupted", nil
	} else {
		if stop != nil {
			trailer.Summary.Stopped = stop.Error()
		}
		err = firstError(err, a.observe(stop))
	}
	if err == nil {
		err = a.Book.Finish(trailer)
	}
	return trailer.Summary, errors.Join(stop, err)
}

// send goes through the changes, a window of one operation at a time. After a stop
// that is no interruption it goes on to note what is held and parked: the alarm
// must not depend on how the run ends.
func (a *Applier) send(ctx context.Context) error {
	var changes []document.Change
	var stop error
	size, bulk := 0, false
	for c, err := range a.Plan.Changes() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return firstError(stop, err)
		}
		if !a.due(&c) {
			if err := a.note(&c); err != nil {
				return firstError(stop, err)
			}
			continue
		}
		if bulk = bulk || c.Op == document.BulkDelete; stop != nil || bulk { // which come last, and together
			continue
		}
		if c.State == document.Held {
			a.released[c.ID] = true
		}
		if len(changes) == window || size > windowBytes || len(changes) > 0 && changes[0].Op != c.Op {
			stop = a.window(ctx, changes)
			changes, size = nil, 0
		}
		changes, size = append(changes, c), size+len(c.Doc)
	}
	if stop == nil {
		stop = a.window(ctx, changes)
	}
	if stop == nil && bulk {
		stop = a.bulk(ctx)
	}
	return stop
}

// due reports whether a change is to be sent.
func (a *Applier) due(c *document.Change) bool {
	return c.State == document.Planned || c.State == document.Held && a.IncludeHeld && c.Brake != document.BrakeHost
}

// window records the outcomes of the last window and the intents of this one in
// one transaction, then sends.
func (a *Applier) window(ctx context.Context, changes []document.Change) error {
	if len(changes) == 0 {
		return ctx.Err()
	}
	if changes[0].Op == document.Delete {
		if err := a.step(nil, nil); err != nil { // so that what deletes need is on record
			return err
		}
		var err error
		if changes, err = a.ready(changes); err != nil || len(changes) == 0 {
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
	err := a.Sender.Apply(ctx, changes[0].Op, changes, func(outcomes []document.Outcome) error {
		for _, outcome := range outcomes {
			if next >= len(changes) || changes[next].ID != outcome.ID {
				return fmt.Errorf("record the outcome of %s: it was not sent in this order", outcome.ID)
			}
			a.settle(changes[next], outcome)
			next++
		}
		return nil
	})
	return err
}

// ready holds back deletes whose document goes on under an ID that is not
// acknowledged.
func (a *Applier) ready(changes []document.Change) ([]document.Change, error) {
	ready := changes[:0]
	for _, c := range changes {
		if c.Needs != "" {
			target, err := a.Book.Get(c.Needs)
			if err != nil {
				return nil, err
			}
			if target == nil || target.Push != document.PushOK {
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
