package push

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sitesync/internal/wire"
)

// Events reports what visitors did and thought (specification sections 4.3 and 4.4),
// with the SiteKey of one engine. It holds no API key and is safe for concurrent use.
type Events struct{ *conn }

// Receipt is what the service says of an event that it recorded.
type Receipt struct {
	ID         string // tracking ID (section 2.10), or eventId of search feedback (2.8); empty where none was given
	FeedbackID string // of search feedback; empty for other kinds
}

// DoubtError is an event of which nobody knows whether the service recorded it: sent
// again it may count twice.
type DoubtError struct{ Err error }

// Error returns what happened, and that the event may have been recorded.
func (e *DoubtError) Error() string { return e.Err.Error() + "; it may have been recorded" }

// Unwrap returns the *Error of the call, or the error of a context that ended during it.
func (e *DoubtError) Unwrap() error { return e.Err }

// NewEvents returns a client of o.Customer and o.Engine; o.Key is not looked at. It makes
// no call.
func NewEvents(o Options) *Events {
	o.Key = ""
	return &Events{newConn(o)}
}

// Send reports one event of a kind of wire.Event*, as Prepare returns it. An
// event is sent at most once: a call is repeated only while the service certainly turned
// it down (429). Any 2xx is success. It errs with an *Error or with ctx's error where
// nothing was recorded, and with a *DoubtError where that is not known.
func (v *Events) Send(ctx context.Context, kind string, event Event) (Receipt, error) {
	body, _ := json.Marshal(event) // texts always encode
	path := wire.EventPath(kind, v.customer, strconv.FormatInt(v.o.Engine, 10))
	got, failure := v.call(ctx, request{
		op: kind, method: http.MethodPost, url: v.base + path,
		body: body, once: true,
	})
	if failure == nil { // an answer without IDs reads as an empty one
		var tracked wire.Tracked
		var feedback wire.FeedbackResult
		_ = json.Unmarshal(got.body, &tracked)
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
		err = &DoubtError{err}
	}
	return Receipt{}, err
}

// Event is the body of one call of specification sections 4.3 and 4.4: a flat object,
// all of whose values are strings (sections 2.8 to 2.11).
type Event map[string]string

// ParseEvent reads an event from a JSON object. Numbers and booleans become strings, in
// plain decimal. It errs for anything else than one object, and for values that are null,
// arrays or objects.
func ParseEvent(raw []byte) (Event, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("it is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var values map[string]any
	if dec.Decode(&values) != nil || values == nil {
		return nil, errors.New("it is no JSON object")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the object: write one event a line")
	}
	event := Event{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		text, ok := asText(values[key])
		if !ok {
			return nil, fmt.Errorf("%s must be a text, a number or a boolean", printable(key))
		}
		event[key] = text
	}
	return event, nil
}

// asText returns the text of a string, a boolean, or a number without an exponent.
func asText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case json.Number:
		if !strings.ContainsAny(v.String(), "eE") {
			return v.String(), true
		}
		number, err := v.Float64()
		return strconv.FormatFloat(number, 'f', -1, 64), err == nil
	}
	return "", false
}

// DropPersonal removes a visitor's address, browser and referring page, whatever the
// case of their keys, and returns the keys that went, sorted.
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
