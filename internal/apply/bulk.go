package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// BulkSender makes a bulk delete and returns the number of deleted documents. It retries only after an answer
// that rejected the call. On an error, ran reports whether documents may have been deleted.
type BulkSender interface {
	ApplyBulk(ctx context.Context, filter json.RawMessage) (deleted int, ran bool, err error)
}

// sendBulk makes the bulk delete of the plan. A service that does not know the filter's field may delete
// every document. Therefore all documents are in doubt (state unknown) from before the call until the answer
// proves that exactly the planned documents were deleted, or none.
func (a *Applier) sendBulk(ctx context.Context) error {
	if a.Bulk == nil || !a.bulkDelete.Possible() {
		return a.sendSingly(ctx)
	}
	before, forecast := a.bulkDelete.Before, a.Trailer.Summary.Bulk.Documents
	if err := a.eachBulk(ctx, func(changes []document.Change) error { return a.step(changes, nil) }); err != nil {
		return err
	}
	what := fmt.Sprintf("the bulk delete where Date_date is before %s, %s by the ledger, in run %s",
		before, document.Count(forecast, "document"), a.Header.Run)
	if err := a.Book.BulkBegun(what + ", got no answer"); err != nil {
		return err
	}
	var deleted int
	var ran bool
	stop := a.Book.Lend(ctx, func() (err error) {
		deleted, ran, err = a.Bulk.ApplyBulk(ctx, judge.BulkFilter(before))
		return err
	})
	proved := stop == nil && deleted == forecast
	if proved || !ran {
		if err := a.Book.BulkProved(); err != nil {
			return err
		}
	}
	switch {
	case proved:
		return a.takeBulk(ctx, document.Outcome{State: document.Acknowledged})
	case !ran:
		return a.sendSingly(ctx)
	case stop == nil:
		stop = fmt.Errorf("%s, deleted %d; every document is in doubt, and the next run puts it again; "+
			"unless the service can be made to match by date, set delete.bulk = false", what, deleted)
	default:
		stop = fmt.Errorf("%s, may have been carried out; every document is in doubt, "+
			"and the next run puts it again: %w", what, stop)
	}
	if err := a.Book.BulkBegun(stop.Error()); err != nil {
		return err
	}
	reason := fmt.Sprintf("the bulk delete where Date_date is before %s proved nothing", before)
	if err := a.takeBulk(ctx, document.Outcome{State: document.InDoubt, Reason: reason}); err != nil {
		return err
	}
	return stop
}

func (a *Applier) eachBulk(ctx context.Context, visit func([]document.Change) error) error {
	takes := func(c document.Change) bool { return c.Op == document.BulkDelete }
	return inWindows(a.Plan.Heads(), window, takes, func(changes []document.Change) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return visit(changes)
	})
}

// inWindows calls visit with n values at a time for which takes is true. The final call may get fewer, or none.
func inWindows[T any](values iter.Seq2[T, error], n int, takes func(T) bool, visit func([]T) error) error {
	var pending []T
	for v, err := range values {
		if err != nil {
			return err
		}
		if !takes(v) {
			continue
		}
		pending = append(pending, v)
		if len(pending) == n {
			if err := visit(pending); err != nil {
				return err
			}
			pending = nil
		}
	}
	return visit(pending)
}

func (a *Applier) sendSingly(ctx context.Context) error {
	a.Trailer.Summary.Bulk = nil
	return a.eachBulk(ctx, func(changes []document.Change) error {
		for i := range changes {
			changes[i].Op = document.Delete
		}
		return a.sendWindow(ctx, changes)
	})
}

func (a *Applier) takeBulk(ctx context.Context, outcome document.Outcome) error {
	return a.eachBulk(ctx, func(changes []document.Change) error {
		for i := range changes {
			outcome.ID = changes[i].ID
			a.addOutcome(changes[i], outcome)
		}
		return a.step(nil, nil)
	})
}
