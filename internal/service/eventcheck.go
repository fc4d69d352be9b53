package service

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sitesync/internal/wire"
)

// maxEvent is how long the body of an event may be, in bytes: whoever may search may
// send one, so none is read that would fill memory or disk.
const maxEvent = 64 << 10

// maxBody returns how long the body of a call may be, in bytes.
func (c *call) maxBody() int64 {
	switch c.endpoint {
	case EndpointQueryLog, EndpointClickLog, EndpointFeedback, EndpointSummaryFeedback, EndpointAnswerFeedback, EndpointAnswerClick:
		return min(maxEvent, c.switches.maxBytes())
	}
	return c.switches.maxBytes()
}

// event is a flat object of strings, sections 2.8 to 2.11; keys that the
// specification does not name are kept as they are.
type event map[string]string

func decodeEvent(body []byte) (event, error) {
	var raw map[string]json.RawMessage
	if json.Unmarshal(body, &raw) != nil || raw == nil {
		return nil, badRequest("the body must be a flat JSON object of strings")
	}
	sent := event{}
	for key, value := range raw {
		var text *string // which null leaves nil
		if json.Unmarshal(value, &text) != nil || text == nil {
			return nil, badRequest("%s must be a string", key)
		}
		sent[key] = *text
	}
	return sent, nil
}

// check errs with {message} where an event lacks what its kind requires, or where a
// value is none of those that the specification lists. Only the rating of an answer
// may be in any case (section 2.11).
func (e event) check(kind string) error {
	switch kind {
	case wire.EventQuery:
		return cmp.Or(e.need("sw", "qid"), e.oneOf("dt", "mobile", "tablet", "desktop"))
	case wire.EventClick:
		return cmp.Or(e.need("ls"), e.oneOf("ls", "searchresult", "banner"), e.oneOf("dt", "mobile", "tablet", "desktop"))
	case wire.EventFeedback:
		return cmp.Or(e.oneOf("rating", "positive", "negative"), e.checkFeedbackID())
	case wire.EventSummaryFeedback:
		return cmp.Or(e.need("summaryId"), e.oneOf("rating", "positive", "negative"))
	case wire.EventAnswerFeedback:
		return cmp.Or(e.need("conversationId", "exchangeId"), e.checkAnswerFeedback())
	}
	return e.need("conversationId", "exchangeId", "url")
}

func (e event) blank(key string) bool { return strings.TrimSpace(e[key]) == "" }

func (e event) need(keys ...string) error {
	for _, key := range keys {
		if e.blank(key) {
			return badRequest("%s is required", key)
		}
	}
	return nil
}

// oneOf errs when a key is given and none of the values.
func (e event) oneOf(key string, values ...string) error {
	if value, given := e[key]; given && !slices.Contains(values, value) {
		return badRequest("%s must be one of %s", key, strings.Join(values, ", "))
	}
	return nil
}

func (e event) checkFeedbackID() error {
	id, given := e["feedbackId"]
	if given && (len(id) != len(uuid.Nil.String()) || uuid.Validate(id) != nil) { // other lengths are its other forms
		return badRequest("feedbackId must be a UUID")
	}
	return nil
}

// checkAnswerFeedback: one of rating, reason and comment is enough, section 7.
func (e event) checkAnswerFeedback() error {
	if e.blank("rating") {
		if e.blank("reason") && e.blank("comment") {
			return badRequest("rating, reason and comment are all empty")
		}
		return nil
	}
	return event{"rating": strings.ToLower(e["rating"])}.oneOf("rating", "positive", "negative")
}

// isElsewhere reports whether an event of section 4.3 names a search that was made here
// on another engine than that of the path.
func (s *Service) isElsewhere(c *call, qid, kind string) bool {
	customer, engine, ok := s.issued(qid, idQuery, "")
	return ok && (kind == wire.EventQuery || kind == wire.EventClick) && (customer != c.customer || engine != c.engine)
}

// checkIDs errs when an event brings back an ID that no answer of this engine gave
// out, unless a switch lets it.
func (s *Service) checkIDs(c *call, sent event, kind string) error {
	conversation := sent["conversationId"]
	switch kind {
	case wire.EventQuery, wire.EventClick:
		return s.checkID(c, "qid", sent["qid"], idQuery, "", !c.switches.CheckQueryIDs)
	case wire.EventSummaryFeedback:
		return s.checkID(c, "summaryId", sent["summaryId"], idSummary, "", c.switches.AcceptForeignIDs)
	case wire.EventAnswerFeedback, wire.EventAnswerClick:
		return cmp.Or(
			s.checkID(c, "conversationId", conversation, idConversation, "", c.switches.AcceptForeignIDs),
			s.checkID(c, "exchangeId", sent["exchangeId"], idExchange, conversation, c.switches.AcceptForeignIDs))
	}
	return nil
}

// checkID errs unless an ID was issued for this engine; a foreign one, of which nothing
// is known here, may be accepted.
func (s *Service) checkID(c *call, key, id, kind, parent string, foreign bool) error {
	customer, engine, ok := s.issued(id, kind, parent)
	if ok && customer == c.customer && engine == c.engine || !ok && foreign {
		return nil
	}
	return badRequest("%s is none that an answer of this engine gave out", key)
}
