package conformance

import (
	"maps"
	"net/http"
)

const (
	summaryFeedback = "search/summarize/feedback"
	answerFeedback  = "search/answer/feedback"
	answerClick     = "search/answer/click"
)

func aiRules() []rule {
	return []rule{
		{"4.4 summary feedback is answered no body", true, func(s *session) {
			body := object{"summaryId": s.ask("search/summarize")["summaryId"], "reason": "r", "comment": "ø"}
			for _, auth := range []string{s.schemes()["SiteKey"], s.schemes()["Basic"]} {
				r := s.engineCall("v4", summaryFeedback, s.encode(body))
				r.auth = auth
				s.silent(r)
			}
			s.spoilEvent("v4", summaryFeedback, body, map[string][]any{"summaryId": {1, nil}, "reason": {1}, "comment": {object{}}, "rating": {"good", 1}})
		}},
		{"2.11 the rating of an answer may be in any case", true, func(s *session) {
			for _, rating := range []string{"positive", "Negative", "POSITIVE"} {
				body := s.exchange()
				body["rating"] = rating
				s.silent(s.engineCall("v4", answerFeedback, s.encode(body)))
			}
			s.spoilEvent("v4", answerFeedback, s.exchange(), map[string][]any{"rating": {"good", 1}})
		}},
		{"2.11 one of rating, reason and comment is enough", true, func(s *session) {
			for _, key := range []string{"rating", "reason", "comment"} {
				body := s.exchange()
				maps.Copy(body, object{"rating": "", "reason": "", "comment": ""})
				body[key] = "negative"
				s.silent(s.engineCall("v4", answerFeedback, s.encode(body)))
			}
		}},
		{"7 feedback on an answer without rating, reason and comment is invalid", false, func(s *session) {
			for _, more := range []object{{}, {"rating": "", "reason": "", "comment": ""}, {"reason": " ", "comment": "\n"}} {
				body := object{"conversationId": "conformance", "exchangeId": "conformance"}
				if s.target.Local {
					body = s.exchange()
				}
				maps.Copy(body, more)
				s.refused(s.engineCall("v4", answerFeedback, s.encode(body)), http.StatusBadRequest)
			}
		}},
		{"2.11 conversation and exchange are those of an answer", true, func(s *session) {
			wrong := map[string][]any{"conversationId": {"made-up", "", 1}, "exchangeId": {"made-up", s.exchange()["exchangeId"], 1}}
			feedback, click := s.exchange(), s.exchange()
			feedback["rating"], click["url"] = "positive", s.root
			s.spoilEvent("v4", answerFeedback, feedback, wrong)
			s.spoilEvent("v4", answerClick, click, wrong)
		}},
		{"4.4 a click in an answer is answered an empty object", true, func(s *session) {
			body := s.exchange()
			body["url"] = s.root
			for _, auth := range []string{s.schemes()["SiteKey"], s.schemes()["Basic"]} {
				r := s.engineCall("v4", answerClick, s.encode(body))
				r.auth = auth
				if got := s.object(s.ok(r)); len(got) != 0 {
					s.Errorf("want {}, got %v", got)
				}
			}
			s.spoilEvent("v4", answerClick, body, map[string][]any{"url": {1, nil}})
		}},
	}
}

func (s *session) ask(path string) object {
	s.Helper()
	return s.object(s.ok(s.engineCall("v4", path, `{"query":"conformance"}`)))
}

// exchange requests an answer, and returns the IDs that feedback on the answer needs.
func (s *session) exchange() object {
	s.Helper()
	got := s.ask("search/answer")
	return object{"conversationId": got["conversationId"], "exchangeId": got["exchangeId"]}
}
