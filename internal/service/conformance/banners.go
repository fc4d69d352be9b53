package conformance

import (
	"maps"
	"net/http"
	"time"
)

func bannerRules() []rule {
	return []rule{
		{"4.2 POST answers the banner with its id, GET the same", false, func(s *session) {
			body := s.banner("conformance ø", "term", "two words")
			body["from"], body["to"] = "2024-02-29T12:00:00Z", "2100-01-01T00:00:00Z"
			first, second := s.create("banners", body), s.create("banners", body)
			s.holds("GET", s.read("banners", first), body)
			if first == second {
				s.Errorf("two banners have the id %d", first)
			}
		}},
		{"4.2 DELETE takes a banner away and answers no body", false, func(s *session) {
			id := s.create("banners", s.banner("conformance"))
			s.silent(s.tool(http.MethodDelete, "banners", id, nil))
			s.refused(s.tool(http.MethodGet, "banners", id, nil), http.StatusNotFound)
			s.refused(s.tool(http.MethodDelete, "banners", id, nil), http.StatusNotFound)
		}},
		{"2.6 bannerterms may be omitted", false, func(s *session) {
			body := s.banner("conformance")
			delete(body, "bannerterms")
			s.create("banners", body)
		}},
		{"2.6 what is response only is not taken from a body", true, bannerResponseOnly},
		{"2.6 audiences are opaque, and null where there are none", true, func(s *session) {
			for _, audiences := range []any{[]any{object{"any": []any{nil, "ø"}}}, nil} {
				body := s.banner("conformance")
				body["audiences"] = audiences
				s.holds("GET", s.read("banners", s.create("banners", body)), body)
			}
		}},
		{"2.6 from and to are instants", true, func(s *session) {
			body := s.banner("conformance")
			body["from"] = "2024-03-01T01:30:00+02:00"
			got := s.object(s.ok(s.tool(http.MethodPost, "banners", 0, body)))
			s.Cleanup(func() { s.silent(s.tool(http.MethodDelete, "banners", s.idOf(got), nil)) })
			from, _ := got["from"].(string)
			if at, err := time.Parse(time.RFC3339, from); err != nil || !at.Equal(time.Date(2024, 2, 29, 23, 30, 0, 0, time.UTC)) {
				s.Errorf("from is answered %q", from)
			}
		}},
		{"7 an unknown banner is answered {message}", false, func(s *session) {
			s.unknown("banners", nil, http.MethodGet, http.MethodDelete)
		}},
		{"2.6 values of another type are refused", true, func(s *session) {
			s.spoil("banners", 0, s.banner("conformance"), map[string][]any{
				"name": {1, object{}}, "htmlcode": {1, []any{}}, "websiteid": {"1", nil, object{}}, "bannerterms": {"x", []any{"x"}, []any{object{"name": 1}}},
				"isDisabled": {"true", 1}, "from": {1, "yesterday", "2024/01/01"}, "to": {"2024-13-01T00:00:00Z"}, "audiences": {"x"},
			})
		}},
	}
}

// banner returns a disabled banner, which a service stores but never shows (specification section 3).
func (s *session) banner(name string, words ...string) object {
	return object{
		"name": name, "htmlcode": `<a href="` + s.root + `">&amp; "ø"</a>`, "websiteid": s.target.EngineID,
		"bannerterms": terms(words...), "isDisabled": true,
	}
}

func bannerResponseOnly(s *session) {
	body := s.banner("conformance")
	maps.Copy(body, responseOnly())
	maps.Copy(body, object{"engineIds": []any{987654}, "frequency": "ours", "daysOfWeek": "ours", "cssCode": "ours", "jsonOption": "ours", "editorType": "ours"})
	id := s.idOf(s.ignored(s.tool(http.MethodPost, "banners", 0, body), body))
	s.silent(s.tool(http.MethodDelete, "banners", id, nil))
}
