package conformance

import (
	"fmt"
	"net/http"
)

func synonymRules() []rule {
	return []rule{
		{"4.2 POST answers the group with its groupId", false, func(s *session) {
			if first, second := s.synonyms("da", "bil", "automobil", "køretøj"), s.synonyms("en", "car"); first == second {
				s.Errorf("two groups have the groupId %d", first)
			}
		}},
		{"4.2 DELETE takes groupIds with commas and answers no body", false, func(s *session) {
			ids := fmt.Sprintf("%d,%d", s.synonyms("en", "one", "two"), s.synonyms("en", "three", "four"))
			s.silent(s.removal("?groupIds=" + ids))
			s.refused(s.removal("?groupIds="+ids), http.StatusNotFound)
		}},
		{"4.2 DELETE of what is no list of IDs is refused whole", false, func(s *session) {
			id := s.synonyms("en", "five", "six")
			for _, query := range []string{"", "?groupIds=", "?groupIds=abc", "?groupids=x", fmt.Sprintf("?groupIds=%d,x", id), fmt.Sprintf("?groupIds=x,%d", id), fmt.Sprintf("?groupIds=%d,-1", id)} {
				s.refused(s.removal(query), 0)
			}
			s.silent(s.removal(fmt.Sprintf("?groupIds=%d", id)))
		}},
		{"2.7 words and language have their types", true, func(s *session) {
			for _, body := range []string{`{}`, `{"words":["a","b"]}`, `{"language":"en"}`, `{"words":"a","language":"en"}`, `{"words":[1],"language":"en"}`,
				`{"words":[null],"language":"en"}`, `{"words":[],"language":"en"}`, `{"words":["a"],"language":1}`, `{"words":["a"],"language":""}`} {
				r := s.tool(http.MethodPost, "synonymsgroup", 0, nil)
				r.body = body
				s.rejected(r)
			}
		}},
	}
}

func (s *session) removal(query string) request {
	r := s.tool(http.MethodDelete, "synonymsgroup", 0, nil)
	r.path += query
	return r
}

// synonyms creates a synonym group and returns its ID. The group is deleted when the subtest ends.
func (s *session) synonyms(language string, words ...string) int64 {
	s.Helper()
	body := object{"words": words, "language": language}
	got := s.object(s.ok(s.tool(http.MethodPost, "synonymsgroup", 0, body)))
	s.holds("group", got, body)
	id, _ := got["groupId"].(float64)
	if id < 1 {
		s.Fatalf("want a groupId, got %v", got)
	}
	s.Cleanup(func() { s.send(s.removal(fmt.Sprintf("?groupIds=%d", int64(id)))) })
	return int64(id)
}
