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

const maxFailed = 3 // number of consecutive failed calls that ends the sending

// Apply sends changes of one operation (put, patch, delete or queue) in order, one call at a time. Documents
// and queued URLs go in batches of at most Options.BatchDocuments and BatchBytes; a single larger document
// goes alone. Deletes go one by one (specification section 4.1). After each batch, report receives the
// outcomes of its changes, in order. An error of report ends Apply with that error.
//
// The operation decides which part of the answer acknowledges a change. A put or patch needs a row (an
// element of the answer's array) that says success and has the same ID or position. A put that was answered
// 2xx without any rows needs only the status. A delete needs the count of deleted documents, a queued URL the
// status "Ok". A change is refused if its row says so, or if a call with that change alone is answered 400 or
// 413. A change is not sent if its ID is empty, longer than MaxID or not UTF-8. Every other change that was
// sent is in doubt: its outcome is unknown.
//
// Apply returns a *StopError if the run must end: an unauthorised or mismatched call, a redirect, an unknown
// address, three failed calls in a row, five deletes in a row that found nothing, or a first batch of which
// every document is refused with the same answer. It also returns a *StopError, before any call, for a
// duplicate ID or a change of another operation. It returns ctx's error if ctx ends. If report never received
// a change, the change was not sent, or the service rejected its whole call.
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

// sendBatch sends one batch. If the service refuses the whole call, sendBatch halves the batch until one
// document remains. It returns a *StopError if no document was accepted before and every document of this
// batch is refused with the same answer: then the request is wrong, not the documents. These documents are
// reported as refused too. A document is not sent again after its third refusal, so a few bad documents can't
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
		if err != nil && len(part) < len(changes) { // the unsent halves were part of the first call
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

// send makes one call. The *Error is a refusal of the whole call. After an error the run must end.
func (c *Client) send(
	ctx context.Context, op document.Op, changes []document.Change,
) ([]document.Outcome, *Error, error) {
	got, failure := c.call(ctx, c.request(op, changes))
	switch {
	case failure == nil:
	case ctx.Err() == nil && failure.refuses():
		c.failed = 0
		return nil, failure, nil
	default:
		outcomes, err := c.weigh(ctx, changes, failure)
		return outcomes, nil, err
	}
	c.failed = 0
	outcomes, err := c.judge(op, changes, got)
	for i := range outcomes {
		outcomes[i].Reason = c.clean(outcomes[i].Reason)
		c.accepted[op] = c.accepted[op] || outcomes[i].State == document.Acknowledged
	}
	return outcomes, nil, err
}

// weigh returns the outcomes of the changes of a failed call: none if the call was rejected before it could
// have an effect, otherwise one in doubt for each. An error means that the run must end.
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
	c.failed++
	if c.failed < maxFailed {
		return doubt, nil
	}
	const text = "%d calls in a row failed; their documents are in doubt, and the next run sends them again"
	return doubt, &StopError{Reason: fmt.Sprintf(text, c.failed), Err: failure}
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

// batch returns how many of the first changes go into one call. The parameter most limits their number, and
// size the bytes of the call. A larger document, a delete, or a change with a fault goes alone.
func batch(changes []document.Change, most int, size int64) int {
	if fault(changes[0]) != "" || changes[0].Op == document.Delete {
		return 1
	}
	total := bodySize(changes[0])
	for i, change := range changes[1:] {
		total += bodySize(change)
		if i+1 == most || total+1 > size || fault(change) != "" {
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
		body, _ := json.Marshal(idList(changes)) // strings always encode
		return request{op: string(op), method: http.MethodPost, url: c.paths, body: body}
	case document.Put, document.Patch:
		docs := make([][]byte, len(changes))
		for i, change := range changes {
			docs[i] = change.Doc
		}
		body := slices.Concat([]byte("["), bytes.Join(docs, []byte(",")), []byte("]"))
		return request{op: string(op), method: strings.ToUpper(string(op)), url: c.documents, body: body}
	}
	id := changes[0].ID
	return request{
		op: string(op), method: http.MethodDelete, url: c.documents + "?documentId=" + escapeID(id),
		final: func(got answer) bool { outcome, _ := readDeletion(id, got); return outcome.State != document.InDoubt },
	}
}

// escapeID percent-encodes every reserved byte of an ID once (RFC 3986, section 2.2). A space becomes %20,
// because some servers read "+" as a space and others as a plus.
func escapeID(id string) string {
	return strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
}
