package conformance

import (
	"maps"
	"net/http"
	"strings"
)

// ranking is the only ranking that rules change, because the API can't delete rankings.
type ranking struct {
	id     int64
	before object // content that restore writes back
}

// use returns the ID of the ranking. The first call reads its content, or makes a ranking if r.id is 0.
func (r *ranking) use(s *session) int64 {
	s.Helper()
	if r.before == nil {
		r.before = s.rankingOf("conformance: retired", nil)
		if r.id != 0 {
			r.before = s.restorable("rankings", r.id)
		} else {
			r.id = s.created("rankings", r.before)
		}
	}
	return r.id
}

func (r *ranking) restore(s *session) {
	if r.before != nil {
		s.ok(s.tool(http.MethodPut, "rankings", r.id, r.before))
	}
}

// rankingOf returns a ranking with a page for each URL, of which every second is hidden. words are its terms.
func (s *session) rankingOf(name string, urls []string, words ...string) object {
	pages := []object{}
	for i, url := range urls {
		page := object{"name": "Page", "pageid": "", "pageurl": url, "searchable": true, "websiteid": s.target.EngineID}
		pages = append(pages, object{"rank": i + 1, "showpage": i%2 == 0, "websiteid": s.target.EngineID, "page": page})
	}
	return object{"name": name, "WebsiteId": s.target.EngineID, "pages": pages, "rankingterms": terms(words...)}
}

func rankingRules() []rule {
	return []rule{
		{"4.2 POST answers the ranking with its id, GET the same", false, func(s *session) {
			id := s.shared.use(s)
			if got := s.idOf(s.read("rankings", id)); got != id {
				s.Errorf("want the id %d, got %d", id, got)
			}
		}},
		{"4.2 PUT replaces pages and terms whole", false, rankingReplaces},
		{"2.4 the id of the path counts on update", false, func(s *session) {
			id := s.shared.use(s)
			body := s.rankingOf("conformance: id", nil)
			maps.Copy(body, responseOnly())
			s.ignored(s.tool(http.MethodPut, "rankings", id, body), body)
			if got := s.idOf(s.read("rankings", id)); got != id {
				s.Errorf("want the id %d, got %d", id, got)
			}
		}},
		{"2.4 audiences are opaque, and null where there are none", true, func(s *session) {
			for _, audiences := range []any{[]any{object{"any": []any{nil, "ø", 1.5}}}, nil, []any{}} {
				body := s.rankingOf("conformance: audiences", nil)
				body["audiences"] = audiences
				id := s.shared.use(s)
				s.holds("PUT", s.object(s.ok(s.tool(http.MethodPut, "rankings", id, body))), body)
				s.holds("GET", s.read("rankings", id), body)
			}
		}},
		{"7 a missing page url is named by its field path", false, rankingWithoutURL},
		{"7 an unknown ranking is answered {message}", false, func(s *session) {
			s.unknown("rankings", s.rankingOf("conformance: unknown", nil), http.MethodGet, http.MethodPut)
		}},
		{"2.4 values of another type are refused and change nothing", true, func(s *session) {
			wrong := map[string][]any{
				"name": {1, object{}}, "WebsiteId": {"1", 1.5, object{}}, "pages": {object{}, "x", []any{1}, []any{object{"rank": "1"}}},
				"rankingterms": {"x", []any{"x"}, []any{object{"name": 1}}}, "audiences": {"x", 1},
			}
			body := s.rankingOf("conformance: types", []string{s.root + "a"}, "term")
			id := s.shared.use(s)
			s.ok(s.tool(http.MethodPut, "rankings", id, body))
			s.spoil("rankings", 0, body, wrong)
			s.spoil("rankings", id, body, wrong)
		}},
	}
}

func rankingReplaces(s *session) {
	id := s.shared.use(s)
	for _, body := range []object{
		s.rankingOf("conformance: two", []string{s.root + "a", s.root + "b"}, "one term", "ø?&"),
		s.rankingOf("conformance: one", []string{s.root + "c"}, "third"),
		s.rankingOf("conformance: none", nil),
	} {
		s.holds("PUT", s.object(s.ok(s.tool(http.MethodPut, "rankings", id, body))), body)
		s.holds("GET", s.read("rankings", id), body)
	}
}

func rankingWithoutURL(s *session) {
	id := s.shared.use(s)
	body := s.rankingOf("conformance: before", []string{s.root + "a"}, "term")
	s.ok(s.tool(http.MethodPut, "rankings", id, body))
	bad := s.rankingOf("conformance: after", []string{s.root + "b", s.root + "c"}, "term")
	delete(bad["pages"].([]object)[1]["page"].(object), "pageurl")
	for _, r := range []request{s.tool(http.MethodPut, "rankings", id, bad), s.tool(http.MethodPost, "rankings", 0, bad)} {
		named := false
		for path := range s.rejected(r) {
			named = named || strings.Contains(strings.ToLower(path), "url") && strings.Contains(path, "1")
		}
		if !named {
			s.Errorf("%s: no field path names the url of the second page", r.method)
		}
	}
	s.holds("GET", s.read("rankings", id), body)
}
