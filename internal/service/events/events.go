package events

import (
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"

	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

const (
	// maxEvent is how long the body of an event may be, in bytes: whoever may search may
	// send one, so none is read that would fill memory or disk.
	maxEvent   = 64 << 10
	maxEvents  = 100_000 // of an engine that are kept, the latest
	maxEngines = 1_000   // of which events are kept: feedback needs no credentials, so anybody can name engines
	burst      = 4       // seconds' worth of events that may come at once
)

// Recorder records events.
type Recorder struct {
	signer web.Signer
	now    func() time.Time
	rate   *rate.Limiter
	*ring
}

// New returns a recorder into a store, within bounds that are not zero. signer issued the
// IDs that events bring back. It errs when the store can't be read.
func New(s *store.Store, signer web.Signer, now func() time.Time, b web.Bounds, log *slog.Logger) (*Recorder, error) {
	kept, err := newRing(s, b.EventBytes, log)
	limiter := rate.NewLimiter(rate.Limit(b.EventRate), int(math.Ceil(burst*b.EventRate)))
	return &Recorder{signer, now, limiter, kept}, err
}

// kind is one kind of event: who may send it, and what sections 2.8 to 2.11 say of its keys.
type kind struct {
	name  string
	takes web.Schemes
	need  []string // must be filled
	forms map[string]form
	ids   []string // bring back IDs of answers
}

// form is what a value looks like, where there is one.
type form struct {
	pattern *regexp.Regexp
	words   string
}

func oneOf(words ...string) form {
	return form{regexp.MustCompile("^(" + strings.Join(words, "|") + ")$"), "one of " + strings.Join(words, ", ")}
}

func kinds() []kind {
	device, ratings, answer := oneOf("mobile", "tablet", "desktop"), map[string]form{"rating": oneOf("positive", "negative")}, []string{"conversationId", "exchangeId"}
	const pixels, words = `[1-9]\d{0,4}x[1-9]\d{0,4}`, "a size in pixels such as 1920x1080"
	size := form{regexp.MustCompile("^(" + pixels + ")?$"), words}
	number := form{regexp.MustCompile(`^(\d{1,15}(\.\d{1,15})?)?$`), "a number, 0 or more, as a string"}
	query := map[string]form{"dt": device, "sz": size, "pn": number, "rc": number, "ban": number, "rt": number}
	click := map[string]form{"dt": device, "sz": size, "pn": number, "cli": number, "ls": oneOf("searchresult", "banner")}
	return []kind{
		{wire.EventQuery, web.SiteKey, []string{"sw", "qid"}, query, []string{"qid"}},
		{wire.EventClick, web.SiteKey, []string{"ls"}, click, []string{"qid"}},
		{wire.EventFeedback, web.SiteKey | web.Basic | web.None, nil, map[string]form{"rating": ratings["rating"], "screenResolution": {regexp.MustCompile("^" + pixels + "$"), words}}, nil},
		{wire.EventSummaryFeedback, web.SiteKey | web.Basic, []string{"summaryId"}, ratings, []string{"summaryId"}},
		{wire.EventAnswerFeedback, web.SiteKey, answer, ratings, answer},
		{wire.EventAnswerClick, web.SiteKey | web.Basic, []string{"conversationId", "exchangeId", "url"}, nil, answer},
	}
}

// Routes are those of specification sections 4.3 and 4.4, and the page that reads back
// what they recorded.
func (r *Recorder) Routes() []web.Route {
	routes := []web.Route{
		{Pattern: "GET /_/events/{customer}/{engine}", Takes: web.Basic, Handle: r.show},
	}
	for _, k := range kinds() {
		track := func(c *web.Call) (web.Reply, error) { return r.track(c, k) }
		routes = append(routes, web.Route{
			Pattern: "POST " + wire.EventPath(k.name, "{customer}", "{engine}"), Takes: k.takes, Handle: track, MaxBody: maxEvent,
			NotJSON: http.StatusBadRequest, // the only one that section 4.4 lists for search feedback
		})
	}
	return routes
}

// track records an event. Its answer is what section 4 gives: the server's ID, an empty
// object for clicks in answers alone, else no body.
func (r *Recorder) track(c *web.Call, k kind) (web.Reply, error) {
	sent, err := decode(c.Body)
	if err != nil {
		return web.Reply{}, err
	}
	if err := sent.check(k); err != nil {
		return web.Reply{}, err
	}
	tracked := k.name == wire.EventQuery || k.name == wire.EventClick
	if customer, engine, ok := r.signer.Issued(sent["qid"], web.IDQuery, ""); ok && tracked && (customer != c.Customer || engine != c.Engine) {
		return web.JSON(http.StatusBadRequest, wire.MismatchError{Message: "mismatch between site ID and customer ID: qid is that of another engine's search"})
	}
	if err := r.checkIDs(c, sent, k); err != nil {
		return web.Reply{}, err
	}
	if !r.rate.AllowN(r.now(), 1) {
		return web.Reply{}, web.Problem{Status: http.StatusTooManyRequests, Message: "too many events: send it again later", RetryAfter: time.Second}
	}
	if k.name == wire.EventFeedback && sent["feedbackId"] == "" {
		sent["feedbackId"] = uuid.NewString()
	}
	e := Event{At: r.now().UTC(), Kind: k.name, ID: uuid.NewString(), Event: sent}
	if err := r.record(bucket(c.Customer, c.Engine), e); err != nil {
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

// event is a flat object of strings, sections 2.8 to 2.11; keys that the
// specification does not name are kept as they are.
type event map[string]string

func decode(body []byte) (event, error) {
	var raw map[string]json.RawMessage
	if json.Unmarshal(body, &raw) != nil || raw == nil {
		return nil, web.BadRequest("the body must be a flat JSON object of strings")
	}
	sent := event{}
	for key, value := range raw {
		var text *string // which null leaves nil
		if json.Unmarshal(value, &text) != nil || text == nil {
			return nil, web.BadRequest("%s must be a string", key)
		}
		sent[key] = *text
	}
	return sent, nil
}

// check errs with {message} where an event lacks what its kind requires, or has another
// value than those that the specification lists. Only the rating of an answer
// may be in any case, and one of rating, reason and comment is enough there (sections
// 2.11 and 7).
func (e event) check(k kind) error {
	blank := func(key string) bool { return strings.TrimSpace(e[key]) == "" }
	for _, key := range k.need {
		if blank(key) {
			return web.BadRequest("%s is required", key)
		}
	}
	anyCase := k.name == wire.EventAnswerFeedback
	for key, form := range k.forms {
		value, given := e[key]
		if anyCase {
			value, given = strings.ToLower(value), !blank(key)
		}
		if given && !form.pattern.MatchString(value) {
			return web.BadRequest("%s must be %s", key, form.words)
		}
	}
	if anyCase && blank("rating") && blank("reason") && blank("comment") {
		return web.BadRequest("rating, reason and comment are all empty")
	}
	id, given := e["feedbackId"]
	if given && k.name == wire.EventFeedback && (len(id) != len(uuid.Nil.String()) || uuid.Validate(id) != nil) { // other lengths are its other forms
		return web.BadRequest("feedbackId must be a UUID")
	}
	return nil
}

// checkIDs errs when an event brings back an ID that no answer of this engine gave out. A qid
// of which nothing is known here passes.
func (r *Recorder) checkIDs(c *web.Call, sent event, k kind) error {
	kinds := map[string]string{"qid": web.IDQuery, "summaryId": web.IDSummary, "conversationId": web.IDConversation, "exchangeId": web.IDExchange}
	for _, key := range k.ids {
		parent := ""
		if key == "exchangeId" {
			parent = sent["conversationId"]
		}
		customer, engine, ok := r.signer.Issued(sent[key], kinds[key], parent)
		if ok && (customer != c.Customer || engine != c.Engine) || !ok && key != "qid" {
			return web.BadRequest("%s was not given out by an answer of this engine", key)
		}
	}
	return nil
}
