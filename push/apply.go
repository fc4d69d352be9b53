package push

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sitesync/internal/document"
)

const maxFailedCallsInRow = 3

// Apply sends changes of one operation (put, patch, delete or queue) in order, one call at a time. A call
// holds at most Options.BatchDocuments changes and BatchBytes bytes. A larger document goes alone, as does
// each delete (specification section 4.1). After each call, report receives the outcomes of its changes. An
// error of report ends Apply with that error.
//
// A change has one of three outcomes. It is acknowledged if its row (an element of the answer's array)
// reports success. A 2xx status without rows acknowledges a put, and the count of deleted documents a delete.
// A change is refused if its row says so, or if the service rejects a call with this change alone. A change
// whose ID is empty, too long or not UTF-8 is refused without a call. Every other change that was sent is in
// doubt: nobody knows whether it took effect.
//
// Apply returns a *StopError before any call if changes have the same ID or several operations. It returns a
// *StopError later if further calls would fail, such as after wrong credentials or three failed calls in a
// row. It does the same if further calls may do harm, such as after five deletes in a row that found nothing.
// If ctx ends, Apply returns ctx's error. A change without an outcome was not sent, or its call had no
// effect.
func (c *Client) Apply(
	ctx context.Context, op document.Op, changes []document.Change, report func([]document.Outcome) error,
) error {
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

// sendBatch sends one batch. If the service refuses the whole call, sendBatch sends each half alone, and so
// on down to single documents. It returns a *StopError if every document gets the same refusal and no
// document was accepted before: then the request must be wrong, not the documents. These documents still
// count as refused. A later run skips a document that was refused three times, so a few bad documents can't
// end every run.
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
		if err != nil && len(part) < len(changes) {
			const reason = "sending ended before its answer came; the next run sends it again"
			outcomes = append(outcomes, all(changes[len(outcomes):], document.InDoubt, reason)...)
		}
		if err != nil {
			return outcomes, err
		}
	}
	differs := func(e *Error) bool { return e.reason() != refusals[0].reason() }
	if len(changes) == 1 || len(refusals) < len(changes) || c.accepted[op] || slices.ContainsFunc(refusals, differs) {
		return outcomes, nil
	}
	const text = "each of %d documents was refused with the same answer: the request is wrong, not the document"
	return outcomes, &StopError{Reason: fmt.Sprintf(text, len(changes)), Err: refusals[0]}
}

// send makes one call. It returns an *Error if the service refuses the whole call. The second error ends the
// run.
func (c *Client) send(
	ctx context.Context, op document.Op, changes []document.Change,
) ([]document.Outcome, *Error, error) {
	got, failure := c.call(ctx, c.request(op, changes))
	switch {
	case failure == nil:
	case ctx.Err() == nil && failure.refuses():
		c.failedCallsInRow = 0
		return nil, failure, nil
	default:
		outcomes, err := c.weigh(ctx, changes, failure)
		return outcomes, nil, err
	}
	c.failedCallsInRow = 0
	outcomes, err := c.judge(op, changes, got)
	for i := range outcomes {
		outcomes[i].Reason = c.clean(outcomes[i].Reason)
		c.accepted[op] = c.accepted[op] || outcomes[i].State == document.Acknowledged
	}
	return outcomes, nil, err
}

// weigh returns the outcomes of the changes of a failed call, and an error if the run must end. Each outcome
// is InDoubt. If further calls would fail too and this call certainly had no effect, there are no outcomes.
func (c *Client) weigh(ctx context.Context, changes []document.Change, failure *Error) ([]document.Outcome, error) {
	doubt := all(changes, document.InDoubt, failure.reason())
	switch {
	case ctx.Err() != nil:
		return all(changes, document.InDoubt, "the run was interrupted during the call"), ctx.Err()
	case failure.stops():
		if !failure.ran {
			doubt = nil
		}
		return doubt, &StopError{Reason: "no further call can succeed", Err: failure}
	}
	c.failedCallsInRow++
	if c.failedCallsInRow < maxFailedCallsInRow {
		return doubt, nil
	}
	const text = "%d calls in a row failed; their documents are in doubt, and the next run sends them again"
	return doubt, &StopError{Reason: fmt.Sprintf(text, c.failedCallsInRow), Err: failure}
}

func all(changes []document.Change, state document.State, reason string) []document.Outcome {
	outcomes := make([]document.Outcome, len(changes))
	for i, change := range changes {
		outcomes[i] = document.Outcome{ID: change.ID, State: state, Reason: reason}
	}
	return outcomes
}

// MaxID is the most bytes that a document's ID may have.
const MaxID = 512

func checkCall(op document.Op, changes []document.Change) error {
	if op != document.Put && op != document.Patch && op != document.Delete && op != document.Queue {
		return fmt.Errorf("%q is no operation on documents", op)
	}
	seen := make(map[string]bool, len(changes))
	for _, change := range changes {
		if change.Op != op {
			return fmt.Errorf("the change of %s is a %s among changes to %s: sort the changes by operation",
				printable(change.ID), change.Op, op)
		}
		if seen[change.ID] {
			return fmt.Errorf("two changes name the ID %s: each document may be sent once", printable(change.ID))
		}
		seen[change.ID] = true
	}
	return nil
}

// fault returns the reason that forbids sending a change, or "" if the change may be sent.
func fault(change document.Change) string {
	switch {
	case change.ID == "":
		return "the ID is empty"
	case len(change.ID) > MaxID:
		return fmt.Sprintf("the ID has %d bytes; %d are the most", len(change.ID), MaxID)
	case !utf8.ValidString(change.ID):
		return "the ID is not valid UTF-8"
	case change.Op != document.Delete && change.Op != document.Queue &&
		!bytes.HasPrefix(bytes.TrimSpace(change.Doc), []byte("{")):
		return "there is no document to send"
	}
	return ""
}

// batch returns how many of the first changes go into one call. A document larger than maxBytes, a delete, or
// a change with a fault goes alone.
func batch(changes []document.Change, maxChanges int, maxBytes int64) int {
	if fault(changes[0]) != "" || changes[0].Op == document.Delete {
		return 1
	}
	total := bodySize(changes[0])
	for i, change := range changes[1:] {
		total += bodySize(change)
		if i+1 == maxChanges || total+1 > maxBytes || fault(change) != "" {
			return i + 1
		}
	}
	return len(changes)
}

func bodySize(change document.Change) int64 {
	if change.Op == document.Queue {
		return int64(len(change.ID)) + 3
	}
	return int64(len(change.Doc)) + 1
}

func (c *Client) request(op document.Op, changes []document.Change) request {
	switch op {
	case document.Queue:
		body, _ := json.Marshal(idList(changes))
		return request{op: string(op), method: http.MethodPost, url: c.queueURL, body: body}
	case document.Put, document.Patch:
		docs := make([][]byte, len(changes))
		for i, change := range changes {
			docs[i] = change.Doc
		}
		body := slices.Concat([]byte("["), bytes.Join(docs, []byte(",")), []byte("]"))
		return request{op: string(op), method: strings.ToUpper(string(op)), url: c.documentsURL, body: body}
	}
	id := changes[0].ID
	return request{
		op: string(op), method: http.MethodDelete, url: c.documentsURL + "?documentId=" + escapeID(id),
		final: func(got answer) bool { outcome, _ := readDeletion(id, got); return outcome.State != document.InDoubt },
	}
}

// escapeID percent-encodes every reserved byte of an ID once (RFC 3986, section 2.2). A space becomes %20,
// because some servers read "+" as a space and others as a plus.
func escapeID(id string) string {
	return strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
}
