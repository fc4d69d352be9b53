package conformance

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
)

func feedbackRules() []rule {
	return []rule{
		{"4.4 feedback is answered eventId and feedbackId", false, func(s *session) {
			for _, rating := range []string{"positive", "negative"} {
				body := s.feedback()
				body["rating"] = rating
				s.feedbackOK(s.engineCall("v4", "feedback", s.encode(body)), body["feedbackId"].(string))
			}
		}},
		{"4.4 feedback takes a SiteKey, Basic and no credentials", false, func(s *session) {
			for _, auth := range s.schemes() {
				body := s.feedback()
				r := s.engineCall("v4", "feedback", s.encode(body))
				r.auth = auth
				s.feedbackOK(r, body["feedbackId"].(string))
			}
		}},
		{"4.4 the body of feedback is required", false, func(s *session) {
			for _, body := range []string{"", "null", "true", "5", `"x"`, "[]", "[{}]", "{", "{} {}"} {
				s.refused(s.engineCall("v4", "feedback", body), http.StatusBadRequest)
			}
			for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"} {
				r := s.engineCall("v4", "feedback", s.encode(s.feedback()))
				r.media = media
				s.refused(r, http.StatusBadRequest)
			}
		}},
		{"7 feedback with wrong values is answered 400", false, func(s *session) {
			wrong := map[string][]any{"rating": {"Positive", "good", 1}, "feedbackId": {"1", "", 1}, "screenResolution": {"big", "1920", "1920x", "x1080", "-1x1080", "1920 x 1080", "0x0", "1e3x1e3", "1920x1080x32"}}
			for key := range s.feedback() {
				wrong[key] = append(wrong[key], 5, true, nil, []any{}, object{})
			}
			s.spoilEvent("v4", "feedback", s.feedback(), wrong)
		}},
	}
}

// feedback returns a body with every key of specification section 2.8.
func (s *session) feedback() object {
	random := make([]byte, 16)
	_, _ = rand.Read(random)
	id := fmt.Sprintf("%x-%x-4%03x-8%03x-%x", random[:4], random[4:6], random[6], random[7], random[8:14])
	return object{
		"url": s.root, "feedbackId": id, "rating": "positive", "reason": "conformance", "comment": "ø", "sessionId": "s", "ip": "192.0.2.1",
		"deviceType": "desktop", "userAgent": "conformance", "browserLanguage": "da", "screenResolution": "1920x1080",
		"applicationName": "conformance", "applicationVersion": "1",
	}
}

func (s *session) feedbackOK(r request, id string) {
	s.Helper()
	var result struct {
		Value struct {
			EventID    string `json:"eventId"`
			FeedbackID string `json:"feedbackId"`
		} `json:"value"`
	}
	a := s.ok(r)
	s.decode(a, &result)
	if a.status != http.StatusOK || result.Value.EventID == "" || !strings.EqualFold(result.Value.FeedbackID, id) {
		s.Errorf("want 200 with an eventId and the feedbackId %s, got %s", id, a)
	}
}
