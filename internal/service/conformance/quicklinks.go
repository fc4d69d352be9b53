package conformance

import (
	"maps"
	"net/http"
)

func quicklinkRules() []rule {
	return []rule{
		{"4.2 PUT replaces a quicklink, GET shows it", false, quicklinkReplaces},
		{"2.5 the id of the path counts on update", false, func(s *session) {
			id := s.quicklink()
			body := s.quicklinkOf("ours")
			maps.Copy(body, responseOnly())
			s.ignored(s.tool(http.MethodPut, "quicklinks", id, body), body)
			if got := s.idOf(s.read("quicklinks", id)); got != id {
				s.Errorf("want the id %d, got %d", id, got)
			}
		}},
		{"4.2 DELETE takes a quicklink away and answers no body", false, func(s *session) {
			if !s.target.Extended {
				s.Skip("a quicklink that is deleted can't be made again")
			}
			id := s.create("quicklinks", s.quicklinkOf("conformance"))
			s.silent(s.tool(http.MethodDelete, "quicklinks", id, nil))
			s.refused(s.tool(http.MethodGet, "quicklinks", id, nil), http.StatusNotFound)
			s.refused(s.tool(http.MethodDelete, "quicklinks", id, nil), http.StatusNotFound)
		}},
		{"7 an unknown quicklink is answered {message}", false, func(s *session) {
			s.unknown("quicklinks", s.quicklinkOf("x"), http.MethodGet, http.MethodPut, http.MethodDelete)
		}},
		{"2.5 values of another type are refused and change nothing", true, func(s *session) {
			id, body := s.quicklink(), s.quicklinkOf("x")
			s.ok(s.tool(http.MethodPut, "quicklinks", id, body))
			s.spoil("quicklinks", id, body, map[string][]any{"url": {1, nil, []any{}}, "websiteid": {"1", object{}}, "terms": {"x", []any{"x"}, []any{object{"name": 1}}}})
		}},
	}
}

func (s *session) quicklinkOf(words ...string) object {
	return object{"url": s.root + "target?a=1&b=ø", "websiteid": s.target.EngineID, "terms": terms(words...)}
}

// quicklink returns the ID of a quicklink to change. After the subtest, the quicklink is restored or deleted.
func (s *session) quicklink() int64 {
	s.Helper()
	if s.target.Quicklink == 0 {
		return s.create("quicklinks", s.quicklinkOf("conformance"))
	}
	id := s.target.Quicklink
	before := s.restorable("quicklinks", id)
	s.Cleanup(func() { s.ok(s.tool(http.MethodPut, "quicklinks", id, before)) })
	return id
}

func quicklinkReplaces(s *session) {
	id := s.quicklink()
	for _, body := range []object{s.quicklinkOf("one", "two words", "ø?&"), s.quicklinkOf("three"), s.quicklinkOf()} {
		got := s.object(s.ok(s.tool(http.MethodPut, "quicklinks", id, body)))
		s.holds("PUT", got, body)
		s.holds("GET", s.read("quicklinks", id), body)
		if s.idOf(got) != id {
			s.Errorf("want the id %d, got %v", id, got["id"])
		}
	}
}
