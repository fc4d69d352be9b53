package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
)

type object = map[string]any

func (s *session) object(a answer) object {
	s.Helper()
	var o object
	if err := json.Unmarshal([]byte(a.body), &o); err != nil || o == nil {
		s.Fatalf("want an object, got %s: %v", a, err)
	}
	return o
}

// tool returns a request for one search tool, or for all tools of its kind if id is 0.
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

// create creates a search tool and returns its ID. It checks that the response holds the tool as sent. The
// tool is deleted when the subtest ends.
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

// informs checks the keys of specification sections 2.4 to 2.6 that occur only in responses. A hosted service
// may omit them.
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

// responseOnly returns keys that occur only in responses, with values that no service would choose.
func responseOnly() object {
	return object{"id": unknownID, "brokenLinksFoundAt": "2001-01-01T00:00:00Z"}
}

// ignored sends a body with keys that occur only in responses. The request must succeed, and the response
// must not repeat the sent values of these keys.
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

// restorable returns the present content of a tool, in the form of a request that restores it.
func (s *session) restorable(kind string, id int64) object {
	s.Helper()
	tool := s.read(kind, id)
	for key := range responseOnly() {
		delete(tool, key)
	}
	return tool
}

// holds checks that a response holds the values that were sent. Its objects may have more keys, but its lists
// must be equal.
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

// rejected sends a create or update that must fail with a body {message} or, by section 7, with messages by
// field path. It returns the messages by field path, or nil.
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

func (s *session) silent(r request) {
	s.Helper()
	if a := s.send(r); a.status/100 != 2 || a.body != "" {
		s.Errorf("%s %s: want success and no body, got %s", r.method, r.path, a)
	}
}

// unknown checks that operations on an unused ID fail with a body {message}. On a local service it also sends
// invalid IDs. A hosted service might read an invalid ID as the ID of somebody's tool.
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

// spoil sends body with each invalid value of each key in wrong, and checks that the request is rejected. If
// id is 0, it creates a tool. Otherwise it updates the tool with the ID, which must stay unchanged.
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
