package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// entry is the result for one document in the response to PUT or PATCH (specification section 2.2).
type entry struct {
	Document struct {
		ID     string          `json:"id"`
		Type   json.RawMessage `json:"type"`
		Fields map[string]any  `json:"fields"`
	} `json:"document"`
	Reason  string `json:"reason"`
	Success bool   `json:"success"`
}

// ok sends a request that must succeed: with status 200 on a local service, else with any 2xx.
func (s *session) ok(r request) answer {
	s.Helper()
	a := s.send(r)
	if a.status/100 != 2 || s.target.Local && a.status != http.StatusOK {
		s.Fatalf("%s: want 200, got %s", r.method, a)
	}
	return a
}

// rows sends a PUT or PATCH and returns its result entries. The entries of the IDs in good must report
// success, those of the IDs in bad a failure. A hosted service may respond to PUT without entries.
func (s *session) rows(r request, good, bad []string) []entry {
	s.Helper()
	r.wrong = len(bad) > 0
	a := s.ok(r)
	var entries []entry
	if r.method == http.MethodPut && !s.target.Local && json.Unmarshal([]byte(a.body), &entries) != nil {
		return nil
	}
	s.decode(a, &entries)
	success := map[string]bool{}
	for _, e := range entries {
		success[e.Document.ID] = e.Success
		if !e.Success && e.Reason == "" {
			s.Errorf("the failed row of %q has no reason", e.Document.ID)
		}
	}
	s.expectRows(success, good, true)
	s.expectRows(success, bad, false)
	return entries
}

func (s *session) expectRows(success map[string]bool, ids []string, want bool) {
	s.Helper()
	for _, id := range ids {
		if got, ok := success[id]; !ok || got != want {
			s.Errorf("row of %q: want success %v, got %v (there is a row: %v)", id, want, got, ok)
		}
	}
}

func (s *session) deletes(id string, want int) {
	s.Helper()
	s.eventually(func() string {
		a := s.ok(s.deletion(id))
		var result struct {
			Deleted *int `json:"deleted"`
		}
		s.decode(a, &result)
		if result.Deleted == nil || *result.Deleted != want {
			return fmt.Sprintf("DELETE of %q: want {deleted: %d}, got %s", id, want, a)
		}
		return ""
	})
}

// refused sends a request that must fail with a body {message}, and returns the message. A local service must
// respond with status. If status is 0, and on a hosted service, any 4xx is accepted.
func (s *session) refused(r request, status int) string {
	s.Helper()
	r.wrong = true
	a := s.send(r)
	if a.status/100 != 4 || s.target.Local && status != 0 && a.status != status {
		s.Fatalf("%s %s: want %d, got %s", r.method, r.path, status, a)
	}
	var body struct {
		Message string `json:"message"`
	}
	s.decode(a, &body)
	if body.Message == "" || strings.Contains(body.Message, s.target.APIKey) {
		s.Errorf("want a {message} without secrets, got %s", a)
	}
	return body.Message
}

// stored returns the documents of this subtest that a local service holds, by their names (see id).
func (s *session) stored() map[string]storedDoc {
	s.Helper()
	path := fmt.Sprintf("/_/crawlers/%d/%s/documents", s.target.CustomerID, s.target.CrawlerID)
	var docs []storedDoc
	s.decode(s.ok(request{method: http.MethodGet, path: path}), &docs)
	mine := map[string]storedDoc{}
	for _, d := range docs {
		if name, ok := strings.CutPrefix(d.ID, s.root); ok {
			mine[name] = d
		}
	}
	return mine
}

type storedDoc struct {
	ID     string            `json:"id"`
	Type   string            `json:"type"`
	Fields map[string]string `json:"fields"`
}

// decodeOpen decodes a response that may have more keys than v.
func (s *session) decodeOpen(a answer, v any) {
	s.Helper()
	if err := json.Unmarshal([]byte(a.body), v); err != nil {
		s.Fatalf("answer %s can't be read: %v", a, err)
	}
}
