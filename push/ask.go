package push

import (
	"context"
	"encoding/json"

	"sitesync/internal/document"
)

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
		doc, err := document.Document{ID: q.ID, Type: q.Type, Fields: map[string]string{"Url": q.URL}}.Wire()
		if err != nil {
			return answers, err
		}
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
