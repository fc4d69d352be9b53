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

// maxZeros is how many deletes in a row may find nothing.
const maxZeros = 5

// judge returns the outcomes of changes that were in one call; its error ends the
// run.
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
		if op == document.Put && len(got.rows) == 0 { // its answer is not shown in the specification, unlike PATCH's
			outcomes[i] = document.Outcome{ID: ids[i], State: document.Acknowledged, By: "status"}
			continue
		}
		outcomes[i] = judgeRow(op, ids[i], row)
	}
	return outcomes, nil
}

// judgeRow returns the outcome by the row of a document or of a queued URL. The status "Ok"
// of a URL is no proof of crawling: an inactive crawler accepts URLs and never fetches them
// (section 3). Any other status is a failure.
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
		return document.Outcome{ID: id, State: document.Acknowledged, By: "row", Reason: "the service names it " + named}
	}
	return document.Outcome{ID: id, State: document.Acknowledged, By: "row"}
}

func refused(id, reason string) document.Outcome {
	return document.Outcome{ID: id, State: document.Refused, Reason: cmp.Or(reason, "the service gave no reason")}
}

// readDeletion returns the answer to the delete of one document (section 4.1), in
// doubt when it is not one, and the count in it. Failure has a shape of its own at a
// status that is not shown; success is believed with a status of success, or with
// 404, which says as much as a count of 0. A 404 with words speaks of the document
// as well; one without comes from an address that is not the service's.
func readDeletion(id string, got answer) (outcome document.Outcome, deleted int) {
	failed, _ := get[int](got.said.Failed)
	deleted, counted := get[int](got.said.Deleted)
	lost := got.status == http.StatusNotFound
	switch {
	case failed > 0, says(got.said.Reason) && !says(got.said.Deleted):
		return refused(id, textOf(got.said.Reason)), 0
	case counted && deleted >= 0 && (isSuccess(got.status) || lost && deleted == 0):
		return document.Outcome{ID: id, State: document.Acknowledged, By: "row"}, deleted
	case lost && says(got.said.Message):
		return refused(id, textOf(got.said.Message)), 0
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
	reason := fmt.Sprintf("%d deletes in a row found no document: check push.crawler_id, "+
		"and whether something else changes the index", c.zeros)
	return outcome, &StopError{Reason: reason}
}

func idList(changes []document.Change) []string {
	ids := make([]string, len(changes))
	for i, change := range changes {
		ids[i] = change.ID
	}
	return ids
}

// pair returns for each key that was sent the row that answers it, nil where none
// does: the only row with that key, else, when there are as many rows as keys, the
// row in its place unless that row names another key. Two rows with one key prove
// nothing.
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

// Ask asks what the index holds of documents: a PATCH of the Url field alone, with
// the value and type that it has, whose rows show the document (sections 2.2, 4.1). It
// returns an answer for each of questions, in order, also when it errs. Calls,
// batches, retries and errors are those of Apply; what they count does not count for
// what is applied afterwards.
//
// The question is a write: a service whose PATCH creates documents makes one of each
// that is missing, with the Url field alone. Which row shows such a one, and what is
// done about it, is the caller's to decide.
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
	asking.failed, asking.accepted = 0, map[document.Op]bool{}
	asking.look = func(id string, row *object) { at[id].Fields = fieldsOf(id, row) }
	err := asking.Apply(ctx, document.Patch, changes, func(outcomes []document.Outcome) error {
		for _, o := range outcomes {
			at[o.ID].State, at[o.ID].Reason = o.State, o.Reason
		}
		return nil
	})
	return answers, err
}

// fieldsOf returns the fields of the document that a row names by this very ID.
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
