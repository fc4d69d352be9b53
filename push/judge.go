package push

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"sitesync/internal/document"
)

const maxEmptyDeletesInRow = 5

func (c *Client) judge(op document.Op, changes []document.Change, got answer) ([]document.Outcome, error) {
	if op == document.Delete {
		outcome, err := c.judgeDeletion(changes[0], got)
		return []document.Outcome{outcome}, err
	}
	ids := idList(changes)
	outcomes := make([]document.Outcome, len(changes))
	for i, row := range pair(ids, got.rows) {
		if c.look != nil {
			c.look(ids[i], row)
		}
		if op == document.Put && len(got.rows) == 0 { // the specification shows result rows for PATCH only
			outcomes[i] = document.Outcome{ID: ids[i], State: document.Acknowledged, By: "status"}
			continue
		}
		outcomes[i] = judgeRow(op, ids[i], row)
	}
	return outcomes, nil
}

// judgeRow returns the outcome of a document or queued URL from its row (an element of the answer's array).
// "Ok" does not prove a crawl of the URL: an inactive crawler fetches nothing (specification section 3).
func judgeRow(op document.Op, id string, row *object) document.Outcome {
	if row == nil {
		return document.Outcome{ID: id, State: document.InDoubt, Reason: "the answer holds no row for it"}
	}
	good, told := get[bool](row.Success)
	reason := textOf(row.Reason)
	if op == document.Queue {
		reason = textOf(row.Status)
		good, told = reason == "Ok", reason != ""
	}
	named := row.key()
	switch {
	case !told:
		return document.Outcome{ID: id, State: document.InDoubt, Reason: "the answer's row holds no verdict"}
	case !good:
		return refused(id, reason)
	case named != "" && named != id:
		reason = "the service names it " + named
	default:
		reason = ""
	}
	return document.Outcome{ID: id, State: document.Acknowledged, By: "row", Reason: reason}
}

func refused(id, reason string) document.Outcome {
	return document.Outcome{ID: id, State: document.Refused, Reason: cmp.Or(reason, "the service gave no reason")}
}

// readDeletion returns the outcome of deleting one document (section 4.1) and the count of deleted documents.
// The specification names no status for a failed delete, so a reported failure is believed at any status. A
// 404 without count and message may come from a wrong address: the document is then in doubt (outcome
// unknown).
func readDeletion(id string, got answer) (outcome document.Outcome, deleted int) {
	failed, _ := get[int](got.said.Failed)
	deleted, counted := get[int](got.said.Deleted)
	lost := got.status == http.StatusNotFound
	switch {
	case failed > 0, isTruthy(got.said.Reason) && !isTruthy(got.said.Deleted):
		return refused(id, textOf(got.said.Reason)), 0
	case counted && deleted >= 0 && (isSuccess(got.status) || lost && deleted == 0):
		return document.Outcome{ID: id, State: document.Acknowledged, By: "row"}, deleted
	case lost && isTruthy(got.said.Message):
		return refused(id, textOf(got.said.Message)), 0
	}
	reason := "the answer gives no count of deleted documents"
	return document.Outcome{ID: id, State: document.InDoubt, Reason: reason}, 0
}

// judgeDeletion returns the outcome of a delete, and counts consecutive deletes that found no document. One
// such delete is a success, but several in a row suggest wrong IDs or a wrong content source (part of the
// index). A delete that an earlier try may have carried out does not count.
func (c *Client) judgeDeletion(change document.Change, got answer) (document.Outcome, error) {
	outcome, deleted := readDeletion(change.ID, got)
	switch {
	case outcome.State != document.Acknowledged:
		return outcome, nil
	case deleted > 0:
		c.emptyDeletesInRow = 0
		return outcome, nil
	case !got.mayHaveRun && !change.Doubt:
		c.emptyDeletesInRow++
	}
	outcome.Reason = "deleted: 0"
	if c.emptyDeletesInRow < maxEmptyDeletesInRow {
		return outcome, nil
	}
	reason := fmt.Sprintf("%d deletes in a row found no document: check push.crawler_id, "+
		"and whether something else changes the index", c.emptyDeletesInRow)
	return outcome, &StopError{Reason: reason}
}

func idList(changes []document.Change) []string {
	ids := make([]string, len(changes))
	for i, change := range changes {
		ids[i] = change.ID
	}
	return ids
}

// pair returns for each sent key (an ID or URL) the answer's row for that key, or nil. If exactly one row has
// the key, that row is meant. If no row has the key, and there are as many rows as keys, the row at the same
// position is meant, unless that row has another sent key.
func pair(sent []string, rows []object) []*object {
	byKey, count, keys := map[string]*object{}, map[string]int{}, make([]string, len(rows))
	for i, row := range rows {
		keys[i] = row.key()
		byKey[keys[i]] = &rows[i]
		count[keys[i]]++
	}
	paired := make([]*object, len(sent))
	for i, k := range sent {
		switch {
		case count[k] == 1:
			paired[i] = byKey[k]
		case count[k] == 0 && len(rows) == len(sent) && !slices.Contains(sent, keys[i]):
			paired[i] = &rows[i]
		}
	}
	return paired
}

// Ask reads the fields of documents in the index. For each question it patches only the Url field, with the
// URL that the document already has. The rows of the service's answer show the documents (sections 2.2, 4.1).
// Ask returns one answer for each question, in order, even if it errs. Calls, batches, retries and errors are
// those of Apply. Failures during Ask do not count towards the limits of a later Apply.
//
// Ask writes to the index: on a PATCH of a missing ID, some services create a document with the Url field
// alone. The caller must recognise and delete such documents.
func (c *Client) Ask(ctx context.Context, questions []document.Question) ([]document.Answer, error) {
	answers, changes := make([]document.Answer, len(questions)), make([]document.Change, len(questions))
	at := make(map[string]*document.Answer, len(questions))
	for i, q := range questions {
		doc := document.Document{ID: q.ID, Type: q.Type, Fields: map[string]string{"Url": q.URL}}.Wire()
		changes[i] = document.Change{Op: document.Patch, ID: q.ID, Type: q.Type, Doc: doc}
		answers[i] = document.Answer{ID: q.ID, State: document.Planned}
		at[q.ID] = &answers[i]
	}
	asking := *c
	asking.failedCallsInRow, asking.accepted = 0, map[document.Op]bool{}
	asking.look = func(id string, row *object) { at[id].Fields = fieldsOf(id, row) }
	err := asking.Apply(ctx, document.Patch, changes, func(outcomes []document.Outcome) error {
		for _, o := range outcomes {
			at[o.ID].State, at[o.ID].Reason = o.State, o.Reason
		}
		return nil
	})
	return answers, err
}

func fieldsOf(id string, row *object) map[string]string {
	if row == nil || row.key() != id {
		return nil
	}
	var named map[string]json.RawMessage
	_ = json.Unmarshal(row.Document.Fields, &named)
	fields := make(map[string]string, len(named))
	for name, value := range named {
		text, ok := get[string](value)
		if !ok {
			text = string(value)
		}
		fields[name] = text
	}
	return fields
}
