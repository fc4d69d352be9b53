package push

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sitesync/internal/wire"
)

// Events reports searches, clicks and feedback of visitors (specification sections 4.3 and 4.4). It
// authenticates with the SiteKey (public credentials) of one search engine. It is safe for concurrent use.
type Events struct{ *conn }

// Receipt is the service's answer to a recorded event.
type Receipt struct {
	ID         string // tracking ID (section 2.10) or eventId of search feedback (2.8); may be empty
	FeedbackID string // ID of search feedback; empty for other kinds
}

// NewEvents returns a client of o.Customer and o.Engine. It ignores o.Key and makes no call.
func NewEvents(o Options) *Events {
	o.Key = ""
	return &Events{newConn(o)}
}

// Send sends one event that Prepare returned. kind is one of the wire.Event constants. Any 2xx status is
// success. A call that may have recorded the event is not retried, so the event is recorded at most once.
// Send returns an *Error or ctx's error. If the event may have been recorded, the text of the error says so.
func (v *Events) Send(ctx context.Context, kind string, event Event) (Receipt, error) {
	body, _ := json.Marshal(event)
	path := wire.EventPath(kind, v.customer, strconv.FormatInt(v.o.Engine, 10))
	got, failure := v.call(ctx, request{
		op: kind, method: http.MethodPost, url: v.base + path,
		body: body, once: true,
	})
	if failure == nil {
		var tracked wire.Tracked
		var feedback wire.FeedbackResult
		_ = json.Unmarshal(got.body, &tracked) // an error does no harm, because the IDs are optional
		_ = json.Unmarshal(got.body, &feedback)
		return Receipt{
			ID:         v.clean(cmp.Or(tracked.ID, feedback.Value.EventID)),
			FeedbackID: v.clean(cmp.Or(feedback.Value.FeedbackID, event["feedbackId"])),
		}, nil
	}
	switch {
	case failure.Kind == KindTooLarge:
		failure.next = "shorten the event"
	case !failure.ran && failure.doubtful():
		failure.next = "the status says success and the body does not: ask the service's support which it is"
	}
	var err error = failure
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if failure.doubtful() {
		err = fmt.Errorf("%w; it may have been recorded", err)
	}
	return Receipt{}, err
}

// Event is the body of one event (specification sections 2.8 to 2.11): a flat object of strings.
type Event map[string]string

// DropPersonal removes a visitor's IP address, browser and referring page, whatever the case of their keys.
// It returns the removed keys, sorted.
func (e Event) DropPersonal() []string {
	var dropped []string
	for _, key := range slices.Sorted(maps.Keys(e)) {
		if slices.Contains([]string{"ip", "ua", "useragent", "refurl"}, strings.ToLower(key)) {
			delete(e, key)
			dropped = append(dropped, key)
		}
	}
	return dropped
}
