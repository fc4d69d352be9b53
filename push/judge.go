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

// judgeRow returns the outcome of a document or queued URL from its row (an element of the answer's array). A
// queued URL with "Ok" may never be fetched: an inactive crawler fetches nothing (specification section 3).
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
// The specification names no status for a failed delete, so a body that reports a failure counts at any
// status. A 404 without count and message may come from a wrong address. The outcome is then InDoubt.
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

// judgeDeletion returns the outcome of a delete. A delete that found no document is a success. But several
// such deletes in a row suggest wrong IDs, so the fifth returns a *StopError. A delete is not one of these if
// an earlier try may have removed the document.
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

// pair returns the answer's row for each sent key (an ID or URL). If exactly one row has the key, pair takes
// that row. If no row has the key, pair takes the row at the key's position, if there are as many rows as
// keys and the row has no other sent key. Otherwise the row is nil.
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

// Ask reads the fields of documents in the index. It patches only the Url field of each document, with the
// URL that the document already has. The answer of the service then shows the fields (sections 2.2, 4.1). Ask
// returns one answer for each question, in order, even if it errs. It sends and errs as Apply does. Its
// failed calls do not count towards the limits of a later Apply.
//
// Ask writes to the index: if a document is missing, some services create one with the Url field alone. The
// caller must recognise and delete such documents.
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
