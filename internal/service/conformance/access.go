package conformance

import (
	"encoding/base64"
	"fmt"
	"net/http"
)

func accessRules() []rule {
	return []rule{
		{"5.1 missing credentials are unauthorized", false, func(s *session) { s.unauthorized("-", http.StatusUnauthorized) }},
		{"5.1 a wrong key is unauthorized", false, func(s *session) {
			s.unauthorized(s.basic(s.target.CustomerID, s.target.APIKey+"x"), http.StatusUnauthorized)
		}},
		{"5.1 the username is the customer of the path", false, func(s *session) {
			s.unauthorized(s.basic(s.target.CustomerID+1, s.target.APIKey), http.StatusUnauthorized)
		}},
		{"5.1 malformed credentials are unauthorized", false, func(s *session) { s.unauthorized("Basic ???", http.StatusUnauthorized) }},
		{"5.3 a SiteKey does not manage an index", false, func(s *session) {
			key := fmt.Sprintf("%d:1:SearchKey", s.target.CustomerID)
			s.unauthorized("SiteKey "+base64.StdEncoding.EncodeToString([]byte(key)), http.StatusForbidden)
		}},
		{"9 index management is v4", true, func(s *session) {
			for _, version := range []string{"v3", "v5"} {
				r := s.upsert()
				r.path = s.versioned(version, "index") + "/documents"
				s.refused(r, http.StatusNotFound)
			}
		}},
	}
}

// unauthorized checks that every endpoint refuses the Authorization header, with
// the body of section 7. Nothing that it sends could change an index.
func (s *session) unauthorized(auth string, status int) {
	s.Helper()
	bulk := request{method: http.MethodPost, path: s.indexPath() + "/bulk-delete", body: `{}`}
	paths := request{method: http.MethodPost, path: s.versioned("v4", "crawler") + "/paths", body: `[]`}
	for _, r := range []request{s.upsert(), s.patch(), s.deletion(s.root + "none"), bulk, paths} {
		r.auth = auth
		if message := s.refused(r, status); message != "unauthorized" {
			s.Errorf("%s %s: want the message unauthorized, got %q", r.method, r.path, message)
		}
	}
}
