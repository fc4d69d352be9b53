package push

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// maxZeros is how many deletes in a row may find nothing.
const maxZeros = 5

// deletion is the answer to the delete of one document: known when it is one that
// section 4.1 defines, failure why nothing was deleted.
type deletion struct {
	known   bool
	deleted int
	failure string
}

// readDeletion judges by the answer's shape. Failure has a shape of its own at a
// status that is not shown; success is believed with a status of success, or with
// 404, which says as much as a count of 0. A 404 with words speaks of the document
// as well; one without comes from an address that is not the service's.
func readDeletion(status int, body []byte) deletion {
	var got wire.DeleteResult
	if json.Unmarshal(trimJSON(body), &got) != nil {
		return deletion{}
	}
	switch {
	case got.Failed != nil && *got.Failed > 0 || got.Reason != nil && got.Deleted == nil:
		return deletion{known: true, failure: failureText(got)}
	case got.Deleted != nil && *got.Deleted >= 0 && (isSuccess(status) || status == http.StatusNotFound && *got.Deleted == 0):
		return deletion{known: true, deleted: *got.Deleted}
	case status == http.StatusNotFound && readShape(body).has("message"):
		return deletion{known: true, failure: message(readShape(body), body)}
	}
	return deletion{}
}

func failureText(got wire.DeleteResult) string {
	if got.Reason == nil || *got.Reason == "" {
		return "the service gave no reason"
	}
	return *got.Reason
}

// deleteEach deletes one document after the other. It returns the outcomes of
// those it came to.
func (c *Client) deleteEach(ctx context.Context, changes []document.Change) ([]document.Outcome, error) {
	var outcomes []document.Outcome
	for i := range changes {
		if ctx.Err() != nil {
			return outcomes, ctx.Err()
		}
		done, err := c.deleteOne(ctx, changes[i:i+1])
		outcomes = append(outcomes, done...)
		if err != nil {
			return outcomes, err
		}
	}
	return outcomes, nil
}

// deleteOne deletes the one document of one.
func (c *Client) deleteOne(ctx context.Context, one []document.Change) ([]document.Outcome, error) {
	if text := fault(one[0]); text != "" {
		return all(one, document.Refused, "not sent: "+text), nil
	}
	got, failure := c.call(ctx, request{
		op: document.Delete, method: http.MethodDelete, url: c.documents + "?documentId=" + escapeID(one[0].ID),
		final: func(status int, body []byte) bool { return readDeletion(status, body).known },
	})
	if failure != nil && (!failure.refuses() || ctx.Err() != nil) {
		return c.weigh(ctx, one, failure)
	}
	c.failed = 0
	if failure != nil {
		return all(one, document.Refused, failure.reason()), nil
	}
	return c.judgeDeletion(one, readDeletion(got.status, got.body), got.repeated)
}

// judgeDeletion turns an answer into an outcome. A document that was not there is
// as good as deleted, but a row of such answers means that the IDs or the content
// source are wrong. Deletes that may have happened before don't count.
func (c *Client) judgeDeletion(one []document.Change, got deletion, repeated bool) ([]document.Outcome, error) {
	done := document.Outcome{ID: one[0].ID, State: document.Acknowledged, By: ByRow}
	switch {
	case !got.known:
		return all(one, document.InDoubt, "the answer gives no count of deleted documents"), nil
	case got.failure != "":
		return all(one, document.Refused, c.clean(got.failure)), nil
	case got.deleted > 0:
		c.zeros = 0
		return []document.Outcome{done}, nil
	}
	done.Reason = "deleted: 0"
	if !repeated && !one[0].Doubt {
		c.zeros++
	}
	if c.zeros < maxZeros {
		return []document.Outcome{done}, nil
	}
	reason := fmt.Sprintf("%d deletes in a row found no document: check push.crawler_id, and whether something else changes the index", c.zeros)
	return []document.Outcome{done}, &StopError{Reason: reason}
}

// escapeID escapes every reserved byte of an ID once (RFC 3986, section 2.2); a
// space becomes %20, because "+" is read as a space by some and as a plus by others.
func escapeID(id string) string {
	return strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
}
