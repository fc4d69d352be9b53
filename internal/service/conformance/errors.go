package conformance

import (
	"net/http"
	"strings"
)

func errorRules() []rule {
	return []rule{
		{"7 a malformed body is an invalid request", false, func(s *session) {
			for _, body := range []string{`[{"id":`, `[}`, `not JSON`} {
				s.eachWrite(body, "", http.StatusBadRequest)
			}
		}},
		{"7 what is no array of documents is an invalid request", true, func(s *session) {
			for _, body := range []string{``, `{}`, `null`, `"x"`, `[null]`, `[] []`, `[{}],`, "[{\"id\":\"\xff\"}]"} {
				s.eachWrite(body, "", http.StatusBadRequest)
			}
		}},
		{"1 all bodies are JSON", true, func(s *session) {
			for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "application/json; charset=iso-8859-1", "json"} {
				s.eachWrite(`[]`, media, http.StatusUnsupportedMediaType)
			}
			s.ok(request{method: http.MethodPut, path: s.indexPath(), body: `[]`, media: "application/json; charset=UTF-8"})
		}},
		{"8 a batch over the limit of documents is refused", true, func(s *session) {
			s.eachWrite("["+strings.Repeat("{},", 1000)+"{}]", "", http.StatusRequestEntityTooLarge)
		}},
		{"8 a batch over the limit of bytes is refused", true, func(s *session) {
			s.eachWrite(`["`+strings.Repeat("x", 10_000_000)+`"]`, "", http.StatusRequestEntityTooLarge)
		}},
		{"9 other paths are not found", true, func(s *session) {
			for _, path := range []string{"/", "/api", s.indexPath() + "/", "/" + s.indexPath(), s.indexPath() + "/bulkdelete"} {
				s.refused(request{method: http.MethodPost, path: path, body: `{}`}, http.StatusNotFound)
			}
		}},
	}
}

// eachWrite checks that PUT and PATCH both refuse a body.
func (s *session) eachWrite(body, media string, status int) {
	s.Helper()
	for _, method := range []string{http.MethodPut, http.MethodPatch} {
		s.refused(request{method: method, path: s.indexPath(), body: body, media: media}, status)
	}
}
