package push

import (
	"context"
	"fmt"
	"net/http"

	"sitesync/internal/document"
)

// maxFailed is how many failed calls in a row end the sending.
const maxFailed = 3

// Apply sends changes of one operation (put, patch or delete) in order, one call
// at a time: documents in batches of Options.BatchDocuments and BatchBytes (a
// single larger document goes alone), their bytes copied unparsed; deletes one by
// one (section 4.1). After each batch report is given the outcomes of its changes,
// in order; an error of report ends Apply with that error.
//
// A document is acknowledged by its own row, matched by ID, else by place; a PUT
// answered 2xx without any row by that status. It is refused when its row says so,
// or when a call with it alone is answered 400 or 413: larger batches answered so
// are halved. A delete is acknowledged by the count in its answer. Everything else
// that was sent is in doubt: time-outs, broken connections, server errors after
// the last retry, cut answers, missing rows. A change whose ID is empty, longer
// than MaxID or not UTF-8 is refused unsent.
//
// Apply errs with a *StopError for what must end the run: an unauthorised or
// mismatched call, a redirect, an address that the service does not know, three
// failed calls in a row, five deletes in a row that found nothing, a first batch
// of which every document is refused with the same answer, and, before any call,
// an ID that comes twice or a change of another operation. When ctx ends, Apply
// errs with ctx's error within moments. Changes that were never reported were not
// sent, or were in a call that was turned down whole.
func (c *Client) Apply(ctx context.Context, op document.Op, changes []document.Change, report func([]document.Outcome) error) error {
	send, err := c.sender(op)
	if err == nil {
		err = checkCall(op, changes)
	}
	if err != nil {
		return &StopError{Reason: "the changes can't be sent", Err: err}
	}
	for len(changes) > 0 && ctx.Err() == nil {
		n := batch(changes, c.batchDocuments, c.batchBytes)
		outcomes, stop := send(ctx, changes[:n])
		if len(outcomes) > 0 {
			if err := report(outcomes); err != nil {
				return err
			}
		}
		if stop != nil {
			return stop
		}
		changes = changes[n:]
	}
	if len(changes) > 0 {
		return ctx.Err()
	}
	return nil
}

// sender returns what sends one batch of an operation.
func (c *Client) sender(op document.Op) (func(context.Context, []document.Change) ([]document.Outcome, error), error) {
	switch op {
	case document.Put:
		return c.writer(op, http.MethodPut), nil
	case document.Patch:
		return c.writer(op, http.MethodPatch), nil
	case document.Delete:
		return c.deleteEach, nil
	}
	return nil, fmt.Errorf("%q is no operation on documents", op)
}

// weigh says what a failed call means for its changes: nothing when it was turned
// down before it could do anything, doubt otherwise; and whether it ends the run.
func (c *Client) weigh(ctx context.Context, changes []document.Change, failure *Error) ([]document.Outcome, error) {
	doubt := all(changes, document.InDoubt, failure.reason())
	switch {
	case ctx.Err() != nil:
		return all(changes, document.InDoubt, "the run was interrupted during the call"), ctx.Err()
	case failure.stops() && failure.doubt:
		return doubt, &StopError{Reason: "no further call can succeed", Err: failure}
	case failure.stops():
		return nil, &StopError{Reason: "no further call can succeed", Err: failure}
	}
	c.failed++
	if c.failed < maxFailed {
		return doubt, nil
	}
	return doubt, &StopError{Reason: fmt.Sprintf("%d calls in a row failed; what they held is in doubt and is sent again in the next run", c.failed), Err: failure}
}
