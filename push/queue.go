package push

import "sitesync/internal/document"

// pathOK is the status of a URL that the service accepted into the queue. It is
// no proof of crawling: an inactive crawler accepts URLs and never fetches them
// (section 3). Any other status is a failure.
const pathOK = "Ok"

func idList(changes []document.Change) []string {
	ids := make([]string, len(changes))
	for i, change := range changes {
		ids[i] = change.ID
	}
	return ids
}

// judgeStatuses returns the outcome of each queued URL, in order: pathOK acknowledges
// it, any other word refuses it, none leaves it in doubt.
func judgeStatuses(changes []document.Change, rows []object) []document.Outcome {
	outcomes := make([]document.Outcome, len(changes))
	for i, row := range pair(idList(changes), rows) {
		status := ""
		if row != nil {
			status = textOf(row.Status)
		}
		switch id := changes[i].ID; status {
		case pathOK:
			outcomes[i] = document.Outcome{ID: id, State: document.Acknowledged, By: "row"}
		case "":
			outcomes[i] = document.Outcome{ID: id, State: document.InDoubt, Reason: "the answer holds no status for it"}
		default:
			outcomes[i] = refused(id, status)
		}
	}
	return outcomes
}
