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

// maxFailed is how many failed calls in a row end the sending.
const maxFailed = 3

// Apply sends changes of one operation (put, patch, delete or queue) in order, one
// call at a time: documents in batches of Options.BatchDocuments and BatchBytes (a
// single larger document goes alone), their bytes copied unparsed; URLs to be queued
// likewise; deletes one by one (section 4.1). After each batch report is given the outcomes
// of its changes, in order; an error of report ends Apply with that error.
//
// A document is acknowledged by its own row, matched by ID, else by place; a PUT
// answered 2xx without any row by that status; a delete by the count in its answer,
// a queued URL by the status "Ok". It is refused when its row says so, and when a call
// with it alone is answered 400 or 413. It is unsent when its ID is empty, longer than
// MaxID or not UTF-8. Everything else that was sent is in doubt.
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
			outcomes = append(outcomes, all(changes[len(outcomes):], document.InDoubt, "sending ended before its answer came; the next run sends it again")...)
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

// weigh returns the outcomes of the changes of a failed call: none if it was turned down
// before it could do anything, else doubt. Its error ends the run.
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
	reason := fmt.Sprintf("%d calls in a row failed; their documents are in doubt, and the next run sends them again", c.failed)
	return doubt, &StopError{Reason: reason, Err: failure}
}

// all returns one outcome for each change, all alike.
func all(changes []document.Change, state document.State, reason string) []document.Outcome {
	outcomes := make([]document.Outcome, len(changes))
	for i, change := range changes {
		outcomes[i] = document.Outcome{ID: change.ID, State: state, Reason: reason}
	}
	return outcomes
}

// MaxID is how many bytes the ID of a document may have.
const MaxID = 512

// checkCall returns what makes the changes unfit for calls of op as a whole: an
// ID that comes twice, so that their order would decide, or another operation.
func checkCall(op document.Op, changes []document.Change) error {
	if op != document.Put && op != document.Patch && op != document.Delete && op != document.Queue {
		return fmt.Errorf("%q is no operation on documents", op)
	}
	seen := make(map[string]bool, len(changes))
	for _, change := range changes {
		if change.Op != op {
			return fmt.Errorf("the change of %s is a %s among changes to %s: sort the changes by operation", printable(change.ID), change.Op, op)
		}
		if seen[change.ID] {
			return fmt.Errorf("two changes name the ID %s: each document may be sent once", printable(change.ID))
		}
		seen[change.ID] = true
	}
	return nil
}

// fault returns why a change must not be sent, empty when it may.
func fault(change document.Change) string {
	switch {
	case change.ID == "":
		return "the ID is empty"
	case len(change.ID) > MaxID:
		return fmt.Sprintf("the ID has %d bytes; %d are the most", len(change.ID), MaxID)
	case !utf8.ValidString(change.ID):
		return "the ID is not valid UTF-8"
	case change.Op != document.Delete && change.Op != document.Queue && !bytes.HasPrefix(bytes.TrimSpace(change.Doc), []byte("{")):
		return "there is no document to send"
	}
	return ""
}

// batch returns how many of the changes, one at least, go together: those that
// stay within count and size, none that must not be sent. A change that must not
// be sent stands alone, as does a delete.
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

// bodySize is what a change adds to a body: its document, or its URL in quotes, and a
// comma or bracket.
func bodySize(change document.Change) int64 {
	if change.Op == document.Queue {
		return int64(len(change.ID)) + 3
	}
	return int64(len(change.Doc)) + 1
}

// request returns the call for changes that go together.
func (c *Client) request(op document.Op, changes []document.Change) request {
	switch op {
	case document.Queue:
		body, _ := json.Marshal(idList(changes)) // no error: texts
		return request{op: string(op), method: http.MethodPost, url: c.paths, body: body}
	case document.Put, document.Patch:
		docs := make([][]byte, len(changes)) // copied, unparsed
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

// escapeID escapes every reserved byte of an ID once (RFC 3986, section 2.2); a
// space becomes %20, because "+" is read as a space by some and as a plus by others.
func escapeID(id string) string {
	return strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
}
