package conformance

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

func errorRules() []rule {
	return []rule{
		{"7 a malformed body is an invalid request", false, func(s *session) {
			s.eachWrite("", http.StatusBadRequest, `[{"id":`, `{"a":`, `[}`, `not JSON`)
		}},
		{"7 a body of another shape is an invalid request", true, func(s *session) {
			s.eachWrite("", http.StatusBadRequest, ``, `null`, `"x"`, `1`, `[null]`, `[] []`, `{} {}`, `[{}],`, "[{\"id\":\"\xff\"}]", "{\"url\":\"\xff\"}", "\ufeff{}", "\x00")
		}},
		{"7 the shapes of arrays and objects are not mixed up", false, func(s *session) { s.eachWrite("", http.StatusBadRequest) }},
		{"1 all bodies are JSON", true, func(s *session) {
			for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "application/json; charset=iso-8859-1", "json"} {
				s.eachWrite(media, http.StatusUnsupportedMediaType, ``, `{}`)
			}
			s.ok(request{method: http.MethodPut, path: s.indexPath(), body: `[]`, media: "application/json; charset=UTF-8"})
		}},
		{"8 a batch over the limit of documents is refused", true, func(s *session) {
			body := "[" + strings.Repeat("{},", 1000) + "{}]"
			for _, method := range []string{http.MethodPut, http.MethodPatch} {
				s.refused(request{method: method, path: s.indexPath(), body: body}, http.StatusRequestEntityTooLarge)
			}
		}},
		{"8 a body over the limit of bytes is refused", true, func(s *session) {
			s.eachWrite("", http.StatusRequestEntityTooLarge, `["`+strings.Repeat("x", 10_000_000)+`"]`)
		}},
		{"8 a body without end is answered before it ends", true, errorsEndless},
	}
}

// eachWrite checks that every endpoint with a body refuses each of the given bodies. Without bodies, each
// endpoint must refuse the body that the method endpoints gives it.
func (s *session) eachWrite(media string, status int, bodies ...string) {
	s.Helper()
	for _, e := range s.writes() {
		if !s.target.Local && strings.HasSuffix(e.path, "/bulk-delete") && len(bodies) > 0 {
			continue // a service might read an invalid filter as one that matches everything
		}
		e.media = media
		want := status
		// Specification section 4.4 gives status 400 for feedback.
		if media != "" && strings.Contains(e.path, fmt.Sprintf("/%d/", s.target.EngineID)) {
			want = http.StatusBadRequest
		}
		if len(bodies) == 0 {
			s.refused(e.request, want)
		}
		for _, e.body = range bodies {
			s.refused(e.request, want)
		}
	}
}

// errorsEndless sends bodies of 100 MB, with valid and with wrong credentials. The service must respond
// before it has read the whole body.
func errorsEndless(s *session) {
	const size = 100 << 20
	answered := 0
	for _, e := range s.writes() {
		if e.path != s.indexPath() && e.path != "/api/rankings" && !strings.HasSuffix(e.path, "/feedback") {
			continue // these endpoints read bodies with the same code as the others
		}
		for _, auth := range []string{e.auth, "Basic ???"} {
			var sent atomic.Int64
			body := io.TeeReader(io.LimitReader(spaces{}, size), counter{&sent})
			req, err := http.NewRequestWithContext(s.Context(), e.method, s.target.BaseURL+e.path, body)
			if err != nil {
				s.Fatal(err)
			}
			if auth == "" {
				auth = s.basic(s.target.CustomerID, s.target.APIKey)
			}
			req.Header.Set("Authorization", auth)
			req.Header.Set("Content-Type", "application/json")
			resp, err := s.client.Do(req)
			if err != nil { // the service may close the connection while the client sends
				continue
			}
			_ = resp.Body.Close()
			answered++
			if resp.StatusCode/100 != 4 || sent.Load() >= size {
				s.Errorf("%s %s: answered %d after %d bytes", e.method, e.path, resp.StatusCode, sent.Load())
			}
		}
	}
	if answered == 0 {
		s.Error("none of them was answered")
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

type counter struct{ n *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}
