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
	told := map[string]string{}
	var failure error
	for chunk := range slices.Chunk(targets(urls), c.batchDocuments) {
		if failure = c.queueChunk(ctx, chunk, told); failure != nil {
			break
		}
	}
	statuses := make([]wire.PathStatus, len(urls))
	for i, u := range urls {
		statuses[i] = wire.PathStatus{URL: u, Status: told[withoutFragment(u)]}
	}
	return statuses, failure
}

// queueChunk makes one call and notes the status of each URL in told.
func (c *Client) queueChunk(ctx context.Context, chunk []string, told map[string]string) error {
	body, err := json.Marshal(chunk)
	if err != nil {
		return err
	}
	got, failure := c.call(ctx, request{op: document.Queue, method: http.MethodPost, url: c.paths, body: body})
	if failure != nil {
		return ended(ctx, failure)
	}
	for i, row := range pair(chunk, readPaths(got.body), func(p wire.PathStatus) string { return p.URL }) {
		if row != nil {
			told[chunk[i]] = c.clean(row.Status)
		}
	}
	return nil
}

// readPaths returns the rows of an answer; one that can't be read is empty.
func readPaths(body []byte) []wire.PathStatus {
	var raws []json.RawMessage
	if json.Unmarshal(trimJSON(body), &raws) != nil {
		return nil
	}
	rows := make([]wire.PathStatus, len(raws))
	for i, raw := range raws {
		if json.Unmarshal(raw, &rows[i]) != nil {
			rows[i] = wire.PathStatus{}
		}
	}
	return rows
}

// targets returns what is sent: each URL once, in order, none that is blank.
func targets(urls []string) []string {
	seen := map[string]bool{"": true}
	var out []string
	for _, u := range urls {
		if u = withoutFragment(u); !seen[u] {
			seen[u] = true
			out = append(out, u)
		}
	}
	return out
}

func withoutFragment(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return strings.TrimSpace(u)
}
