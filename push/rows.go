package push

import (
	"encoding/json"
	"fmt"

	"sitesync/internal/document"
)

// The ways in which a document is acknowledged, as document.Outcome.By has them.
const (
	ByRow    = "row"
	ByStatus = "status"
)

// row is one document result entry (section 2.2), reduced to what is judged.
// Success is a pointer because a row without a verdict is no refusal.
type row struct {
	Document struct {
		ID string `json:"id"`
	} `json:"document"`
	Reason  string `json:"reason"`
	Success *bool  `json:"success"`
}

func (r row) id() string { return r.Document.ID }

// readRows returns the rows of an answer, none where it holds none. An entry that
// can't be read is a row without ID and verdict, so that the others keep their
// places. body is whole JSON or empty.
func readRows(body []byte) []row {
	body = trimJSON(body)
	var raws []json.RawMessage
	switch {
	case readShape(body).has("document"):
		raws = []json.RawMessage{body}
	case json.Unmarshal(body, &raws) != nil:
		return nil
	}
	rows := make([]row, len(raws))
	for i, raw := range raws {
		if json.Unmarshal(raw, &rows[i]) != nil {
			rows[i] = row{}
		}
	}
	return rows
}

// judgeRows returns the outcome of each change, in order. PUT's answer is not
// shown in the specification: without rows its status acknowledges. PATCH's is,
// so there a missing row leaves the document in doubt.
func judgeRows(op document.Op, changes []document.Change, rows []row) []document.Outcome {
	ids := make([]string, len(changes))
	for i, change := range changes {
		ids[i] = change.ID
	}
	outcomes := make([]document.Outcome, len(changes))
	for i, found := range pair(ids, rows, row.id) {
		switch {
		case found != nil:
			outcomes[i] = found.judge(ids[i])
		case len(rows) == 0 && op == document.Put:
			outcomes[i] = document.Outcome{ID: ids[i], State: document.Acknowledged, By: ByStatus}
		default:
			outcomes[i] = document.Outcome{ID: ids[i], State: document.InDoubt, Reason: "the answer holds no row for it"}
		}
	}
	return outcomes
}

func (r row) judge(id string) document.Outcome {
	switch {
	case r.Success == nil:
		return document.Outcome{ID: id, State: document.InDoubt, Reason: "the answer's row holds no verdict"}
	case !*r.Success && r.Reason == "":
		return document.Outcome{ID: id, State: document.Refused, Reason: "the service gave no reason"}
	case !*r.Success:
		return document.Outcome{ID: id, State: document.Refused, Reason: r.Reason}
	case r.id() != "" && r.id() != id:
		return document.Outcome{ID: id, State: document.Acknowledged, By: ByRow, Reason: fmt.Sprintf("the service names it %s", r.id())}
	}
	return document.Outcome{ID: id, State: document.Acknowledged, By: ByRow}
}

// all returns one outcome for each change, all alike.
func all(changes []document.Change, state document.State, reason string) []document.Outcome {
	outcomes := make([]document.Outcome, len(changes))
	for i, change := range changes {
		outcomes[i] = document.Outcome{ID: change.ID, State: state, Reason: reason}
	}
	return outcomes
}
