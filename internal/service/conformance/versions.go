package conformance

import (
	"fmt"
	"net/http"
	"strings"
)

func versionRules() []rule {
	return []rule{
		{"9 index management and crawler queues are v4", true, func(s *session) {
			for _, version := range []string{"v3", "v5"} {
				s.nowhere("PUT PATCH DELETE", s.versioned(version, "index")+"/documents")
				s.nowhere("POST", s.versioned(version, "index")+"/documents/bulk-delete", s.versioned(version, "crawler")+"/paths")
			}
			s.nowhere("PUT", strings.Replace(s.indexPath(), "/v4", "", 1))
		}},
		{"9 search tools have no version segment", false, func(s *session) {
			for _, kind := range []string{"banners", "rankings", "quicklinks", "synonymsgroup"} {
				for _, version := range []string{"v3", "v4"} {
					s.nowhere("GET PUT DELETE", fmt.Sprintf("/api/%s/%s/%d", version, kind, unknownID))
					s.nowhere("POST", "/api/"+version+"/"+kind)
				}
			}
		}},
		{"9 tracking is v3 only", false, func(s *session) { s.unversioned("v4", "search/pushstat/querylog", "search/pushstat/clicklog") }},
		{"9 feedback is v4 only", false, func(s *session) {
			s.unversioned("v3", "feedback", "search/summarize/feedback", "search/answer/feedback", "search/answer/click")
		}},
		{"9 AI chat and AI summary are v4 only", false, func(s *session) { s.unversioned("v3", "search/answer", "search/summarize") }},
		{"4 other paths are not found", true, func(s *session) {
			documents := s.indexPath()
			s.nowhere("GET POST", "/", "/api", "/"+documents, documents+"/bulkdelete", documents+"/../documents", "/api/synonymsgroups", "/api/banner/1", "/api/banners/1/2", "/api//banners/1")
		}},
		{"4 paths are written as shown", true, func(s *session) {
			s.nowhere("PUT PATCH DELETE", s.versioned("V4", "index")+"/documents", s.indexPath()+"/")
			s.nowhere("GET POST", "/API/banners", "/api/banners/")
		}},
		{"4 other methods are refused", true, func(s *session) {
			s.refusedAll(0, "GET POST", s.indexPath())
			s.refusedAll(0, "PATCH", "/api/rankings/1", "/api/banners/1", "/api/quicklinks/1", "/api/synonymsgroup")
		}},
	}
}

func (s *session) nowhere(methods string, paths ...string) {
	s.Helper()
	s.refusedAll(http.StatusNotFound, methods, paths...)
}

func (s *session) refusedAll(status int, methods string, paths ...string) {
	s.Helper()
	for _, path := range paths {
		for _, method := range strings.Fields(methods) {
			s.refused(request{method: method, path: path, body: `{}`}, status)
		}
	}
}

// unversioned checks that paths of an engine (site search) get status 404, with and without an API version.
func (s *session) unversioned(version string, paths ...string) {
	s.Helper()
	for _, path := range paths {
		r := s.engineCall(version, path, `{}`)
		r.auth = ""
		s.refused(r, http.StatusNotFound)
		r.path = strings.Replace(r.path, "/"+version, "", 1)
		s.refused(r, http.StatusNotFound)
	}
}
