package apply

import (
	"slices"

	"sitesync/internal/document"
)

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

// settle takes in what became of one change.
func (a *Applier) settle(c document.Change, outcome document.Outcome) {
	a.settled = append(a.settled, document.Settled{Change: c, Outcome: outcome})
	a.watch(&c, outcome)
	a.done++
	if a.Progress != nil {
		a.Progress(a.done)
	}
	switch {
	case outcome.State == document.Refused:
		a.counts.Refused++
		a.failed(&c)
	case outcome.State != document.Acknowledged:
		a.failed(&c)
	case c.Op == document.Put:
		a.counts.Put++
	case c.Op == document.Patch:
		a.counts.Patch++
	case c.Op == document.Delete:
		a.counts.Delete++
	case c.Op == document.Queue:
		a.counts.Queue++
	case c.Op == document.BulkDelete:
		a.counts.BulkDelete++
	}
	if c.Brake == document.BrakeRetention && outcome.State == document.Acknowledged && !slices.Contains(a.rules, c.Group) {
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

// failed counts a failure, unless the document failed in an earlier run already.
func (a *Applier) failed(c *document.Change) {
	if !c.Again {
		a.fresh++
	}
}

// step writes what was settled and noted since the last step, with new intents.
func (a *Applier) step(intents []document.Change, observed []document.Observation) error {
	batch := document.Batch{Settled: a.settled, Intents: intents, Observed: observed, Noted: a.noted}
	if batch.Empty() {
		return nil
	}
	a.settled, a.noted = nil, nil
	return a.Book.Step(a.Header.Run, batch)
}

// observe records what needs no call. A run that the service stopped still saw what
// it saw.
func (a *Applier) observe(stop error) error {
	var pending []document.Observation
	for o, err := range a.Plan.Observations() {
		if err != nil {
			return firstError(stop, err)
		}
		if a.released[o.ID] {
			continue
		}
		if pending = append(pending, o); len(pending) == observeWindow {
			if err := a.step(nil, pending); err != nil {
				return err
			}
			pending = nil
		}
	}
	return a.step(nil, pending)
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
