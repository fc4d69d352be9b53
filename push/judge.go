package push

import (
	"cmp"
	"fmt"
	"net/http"

	"sitesync/internal/document"
)

// maxZeros is how many deletes in a row may find nothing.
const maxZeros = 5

// judge returns the outcomes of changes that were in one call; its error ends the
// run.
func (c *Client) judge(op document.Op, changes []document.Change, got answer) ([]document.Outcome, error) {
	switch op {
	case document.Queue:
		return judgeStatuses(changes, readRows(got.body)), nil
	case document.Put, document.Patch:
		rows := readRows(got.body)
		if c.look != nil {
			for i, row := range pair(idList(changes), rows) {
				c.look(changes[i].ID, row)
			}
		}
		return judgeRows(op, changes, rows), nil
	}
	outcome, err := c.judgeDeletion(changes[0], got)
	return []document.Outcome{outcome}, err
}

// judgeRows returns the outcome of each change, in order. PUT's answer is not
// shown in the specification: without rows its status acknowledges. PATCH's is,
// so there a missing row leaves the document in doubt.
func judgeRows(op document.Op, changes []document.Change, rows []object) []document.Outcome {
	ids := idList(changes)
	outcomes := make([]document.Outcome, len(changes))
	for i, row := range pair(ids, rows) {
		outcomes[i] = judgeRow(ids[i], row)
		if len(rows) == 0 && op == document.Put {
			outcomes[i] = document.Outcome{ID: ids[i], State: document.Acknowledged, By: "status"}
		}
	}
	return outcomes
}

func judgeRow(id string, row *object) document.Outcome {
	if row == nil {
		return document.Outcome{ID: id, State: document.InDoubt, Reason: "the answer holds no row for it"}
	}
	good, told := get[bool](row.Success)
	named := row.key()
	switch {
	case !told:
		return document.Outcome{ID: id, State: document.InDoubt, Reason: "the answer's row holds no verdict"}
	case !good:
		return refused(id, textOf(row.Reason))
	case named != "" && named != id:
		return document.Outcome{ID: id, State: document.Acknowledged, By: "row", Reason: "the service names it " + named}
	}
	return document.Outcome{ID: id, State: document.Acknowledged, By: "row"}
}

func refused(id, reason string) document.Outcome {
	return document.Outcome{ID: id, State: document.Refused, Reason: cmp.Or(reason, "the service gave no reason")}
}

// readDeletion returns the answer to the delete of one document (section 4.1), in
// doubt when it is none, and the count in it. Failure has a shape of its own at a
// status that is not shown; success is believed with a status of success, or with
// 404, which says as much as a count of 0. A 404 with words speaks of the document
// as well; one without comes from an address that is not the service's.
func readDeletion(id string, got answer) (outcome document.Outcome, deleted int) {
	o := readObject(got.body)
	failed, _ := get[int](o.Failed)
	deleted, counted := get[int](o.Deleted)
	lost := got.status == http.StatusNotFound
	switch {
	case failed > 0, says(o.Reason) && !says(o.Deleted):
		return refused(id, textOf(o.Reason)), 0
	case counted && deleted >= 0 && (isSuccess(got.status) || lost && deleted == 0):
		return document.Outcome{ID: id, State: document.Acknowledged, By: "row"}, deleted
	case lost && says(o.Message):
		return refused(id, message(o, got.body)), 0
	}
	return document.Outcome{ID: id, State: document.InDoubt, Reason: "the answer gives no count of deleted documents"}, 0
}

// judgeDeletion counts what was not there: that is as good as deleted, but a row of
// such answers means that the IDs or the content source are wrong. Deletes that may
// have happened before don't count.
func (c *Client) judgeDeletion(change document.Change, got answer) (document.Outcome, error) {
	outcome, deleted := readDeletion(change.ID, got)
	switch {
	case outcome.State != document.Acknowledged:
		return outcome, nil
	case deleted > 0:
		c.zeros = 0
		return outcome, nil
	case !got.mayHaveRun && !change.Doubt:
		c.zeros++
	}
	outcome.Reason = "deleted: 0"
	if c.zeros < maxZeros {
		return outcome, nil
	}
	return outcome, &StopError{Reason: fmt.Sprintf("%d deletes in a row found no document: check push.crawler_id, and whether something else changes the index", c.zeros)}
}
