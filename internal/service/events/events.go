package events

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

const (
	// maxEvent limits the body of an event, in bytes. Anyone who may search may send events, so a larger
	// limit would let them fill memory or disk.
	maxEvent     = 64 << 10
	burstSeconds = 4
)

// Recorder records the events of visitors in a store.
type Recorder struct {
	store          *store.Store
	signer         web.Signer
	now            func() time.Time
	rate           *rate.Limiter
	maxStoredBytes int64
}

// New returns a Recorder that writes to a store. signer verifies IDs in events.
func New(s *store.Store, signer web.Signer, o web.Options) *Recorder {
	b := o.Bounds.OrDefaults()
	limiter := rate.NewLimiter(rate.Limit(b.EventRate), int(math.Ceil(burstSeconds*b.EventRate)))
	return &Recorder{store: s, signer: signer, now: o.Now, rate: limiter, maxStoredBytes: b.EventBytes}
}

type kind struct {
	name  string
	takes web.Schemes
	ids   []string // keys of the event that hold IDs issued by searches and answers
}

func kinds() []kind {
	answer := []string{"conversationId", "exchangeId"}
	return []kind{
		{wire.EventQuery, web.SiteKey, []string{"qid"}},
		{wire.EventClick, web.SiteKey, []string{"qid"}},
		{wire.EventFeedback, web.SiteKey | web.Basic | web.None, nil},
		{wire.EventSummaryFeedback, web.SiteKey | web.Basic, []string{"summaryId"}},
		{wire.EventAnswerFeedback, web.SiteKey, answer},
		{wire.EventAnswerClick, web.SiteKey | web.Basic, answer},
	}
}

// Routes returns the operations of specification sections 4.3 and 4.4, and one that lists recorded events.
func (r *Recorder) Routes() []web.Route {
	routes := []web.Route{
		{Pattern: "GET /_/events/{customer}/{engine}", Handle: r.show},
	}
	for _, k := range kinds() {
		routes = append(routes, web.Route{
			Pattern: "POST " + wire.EventPath(k.name, "{customer}", "{engine}"), Takes: k.takes, MaxBody: maxEvent,
			Handle:  func(c *web.Call) (web.Reply, error) { return r.track(c, k) },
			NotJSON: http.StatusBadRequest, // section 4.4 gives only this status for refused feedback
		})
	}
	return routes
}

// track records an event. The response follows section 4: the event's ID for queries, clicks and feedback;
// an empty object for clicks in answers; no body for other kinds.
func (r *Recorder) track(c *web.Call, k kind) (web.Reply, error) {
	sent, err := decode(c)
	if err != nil {
		return web.Reply{}, err
	}
	for _, fault := range wire.EventFaults(k.name, sent) {
		return web.Reply{}, web.BadRequest("%s %s", fault.Key, fault.Text)
	}
	if err := r.checkIDs(c, sent, k.ids); err != nil {
		return web.Reply{}, err
	}
	if !r.rate.AllowN(r.now(), 1) {
		return web.Reply{}, web.Refused(http.StatusTooManyRequests, "too many events: send it again later")
	}
	if k.name == wire.EventFeedback && sent["feedbackId"] == "" {
		sent["feedbackId"] = uuid.NewString()
	}
	e := Event{At: r.now().UTC(), Kind: k.name, ID: uuid.NewString(), Event: sent}
	if err := r.record(c.Customer, c.Engine, e); err != nil {
		return web.Reply{}, err
	}
	switch k.name {
	case wire.EventQuery, wire.EventClick:
		return web.OK(wire.Tracked{ID: e.ID}, nil)
	case wire.EventFeedback:
		var result wire.FeedbackResult
		result.Value.EventID, result.Value.FeedbackID = e.ID, e.Event["feedbackId"]
		return web.OK(result, nil)
	case wire.EventAnswerClick:
		return web.OK(struct{}{}, nil)
	}
	return web.Reply{Status: http.StatusOK}, nil
}

// event is a flat object of strings, sections 2.8 to 2.11. Keys beyond the specification are kept.
type event map[string]string

// decode reads an event from the body. Unless c.Strict is set, it also accepts keys in the query string,
// and values that are not strings, which it stores as text.
func decode(c *web.Call) (event, error) {
	sent := event{}
	if !c.Strict {
		for key, values := range c.Request.URL.Query() {
			sent[key] = strings.ToValidUTF8(values[0], "")
		}
	}
	var raw map[string]json.RawMessage
	if bodiless := len(c.Body) == 0 && len(sent) > 0; !bodiless && (json.Unmarshal(c.Body, &raw) != nil || raw == nil) {
		return nil, web.BadRequest("the body must be a flat JSON object of strings")
	}
	for key, value := range raw {
		text, _ := wire.Text(value)
		switch isString := value[0] == '"'; {
		case c.Strict && !isString:
			return nil, web.BadRequest("%s must be a string", key)
		case string(value) != "null":
			sent[key] = text
		}
	}
	return sent, nil
}

// checkIDs errs if the event holds an ID that was issued for another engine (a site search). It also errs if
// this service did not issue the ID, except for a qid (the ID of a search).
func (r *Recorder) checkIDs(c *web.Call, sent event, keys []string) error {
	for _, key := range keys {
		parent := ""
		if key == "exchangeId" {
			parent = sent["conversationId"]
		}
		customer, engine, ok := r.signer.Issued(sent[key], key, parent)
		foreign := ok && (customer != c.Customer || engine != c.Engine)
		refused := web.BadRequest("%s was not given out by an answer of this engine", key)
		switch {
		case foreign && key == "qid": // section 7 gives the body of this refusal
			const text = "mismatch between site ID and customer ID: qid is that of another engine's search"
			refused.Body = map[string]string{"Message": text}
			return refused
		case foreign, !ok && key != "qid":
			return refused
		}
	}
	return nil
}

// Event is a recorded event, specification section 6.
type Event struct {
	At    time.Time         `json:"at"` // time of arrival, UTC
	Kind  string            `json:"kind"`
	ID    string            `json:"id"`    // generated by this service
	Event map[string]string `json:"event"` // as sent; feedback always has a feedbackId
}

// record stores an event of one engine. While the stored events exceed the limit, record deletes the oldest.
func (r *Recorder) record(customer, engine int64, e Event) error {
	value, _ := json.Marshal(e)
	return r.store.Update(func(tx *store.Tx) error {
		const insert = "INSERT INTO event(customer, engine, kind, uuid, json) VALUES(?, ?, ?, ?, ?)"
		err := tx.Do(insert, customer, engine, e.Kind, e.ID, value)
		for left := []int64{0}; err == nil && len(left) > 0; {
			left, err = store.Column[int64](tx, `DELETE FROM event
				WHERE id = (SELECT min(id) FROM event) AND (SELECT bytes FROM kept) > ? RETURNING id`, r.maxStoredBytes)
		}
		return err
	})
}

// show serves GET /_/events/{customer}/{engine}?kind=KIND&after=ID: an array of Event.
func (r *Recorder) show(c *web.Call) (web.Reply, error) {
	query := c.Request.URL.Query()
	for name := range query {
		if name != "kind" && name != "after" {
			return web.Reply{}, web.BadRequest("%.60q is no filter of events: there are kind and after", name)
		}
	}
	return r.store.List(`SELECT json FROM event WHERE customer = ?1 AND engine = ?2 AND ?3 IN ('', kind)
		AND (?4 = '' OR id > (SELECT id FROM event WHERE customer = ?1 AND engine = ?2 AND uuid = ?4))
		ORDER BY id`, c.Customer, c.Engine, query.Get("kind"), query.Get("after"))
}
