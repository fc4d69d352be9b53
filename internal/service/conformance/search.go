package conformance

import (
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// searchRules returns the rules for search. The vendor, not the specification, publishes its JSON keys.
func searchRules() []rule {
	return []rule{
		{"published: the example request and the shape of its answer", false, publishedSearch},
		{"published: filters, ranges and postFilters", true, publishedFilters},
		{"a key of a search that is not known is refused", true, func(s *session) { s.refusesSearch(`{"query":"x","filter":{}}`) }},
		{"a value of a search of another type is refused", true, func(s *session) {
			s.refusesSearch(`{"query":"x","highlight":"true"}`, `{"query":"x","page":"1"}`, `{"query":"x","filters":[]}`, `{"query":"x","facets":["Category"]}`)
		}},
		{"a range of a search that ends before it begins is refused", true, func(s *session) {
			s.refusesSearch(`{"query":"x","filters":{"range":["Price_number",50,20]}}`, `{"query":"x","highlight":1}`)
		}},
		{"9 search finds what was put, by v4 and v3", true, func(s *session) {
			word := s.find1()
			for _, version := range []string{"v4", "v3"} {
				if got := s.found(version, word); len(got) != 1 || got[0] != s.root+"page" {
					s.Errorf("%s: want the page alone, got %v", version, got)
				}
			}
			s.deletes(s.root+"page", 1)
			if got := s.found("v4", word); len(got) != 0 {
				s.Errorf("a deleted page is still found: %v", got)
			}
		}},
		{"9 autocomplete answers by v4 and v3", true, func(s *session) {
			word := s.find1()
			for _, version := range []string{"v4", "v3"} {
				r := s.engineCall(version, "autocomplete?results=5&query="+url.QueryEscape(word), "")
				r.method = http.MethodGet
				if a := s.ok(r); !strings.Contains(a.body, s.root+"page") {
					s.Errorf("%s: want the page, got %s", version, a)
				}
			}
		}},
		{"4.5 a query is needed", true, func(s *session) {
			s.refusesSearch(``, `{}`, `[]`, `null`)
			for _, path := range []string{"search/answer", "search/summarize"} {
				for _, body := range []string{``, `{}`, `{"query":""}`, `{"query":1}`, `[]`, `null`} {
					s.refused(s.engineCall("v4", path, body), http.StatusBadRequest)
				}
			}
		}},
		{"4.5 a query of a search that is empty or no string is refused", true, func(s *session) { s.refusesSearch(`{"query":""}`, `{"query":1}`) }},
		{"5 search takes a SiteKey and Basic", true, func(s *session) {
			for _, path := range []string{"search", "search/answer", "search/summarize"} {
				e := endpoint{s.engineCall("v4", path, `{"query":"conformance"}`), "SiteKey or Basic"}
				for _, scheme := range []string{"SiteKey", "Basic"} {
					e.auth = s.schemes()[scheme]
					s.ok(e.request)
				}
				s.refuses(e, "-", http.StatusUnauthorized)
				s.refuses(e, s.siteKey(s.target.CustomerID, s.target.EngineID+1), http.StatusForbidden)
			}
		}},
	}
}

func servedRules() []rule {
	return []rule{
		{"3 a disabled banner is stored and never served", true, func(s *session) {
			for disabled, want := range map[bool]int{true: 0, false: 1} {
				word := rand.Text()
				body := s.banner("conformance", word)
				body["isDisabled"] = disabled
				s.create("banners", body)
				if got := s.banners(word); got != want {
					s.Errorf("isDisabled %v: want %d banners, got %d", disabled, want, got)
				}
			}
		}},
		{"2.6 a banner is served in its window and for its terms", true, func(s *session) {
			for window, want := range map[[2]string]int{{"2001-01-01T00:00:00Z", "2100-01-01T00:00:00Z"}: 1, {"2100-01-01T00:00:00Z", ""}: 0, {"", "2001-01-01T00:00:00Z"}: 0} {
				word := rand.Text()
				body := s.banner("conformance", word)
				body["isDisabled"] = false
				for i, key := range []string{"from", "to"} {
					if window[i] != "" {
						body[key] = window[i]
					}
				}
				s.create("banners", body)
				if got := s.banners(word); got != want || s.banners("another") != 0 {
					s.Errorf("window %v: want %d banners, got %d", window, want, got)
				}
			}
		}},
		{"2.4 a ranking shows and hides its pages for its terms", true, func(s *session) {
			word := s.find1()
			for name, test := range map[string]struct {
				term  string
				pages []string // every second page is hidden
				want  int
			}{
				"shows": {strings.ToLower(rand.Text()), []string{s.root + "page"}, 1},
				"hides": {word, []string{s.root + "none", s.root + "page"}, 0},
			} {
				body := s.rankingOf("conformance: "+name, test.pages, test.term)
				s.ok(s.tool(http.MethodPut, "rankings", s.shared.use(s), body))
				if got := s.found("v4", test.term); len(got) != test.want {
					s.Errorf("%s: want %d pages, got %v", name, test.want, got)
				}
			}
		}},
		{"2.7 synonyms find each other's documents", true, func(s *session) {
			word, other := s.find1(), strings.ToLower(rand.Text())
			s.synonyms("en", word, other)
			if got := s.found("v4", other); len(got) != 1 {
				s.Errorf("want the page by its synonym, got %v", got)
			}
		}},
	}
}

// find1 stores a page and returns a word that no other page contains.
func (s *session) find1() string {
	s.Helper()
	d, word := page(s.id("page")), strings.ToLower(rand.Text())
	maps.Copy(d.Fields, map[string]any{"Title": "About " + word, "Language": "en", "Category": "Conformance", "Price_number": "20", "Date": "2017-06-03T22:13:00Z"})
	s.rows(s.upsert(d), []string{d.ID}, nil)
	return word
}

func publishedSearch(s *session) {
	s.find1()
	result := s.searched("v4", `{"query":"*","page":1,"perPage":10,"filters":{},"notFilters":{},"sort":{},"fields":["Title"],"highlight":true,"enableFacetFiltering":true,`+
		`"rangeFacets":{},"valueBoost":{},"operator":"OR","enableRelatedSearches":false,"enableHybridSearch":true}`)
	for i, d := range result.TypedDocuments {
		if !slices.Equal(d.FieldNames, []string{"Title"}) {
			s.Errorf("result %d names the fields %q", i+1, d.FieldNames)
		}
		if d.ResultIndex != i+1 || d.Fields["Title"].Field != "Title" {
			s.Errorf("result %d has the index %d and the title %v", i+1, d.ResultIndex, d.Fields["Title"])
		}
	}
	for name, facet := range result.Facets {
		if facet.FieldName != name || facet.Items == nil {
			s.Errorf("the facet %s is %v", name, facet)
		}
	}
	if _, counted := result.Facets["Category"]; s.target.Local && !counted {
		s.Errorf("Category is not counted: %v", result.Facets)
	}
}

func publishedFilters(s *session) {
	word := s.find1()
	for request, want := range map[string]int{
		`"filters":{"range":["Price_number",20,""],"date":["Date","2017-06-03","2017-06-03"]}`: 1, `"filters":{"range":["Price_number",21,50]}`: 0,
		`"facets":{"Category":["None"]}`: 0, `"facets":{"Category":["Conformance","None"]}`: 1, `"facets":{"Price_number":[]}`: 1,
		`"notFilters":{"date":["Date","","2017"]}`: 0, `"postFilters":{"Category":["None"]}`: 0, `"postFilters":{"Category":["Conformance"]}`: 1,
	} {
		result := s.searched("v4", `{"operator":"AND","query":"`+word+`",`+request+`}`)
		if got := len(result.TypedDocuments); got != want || strings.Contains(request, "post") && result.Facets["Category"].AllCount != 1 {
			s.Errorf("%s: want %d pages, got %d with the facets %v", request, want, got, result.Facets)
		}
	}
}

func (s *session) refusesSearch(bodies ...string) {
	s.Helper()
	for _, body := range bodies {
		s.refused(s.engineCall("v4", "search", body), http.StatusBadRequest)
	}
}

// searched holds the keys of a search response that the vendor publishes.
type searched struct {
	TypedDocuments []struct {
		ResultIndex int
		FieldNames  []string
		Fields      map[string]struct {
			Field string
			Value any
		}
	}
	Facets map[string]struct {
		FieldName string
		AllCount  int
		Items     []struct {
			Key   string
			Count int
		}
	}
}

func (s *session) searched(version, body string) (result searched) {
	s.Helper()
	s.decodeOpen(s.ok(s.engineCall(version, "search", body)), &result)
	return result
}

func (s *session) found(version, query string) []string {
	s.Helper()
	urls := []string{}
	for _, d := range s.searched(version, s.encode(object{"query": query})).TypedDocuments {
		urls = append(urls, fmt.Sprint(d.Fields["Url"].Value))
	}
	return urls
}

func (s *session) banners(query string) int {
	s.Helper()
	var result struct{ Banners []any }
	s.decodeOpen(s.ok(s.engineCall("v4", "search", s.encode(object{"query": query}))), &result)
	return len(result.Banners)
}
