package push

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// PathOK is the status of a URL that the service accepted into the queue. It is
// no proof of crawling: an inactive crawler accepts URLs and never fetches them
// (section 3). Any other status is a failure.
const PathOK = "Ok"

// Queue asks the hosted crawler to fetch the URLs (section 4.1, paths), in calls
// of Options.BatchDocuments URLs at most, each URL once and without its fragment.
// It returns one status for each of urls, in order; the status is empty where the
// service gave none. It errs with an *Error at the first call that fails and with
// ctx's error when ctx ends; the statuses until then are returned as well.
func (c *Client) Queue(ctx context.Context, urls []string) ([]wire.PathStatus, error) {
	told := map[string]string{"": ""}
	var targets []string
	for _, u := range urls {
		u = withoutFragment(u)
		if _, known := told[u]; !known {
			told[u] = ""
			targets = append(targets, u)
		}
	}
	var err error
	for chunk := range slices.Chunk(targets, c.o.BatchDocuments) {
		err = c.queueChunk(ctx, chunk, told)
		if err != nil {
			break
		}
	}
	statuses := make([]wire.PathStatus, len(urls))
	for i, u := range urls {
		statuses[i] = wire.PathStatus{URL: u, Status: told[withoutFragment(u)]}
	}
	return statuses, err
}

// queueChunk makes one call and notes the status of each URL in told.
func (c *Client) queueChunk(ctx context.Context, chunk []string, told map[string]string) error {
	got, err := c.ask(ctx, c.queueRequest(chunk))
	if err != nil {
		return err
	}
	for i, row := range pair(chunk, got.rows) {
		if row != nil {
			told[chunk[i]] = c.clean(textOf(row.Status))
		}
	}
	return nil
}

func withoutFragment(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return strings.TrimSpace(u)
}

// queueRequest returns the call that queues the URLs.
func (c *Client) queueRequest(urls []string) request {
	body, _ := json.Marshal(urls) // no error: texts
	return request{op: string(document.Queue), method: http.MethodPost, url: c.paths, body: body, rows: true}
}

func idList(changes []document.Change) []string {
	ids := make([]string, len(changes))
	for i, change := range changes {
		ids[i] = change.ID
	}
	return ids
}

// judgeStatuses returns the outcome of each queued URL, in order: PathOK acknowledges
// it, any other word refuses it, none leaves it in doubt.
func judgeStatuses(changes []document.Change, rows []object) []document.Outcome {
	outcomes := make([]document.Outcome, len(changes))
	for i, row := range pair(idList(changes), rows) {
		status := ""
		if row != nil {
			status = textOf(row.Status)
		}
		switch id := changes[i].ID; status {
		case PathOK:
			outcomes[i] = document.Outcome{ID: id, State: document.Acknowledged, By: "row"}
		case "":
			outcomes[i] = document.Outcome{ID: id, State: document.InDoubt, Reason: "the answer holds no status for it"}
		default:
			outcomes[i] = refused(id, status)
		}
	}
	return outcomes
}
