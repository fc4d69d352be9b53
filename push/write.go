package push

import (
	"context"
	"fmt"

	"sitesync/internal/document"
)

// write is one way of sending documents: PUT or PATCH.
type write struct {
	*Client
	op     document.Op
	method string
}

// writer returns what sends one batch of documents.
func (c *Client) writer(op document.Op, method string) func(context.Context, []document.Change) ([]document.Outcome, error) {
	return write{c, op, method}.batch
}

// batch sends changes that go together, and stops where the service refuses each
// document of the very first ones with the same answer: then the request is wrong,
// not the document. They are reported as refused all the same, so that a few truly
// bad documents, parked after their strikes, can't end every run.
func (w write) batch(ctx context.Context, changes []document.Change) ([]document.Outcome, error) {
	if text := fault(changes[0]); text != "" {
		return all(changes, document.Refused, "not sent: "+text), nil
	}
	outcomes, refusal, err := w.settle(ctx, changes)
	if err == nil && refusal != nil && len(changes) > 1 && !w.accepted[w.op] {
		reason := fmt.Sprintf("each of %d documents was refused with the same answer: the request is wrong, not the document", len(changes))
		err = &StopError{Reason: reason, Err: refusal}
	}
	return outcomes, err
}

// settle sends changes in one call and, where the service refuses the call as a
// whole, in two halves, until one document remains. The *Error is the answer with
// which every one of them was refused, nil when it was not one and the same.
func (w write) settle(ctx context.Context, changes []document.Change) ([]document.Outcome, *Error, error) {
	outcomes, refusal, err := w.send(ctx, changes)
	switch {
	case refusal == nil:
		return outcomes, nil, err
	case len(changes) == 1:
		return all(changes, document.Refused, refusal.reason()), refusal, nil
	}
	half := len(changes) / 2
	left, a, err := w.settle(ctx, changes[:half])
	if err != nil {
		return rest(left, changes), nil, err
	}
	right, b, err := w.settle(ctx, changes[half:])
	outcomes = append(left, right...)
	if err != nil {
		return rest(outcomes, changes), nil, err
	}
	if !a.sameAnswer(b) {
		a = nil
	}
	return outcomes, a, nil
}

// rest completes outcomes: changes whose batch was refused as a whole and that
// were not sent again were in a call all the same.
func rest(outcomes []document.Outcome, changes []document.Change) []document.Outcome {
	return append(outcomes, all(changes[len(outcomes):], document.InDoubt, "the sending ended before it was settled")...)
}

// send makes one call. The *Error is a refusal of the call as a whole; the error
// ends the run.
func (w write) send(ctx context.Context, changes []document.Change) ([]document.Outcome, *Error, error) {
	got, failure := w.call(ctx, request{op: w.op, method: w.method, url: w.documents, body: join(changes)})
	switch {
	case failure != nil && failure.refuses() && ctx.Err() == nil:
		w.failed = 0
		return nil, failure, nil
	case failure != nil:
		outcomes, err := w.weigh(ctx, changes, failure)
		return outcomes, nil, err
	}
	w.failed = 0
	outcomes := judgeRows(w.op, changes, readRows(got.body))
	for i := range outcomes {
		outcomes[i].Reason = w.clean(outcomes[i].Reason)
		w.accepted[w.op] = w.accepted[w.op] || outcomes[i].State == document.Acknowledged
	}
	return outcomes, nil, nil
}
