package conformance

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

func accessRules() []rule {
	return []rule{
		{"5.3 each endpoint takes its schemes", false, accessTaken},
		{"5.3 no endpoint takes another scheme", false, accessOthers},
		{"5.1 missing credentials are unauthorized", false, func(s *session) { s.unauthorized("Basic", "-", http.StatusUnauthorized) }},
		{"5.1 a wrong key is unauthorized", false, func(s *session) {
			s.unauthorized("Basic", s.basic(s.target.CustomerID, s.target.APIKey+"x"), http.StatusUnauthorized)
			s.unauthorized("Basic", s.basic(s.target.CustomerID, ""), http.StatusUnauthorized)
		}},
		{"5.1 the username is the customer of the path", false, accessCustomer},
		{"5.1 malformed credentials are unauthorized", false, func(s *session) {
			for _, auth := range []string{"Basic ???", "Basic", "Bearer " + s.target.APIKey, s.target.APIKey} {
				s.unauthorized("Basic", auth, http.StatusUnauthorized)
			}
		}},
		{"5.2 a SiteKey is of one engine", false, func(s *session) {
			s.unauthorized("SiteKey", s.siteKey(s.target.CustomerID, s.target.EngineID+1), http.StatusForbidden)
		}},
		{"5.2 a SiteKey is of one customer", false, func(s *session) {
			s.unauthorized("SiteKey", s.siteKey(s.target.CustomerID+1, s.target.EngineID), 0)
		}},
		{"5.2 SearchKey is a fixed word", false, func(s *session) {
			triple := fmt.Sprintf("%d:%d:", s.target.CustomerID, s.target.EngineID)
			for _, plain := range []string{triple + s.target.APIKey, triple + "searchkey", triple, triple + "SearchKey:"} {
				s.unauthorized("SiteKey", "SiteKey "+base64.StdEncoding.EncodeToString([]byte(plain)), http.StatusUnauthorized)
			}
			s.unauthorized("SiteKey", "SiteKey "+triple+"SearchKey", http.StatusUnauthorized)
		}},
		{"2.1 customer and engine are integers", true, accessIntegers},
	}
}

// unauthorized checks that every endpoint that accepts a scheme refuses the Authorization header auth, with
// the body of specification section 7. For auth "-" (no header) it skips endpoints that need no header.
func (s *session) unauthorized(scheme, auth string, status int) {
	s.Helper()
	for _, e := range s.endpoints() {
		if e.takesScheme(scheme) && (auth != "-" || e.takes != "any") {
			s.refuses(e, auth, status)
		}
	}
}

func (s *session) refuses(e endpoint, auth string, status int) {
	s.Helper()
	e.auth = auth
	if message := s.refused(e.request, status); message != "unauthorized" {
		s.Errorf("%s %s: want the message unauthorized, got %q", e.method, e.path, message)
	}
}

// schemes returns a valid Authorization header for each scheme. "-" means no header.
func (s *session) schemes() map[string]string {
	return map[string]string{
		"Basic":   s.basic(s.target.CustomerID, s.target.APIKey),
		"SiteKey": s.siteKey(s.target.CustomerID, s.target.EngineID),
		"none":    "-",
	}
}

func accessTaken(s *session) {
	for _, e := range s.endpoints() {
		for scheme, auth := range s.schemes() {
			if e.auth = auth; !e.takesScheme(scheme) {
				continue
			}
			if message := s.refused(e.request, 0); message == "unauthorized" {
				s.Errorf("%s %s does not take %s", e.method, e.path, scheme)
			}
		}
	}
}

func accessOthers(s *session) {
	for _, e := range s.endpoints() {
		for scheme, auth := range s.schemes() {
			if e.takesScheme(scheme) {
				continue
			}
			status := http.StatusUnauthorized
			if scheme == "SiteKey" {
				status = http.StatusForbidden
			}
			s.refuses(e, auth, status)
		}
	}
}

func accessCustomer(s *session) {
	for _, e := range s.endpoints() {
		if e.takesScheme("Basic") && strings.Contains(e.path, fmt.Sprint(s.target.CustomerID)) {
			s.refuses(e, s.basic(s.target.CustomerID+1, s.target.APIKey), http.StatusUnauthorized)
		}
	}
}

func accessIntegers(s *session) {
	for _, id := range []string{"0", "-1", "x", "1.0", "1e7", "0" + fmt.Sprint(s.target.CustomerID), "99999999999999999999", "%20", "%2B1", "ø"} {
		for _, path := range []string{"/api/v4/" + id + "/index/x/documents", "/api/v4/" + id + "/1/feedback", fmt.Sprintf("/api/v4/%d/%s/feedback", s.target.CustomerID, id)} {
			s.refused(request{method: http.MethodPut, path: path, body: `[]`}, 0)
			s.refused(request{method: http.MethodPost, path: path, body: `{}`}, 0)
		}
	}
}
