package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
)

func extendedRules() []rule {
	return []rule{
		{"4.2 not shown: lists hold what was created, by engine", false, func(s *session) {
			quicklink, banner := s.create("quicklinks", s.quicklinkOf("x")), s.create("banners", s.banner("conformance"))
			ranking := s.shared.use(s)
			s.ok(s.tool(http.MethodPut, "rankings", ranking, s.rankingOf("conformance: list", nil)))
			s.lists(ranking, "/api/rankings", "/api/rankings/site/%d")
			s.lists(quicklink, "/api/engine/%d/quicklinks")
			s.lists(banner, "/api/banners/site/%d")
		}},
		{"4.2 not shown: DELETE of a ranking", false, func(s *session) {
			id := s.create("rankings", s.rankingOf("conformance: delete", nil))
			s.silent(s.tool(http.MethodDelete, "rankings", id, nil))
			s.refused(s.tool(http.MethodGet, "rankings", id, nil), http.StatusNotFound)
		}},
		{"2.4 the id is the server's on create", false, func(s *session) {
			body := s.rankingOf("conformance: id", nil)
			maps.Copy(body, responseOnly())
			id := s.idOf(s.ignored(s.tool(http.MethodPost, "rankings", 0, body), body))
			s.silent(s.tool(http.MethodDelete, "rankings", id, nil))
		}},
		{"4.2 not shown: PUT replaces a banner", false, func(s *session) {
			id := s.create("banners", s.banner("conformance", "one", "two"))
			body := s.banner("conformance: other", "three")
			s.holds("PUT", s.object(s.ok(s.tool(http.MethodPut, "banners", id, body))), body)
			s.holds("GET", s.read("banners", id), body)
			s.unknown("banners", body, http.MethodPut)
		}},
		{"4.2 not shown: PUT and GET of synonyms", false, func(s *session) {
			id := s.synonyms("nb", "one", "two")
			body := object{"groupId": id, "words": []string{"three"}, "language": "nb"}
			s.holds("PUT", s.object(s.ok(s.tool(http.MethodPut, "synonymsgroup", 0, body))), body)
			s.holds("GET", s.object(s.ok(s.tool(http.MethodGet, "synonymsgroup", id, nil))), body)
			list := s.tool(http.MethodGet, "synonymsgroup", 0, nil)
			list.path += "/nb"
			if a := s.ok(list); !strings.Contains(a.body, fmt.Sprintf(`"groupId":%d`, id)) {
				s.Errorf("want the group in the list of its language, got %s", a)
			}
			body["groupId"] = unknownID
			s.refused(s.tool(http.MethodPut, "synonymsgroup", 0, body), http.StatusNotFound)
		}},
	}
}

// lists checks that the tool lists at paths hold the tool with an ID, and that lists of another engine (site
// search) do not.
func (s *session) lists(id int64, paths ...string) {
	s.Helper()
	for _, path := range paths {
		for engine, want := range map[int64]bool{s.target.EngineID: true, s.target.EngineID + 1: false} {
			of := path
			if strings.Contains(path, "%d") {
				of = fmt.Sprintf(path, engine)
			} else if !want {
				continue
			}
			var all []object
			s.decode(s.ok(request{method: http.MethodGet, path: of}), &all)
			has := false
			for _, one := range all {
				has = has || s.idOf(one) == id
			}
			if has != want {
				s.Errorf("%s has %d: %v", of, id, has)
			}
		}
	}
}
