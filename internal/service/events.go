package service

import (
	"net/http"

	"github.com/google/uuid"

	"sitesync/internal/wire"
)

// eventRoutes are those of specification sections 4.3 and 4.4, and the page that reads
// back what they recorded.
func (s *Service) eventRoutes() []route {
	const v3 = "POST /api/v3/{customer}/{engine}/search/pushstat/"
	const v4 = "POST /api/v4/{customer}/{engine}/"
	return []route{
		{v3 + "querylog", EndpointQueryLog, takesSiteKey, s.track(wire.EventQuery)},
		{v3 + "clicklog", EndpointClickLog, takesSiteKey, s.track(wire.EventClick)},
		{v4 + "feedback", EndpointFeedback, takesSiteKey | takesBasic | takesNone, s.track(wire.EventFeedback)},
		{v4 + "search/summarize/feedback", EndpointSummaryFeedback, takesSiteKey | takesBasic, s.track(wire.EventSummaryFeedback)},
		{v4 + "search/answer/feedback", EndpointAnswerFeedback, takesSiteKey, s.track(wire.EventAnswerFeedback)},
		{v4 + "search/answer/click", EndpointAnswerClick, takesSiteKey | takesBasic, s.track(wire.EventAnswerClick)},
		{"GET /_/events/{customer}/{engine}", endpointOwn, takesBasic, s.showEvents},
	}
}

// track returns the handler of one kind of event, which is on disk before it is
// acknowledged.
func (s *Service) track(kind string) handler {
	return func(c *call) (reply, error) {
		sent, err := decodeEvent(c.body)
		if err == nil {
			err = sent.check(kind)
		}
		if err != nil {
			return reply{}, err
		}
		if s.isElsewhere(c, sent["qid"], kind) {
			return jsonReply(c.switches.mismatchStatus(), wire.MismatchError{Message: "mismatch between site ID and customer ID: qid is that of another engine's search"})
		}
		if err := s.checkIDs(c, sent, kind); err != nil {
			return reply{}, err
		}
		if kind == wire.EventFeedback && sent["feedbackId"] == "" {
			sent["feedbackId"] = uuid.NewString()
		}
		e := Event{At: s.now().UTC(), Kind: kind, ID: uuid.NewString(), Event: sent}
		if err := s.record(c.customer, c.engine, e); err != nil {
			return reply{}, err
		}
		return acknowledge(e)
	}
}

// acknowledge returns what section 4 gives as the answer to a kind of event: the
// server's ID, an empty object for clicks in answers alone, else no body.
func acknowledge(e Event) (reply, error) {
	switch e.Kind {
	case wire.EventQuery, wire.EventClick:
		return okReply(wire.Tracked{ID: e.ID}, nil)
	case wire.EventFeedback:
		var result wire.FeedbackResult
		result.Value.EventID, result.Value.FeedbackID = e.ID, e.Event["feedbackId"]
		return okReply(result, nil)
	case wire.EventAnswerClick:
		return okReply(struct{}{}, nil)
	}
	return reply{status: http.StatusOK}, nil
}
