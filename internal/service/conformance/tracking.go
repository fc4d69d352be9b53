package conformance

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
)

const (
	queryLog = "search/pushstat/querylog"
	clickLog = "search/pushstat/clicklog"
)

func trackingRules() []rule {
	return []rule{
		{"4.3 each event is answered the server's id", false, func(s *session) {
			seen := map[string]bool{}
			for range 2 {
				for _, path := range []string{queryLog, clickLog} {
					var tracked struct {
						ID string `json:"id"`
					}
					s.decode(s.ok(s.engineCall("v3", path, s.encode(s.event(path)))), &tracked)
					if tracked.ID == "" || seen[tracked.ID] {
						s.Errorf("%s: want an id of its own, got %q", path, tracked.ID)
					}
					seen[tracked.ID] = true
				}
			}
		}},
		{"2.10 a click is one on a result or a banner", false, func(s *session) {
			for _, source := range []string{"searchresult", "banner"} {
				body := s.event(clickLog)
				body["ls"], body["cloi"] = source, "1"
				s.ok(s.engineCall("v3", clickLog, s.encode(body)))
			}
			s.spoilEvent("v3", clickLog, s.event(clickLog), map[string][]any{"ls": {"organic", ""}})
		}},
		{"2.9 all keys are strings", false, func(s *session) {
			for _, path := range []string{queryLog, clickLog} {
				wrong := map[string][]any{"anything": {1, nil}}
				for key := range s.event(path) {
					wrong[key] = []any{1, true, nil, []any{"1"}, object{}}
				}
				s.spoilEvent("v3", path, s.event(path), wrong)
			}
		}},
		{"2.9 the device class is one of three", true, func(s *session) {
			for _, path := range []string{queryLog, clickLog} {
				s.spoilEvent("v3", path, s.event(path), map[string][]any{"dt": {"Mobile", "phone", ""}})
			}
		}},
		{"4.3 the path's IDs are those of the search that gave qid", true, trackingMismatch},
	}
}

// event returns an event with every key that a path accepts.
func (s *session) event(path string) object {
	body := object{
		"sw": "conformance", "qid": s.queryID(), "sz": "1920x1080", "ua": "conformance", "refurl": s.root, "refpt": "ø", "brl": "da",
		"pn": "1", "hn": "conformance.invalid", "sid": "s", "qsid": "q", "dt": "desktop",
	}
	if path == clickLog {
		maps.Copy(body, object{"clurl": s.root, "cli": "1", "title": "A title", "ls": "searchresult"})
	} else {
		maps.Copy(body, object{"rc": "0", "fquery": "", "ban": "0", "bnrs": "", "rt": "1", "ql": ""})
	}
	return body
}

// queryID searches and returns the QueryId in the response. If the response has none, it returns a random ID.
func (s *session) queryID() string {
	var result struct{ QueryID string }
	a := s.send(s.engineCall("v4", "search", `{"query":"conformance"}`))
	if json.Unmarshal([]byte(a.body), &result) != nil || result.QueryID == "" {
		return rand.Text()
	}
	return result.QueryID
}

// spoilEvent sends body with each invalid value of each key in wrong, and checks that the service refuses it.
// With Target.Loose it skips values that are not strings, because such a service accepts them as text.
func (s *session) spoilEvent(version, path string, body object, wrong map[string][]any) {
	s.Helper()
	for key, values := range wrong {
		for _, value := range values {
			if _, text := value.(string); s.target.Loose && !text {
				continue
			}
			bad := maps.Clone(body)
			bad[key] = value
			s.refused(s.engineCall(version, path, s.encode(bad)), http.StatusBadRequest)
		}
	}
}

func trackingMismatch(s *session) {
	for _, path := range []string{queryLog, clickLog} {
		r := s.engineCall("v3", path, s.encode(s.event(path)))
		other := *s
		other.target.EngineID++
		r.path, r.auth = other.engineCall("v3", path, "").path, other.engineCall("v3", path, "").auth
		r.wrong = true
		a := s.send(r)
		var mismatch map[string]string
		s.decode(a, &mismatch)
		if a.status != http.StatusBadRequest || len(mismatch) != 1 || !strings.Contains(mismatch["Message"], "customer ID") {
			s.Errorf("%s: want 400 and {Message}, got %s", path, a)
		}
	}
}
