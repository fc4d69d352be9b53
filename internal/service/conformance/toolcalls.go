package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
)

// object is a JSON object, as sent or as answered.
type object = map[string]any

func (s *session) object(a answer) object {
	s.Helper()
	var o object
	if err := json.Unmarshal([]byte(a.body), &o); err != nil || o == nil {
		s.Fatalf("want an object, got %s: %v", a, err)
	}
	return o
}

// tool is a call of one search tool; ID 0 is that of its kind.
func (s *session) tool(method, kind string, id int64, body any) request {
	r := request{method: method, path: "/api/" + kind}
	if id != 0 {
		r.path += fmt.Sprintf("/%d", id)
	}
	if body != nil {
		r.body = s.encode(body)
	}
	return r
}

// create makes a search tool, checks that it is answered as sent with an ID of the
// server, and deletes it when the subtest ends.
func (s *session) create(kind string, body object) int64 {
	s.Helper()
	id := s.created(kind, body)
	s.Cleanup(func() {
		if a := s.send(s.tool(http.MethodDelete, kind, id, nil)); a.status/100 != 2 && a.status/100 != 4 {
			s.Errorf("%s %d may be left behind: its delete was answered %s", kind, id, a)
		}
	})
	return id
}

func (s *session) created(kind string, body object) int64 {
	s.Helper()
	got := s.object(s.ok(s.tool(http.MethodPost, kind, 0, body)))
	s.holds(kind, got, body)
	s.informs(kind, got)
	return s.idOf(got)
}

// informs checks the keys of sections 2.4 to 2.6 that only answers hold, which a hosted
// service may leave out.
func (s *session) informs(kind string, got object) {
	s.Helper()
	if !s.target.Local {
		return
	}
	texts := []string{"brokenLinksFoundAt"}
	if kind == "banners" {
		texts = append(texts, "frequency", "daysOfWeek", "cssCode", "jsonOption", "editorType")
		if s.encode(got["engineIds"]) != s.encode([]any{got["websiteid"]}) {
			s.Errorf("want the engine %v in engineIds, got %v", got["websiteid"], got["engineIds"])
		}
	}
	for _, key := range texts {
		if _, ok := got[key].(string); !ok {
			s.Errorf("%s: want a string under %s, got %v", kind, key, got[key])
		}
	}
}

func (s *session) idOf(o object) int64 {
	s.Helper()
	id, ok := o["id"].(float64)
	if !ok || id < 1 || id != float64(int64(id)) {
		s.Fatalf("want an integer id, got %v", o["id"])
	}
	return int64(id)
}

func (s *session) read(kind string, id int64) object {
	s.Helper()
	got := s.object(s.ok(s.tool(http.MethodGet, kind, id, nil)))
	s.informs(kind, got)
	return got
}

// responseOnly are keys that answers alone hold, with values that no server gives.
func responseOnly() object {
	return object{"id": unknownID, "brokenLinksFoundAt": "2001-01-01T00:00:00Z"}
}

// ignored sends a body with what only answers hold, which must succeed without it.
func (s *session) ignored(r request, body object) object {
	s.Helper()
	r.wrong = true
	got := s.object(s.ok(r))
	for _, key := range []string{"id", "brokenLinksFoundAt", "engineIds", "frequency", "daysOfWeek", "cssCode", "jsonOption", "editorType"} {
		if body[key] != nil && s.encode(got[key]) == s.encode(body[key]) {
			s.Errorf("%s was taken from the body: %v", key, got[key])
		}
	}
	return got
}

// restorable returns a tool as it may be sent back.
func (s *session) restorable(kind string, id int64) object {
	s.Helper()
	tool := s.read(kind, id)
	for key := range responseOnly() {
		delete(tool, key)
	}
	return tool
}

// holds checks that an answer has what was sent, lists whole; it may have more keys.
func (s *session) holds(where string, got, want any) {
	s.Helper()
	var sent any
	if err := json.Unmarshal([]byte(s.encode(want)), &sent); err != nil {
		s.Fatal(err)
	}
	switch want := sent.(type) {
	case map[string]any:
		have, _ := got.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(want)) {
			s.holds(where+"."+key, have[key], want[key])
		}
	case []any:
		have, _ := got.([]any)
		if len(have) != len(want) {
			s.Errorf("%s: want %v, got %v", where, want, got)
			return
		}
		for i := range want {
			s.holds(fmt.Sprintf("%s[%d]", where, i), have[i], want[i])
		}
	default:
		if !reflect.DeepEqual(got, sent) {
			s.Errorf("%s: want %v, got %v", where, sent, got)
		}
	}
}

// rejected sends a create or update that must be answered with {message} or, as
// section 7 says for these, messages by field path, which it returns.
func (s *session) rejected(r request) map[string][]string {
	s.Helper()
	r.wrong = true
	a := s.send(r)
	var byField map[string][]string
	if json.Unmarshal([]byte(a.body), &byField) != nil || len(byField) == 0 {
		byField = nil
		if message, _ := s.object(a)["message"].(string); message == "" {
			s.Fatalf("want {message} or messages by field, got %s", a)
		}
	}
	if a.status/100 != 4 || s.target.Local && a.status != http.StatusBadRequest {
		s.Errorf("%s %s %.200s: want 400, got %s", r.method, r.path, r.body, a)
	}
	return byField
}

// silent sends a request that must succeed without a body.
func (s *session) silent(r request) {
	s.Helper()
	if a := s.send(r); a.status/100 != 2 || a.body != "" {
		s.Errorf("%s %s: want success and no body, got %s", r.method, r.path, a)
	}
}

// unknown checks that operations on an ID that no tool of a kind has are answered
// {message}, and on a local service those on what is no ID, which another might take
// for the ID of somebody's tool.
func (s *session) unknown(kind string, body object, methods ...string) {
	s.Helper()
	for _, method := range methods {
		var sent any
		if method == http.MethodPut {
			sent = body
		}
		s.refused(s.tool(method, kind, unknownID, sent), http.StatusNotFound)
		if !s.target.Local {
			continue
		}
		for _, id := range []string{"0", "-1", "99999999999999999999", "1.5", "abc", "%20", "%2F", "..%2F1", "ø", "1,2", "1;2", "a%3Fb%23c%5B%5D%40%21%24%26%27%28%29%2A%2B"} {
			r := s.tool(method, kind, 0, sent)
			r.path += "/" + id
			s.refused(r, 0)
		}
	}
}

// spoil checks that each of some values of a key makes a body that is rejected, on
// create and, with an ID, on update, where nothing is changed.
func (s *session) spoil(kind string, id int64, body object, wrong map[string][]any) {
	s.Helper()
	for key, values := range wrong {
		for _, value := range values {
			bad := maps.Clone(body)
			bad[key] = value
			if id == 0 {
				s.rejected(s.tool(http.MethodPost, kind, 0, bad))
			} else {
				s.rejected(s.tool(http.MethodPut, kind, id, bad))
				s.holds(kind, s.read(kind, id), body)
			}
		}
	}
}

func terms(names ...string) []object {
	all := []object{}
	for _, name := range names {
		all = append(all, object{"name": name})
	}
	return all
}
