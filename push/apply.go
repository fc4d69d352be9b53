package push

import (
	"context"
	"fmt"
	"slices"

	"sitesync/internal/document"
)

// maxFailed is how many failed calls in a row end the sending.
const maxFailed = 3

// Apply sends changes of one operation (put, patch, delete or queue) in order, one
// call at a time: documents in batches of Options.BatchDocuments and BatchBytes (a
// single larger document goes alone), their bytes copied unparsed; URLs to be queued
// likewise; deletes one by one (section 4.1). After each batch report is given the outcomes of its changes,
// in order; an error of report ends Apply with that error.
//
// A document is acknowledged by its own row, matched by ID, else by place; a PUT
// answered 2xx without any row by that status; a delete by the count in its
// answer, a queued URL by the status PathOK. It is refused when its row says so, when a call with it alone is answered
// 400 or 413, and unsent when its ID is empty, longer than MaxID or not UTF-8.
// Everything else that was sent is in doubt.
//
// Apply errs with a *StopError for what must end the run: an unauthorised or
// mismatched call, a redirect, an unknown address, three failed calls in a row,
// five deletes in a row that found nothing, a first batch of which every document
// is refused with the same answer, and, before any call, an ID that comes twice or
// a change of another operation; and with ctx's error when ctx ends. Changes that
// were never reported were not sent, or were in a call that was turned down whole.
func (c *Client) Apply(ctx context.Context, op document.Op, changes []document.Change, report func([]document.Outcome) error) error {
	if err := checkCall(op, changes); err != nil {
		return &StopError{Reason: "the changes can't be sent", Err: err}
	}
	for len(changes) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n := batch(changes, c.o.BatchDocuments, c.o.BatchBytes)
		outcomes, stop := c.sendBatch(ctx, op, changes[:n])
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
	return nil
}

// sendBatch sends changes that go together: in one call and, where the service
// refuses the call as a whole, in two halves, until one document remains. It stops
// where each document of the very first ones is refused with the same answer: then
// the request is wrong, not the document. They are reported as refused all the same,
// so that a few truly bad documents, parked after their strikes, can't end every run.
func (c *Client) sendBatch(ctx context.Context, op document.Op, changes []document.Change) ([]document.Outcome, error) {
	if reason := fault(changes[0]); reason != "" {
		return all(changes, document.Refused, "not sent: "+reason), nil
	}
	var outcomes []document.Outcome
	var refusals []*Error
	for parts := [][]document.Change{changes}; len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		settled, refusal, err := c.send(ctx, op, part)
		switch half := len(part) / 2; {
		case refusal != nil && half > 0:
			parts = slices.Insert(parts, 0, part[:half], part[half:])
		case refusal != nil:
			settled, refusals = all(part, document.Refused, refusal.reason()), append(refusals, refusal)
		}
		outcomes = append(outcomes, settled...)
		if err != nil && len(part) < len(changes) { // what was not sent again was in a call all the same
			outcomes = append(outcomes, all(changes[len(outcomes):], document.InDoubt, "the sending ended before it was settled")...)
		}
		if err != nil {
			return outcomes, err
		}
	}
	differs := func(e *Error) bool { return e.reason() != refusals[0].reason() }
	if len(changes) == 1 || len(refusals) < len(changes) || c.accepted[op] || slices.ContainsFunc(refusals, differs) {
		return outcomes, nil
	}
	reason := fmt.Sprintf("each of %d documents was refused with the same answer: the request is wrong, not the document", len(changes))
	return outcomes, &StopError{Reason: reason, Err: refusals[0]}
}

// send makes one call. The *Error is a refusal of the call as a whole; the error
// ends the run.
func (c *Client) send(ctx context.Context, op document.Op, changes []document.Change) ([]document.Outcome, *Error, error) {
	got, failure := c.call(ctx, c.request(op, changes))
	if failure != nil && (!failure.refuses() || ctx.Err() != nil) {
		outcomes, err := c.weigh(ctx, changes, failure, got.mayHaveRun)
		return outcomes, nil, err
	}
	c.failed = 0
	if failure != nil {
		return nil, failure, nil
	}
	outcomes, err := c.judge(op, changes, got)
	for i := range outcomes {
		outcomes[i].Reason = c.clean(outcomes[i].Reason)
		c.accepted[op] = c.accepted[op] || outcomes[i].State == document.Acknowledged
	}
	return outcomes, nil, err
}

// weigh says what a failed call means for its changes: nothing when it was turned
// down before it could do anything, doubt otherwise; and whether it ends the run.
func (c *Client) weigh(ctx context.Context, changes []document.Change, failure *Error, mayHaveRun bool) ([]document.Outcome, error) {
	if ctx.Err() != nil {
		return all(changes, document.InDoubt, "the run was interrupted during the call"), ctx.Err()
	}
	doubt := all(changes, document.InDoubt, failure.reason())
	if failure.stops() {
		if !mayHaveRun {
			doubt = nil
		}
		return doubt, &StopError{Reason: "no further call can succeed", Err: failure}
	}
	c.failed++
	if c.failed < maxFailed {
		return doubt, nil
	}
	return doubt, &StopError{Reason: fmt.Sprintf("%d calls in a row failed; what they held is in doubt and is sent again in the next run", c.failed), Err: failure}
}

// all returns one outcome for each change, all alike.
func all(changes []document.Change, state document.State, reason string) []document.Outcome {
	outcomes := make([]document.Outcome, len(changes))
	for i, change := range changes {
		outcomes[i] = document.Outcome{ID: change.ID, State: state, Reason: reason}
	}
	return outcomes
}
