package service

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/wire"
)

// clientCall is a request as clients in public send it, with the status of its answer and what
// stands in that.
type clientCall struct {
	method, path, body string
	status             int
	parts              []string
}

func (l *local) answersTo(authorization string, calls []clientCall) {
	l.t.Helper()
	for _, call := range calls {
		got := l.as(authorization, call.method, call.path, call.body)
		for _, part := range call.parts {
			if !strings.Contains(got.body, part) {
				l.t.Errorf("%s %s %s: want %s in %.2000s", call.method, call.path, call.body, part, got.body)
			}
		}
		if got.err != nil || got.status != call.status {
			l.t.Errorf("%s %s %s: want %d, got %d %.2000s, %v", call.method, call.path, call.body, call.status, got.status, got.body, got.err)
		}
	}
}

// TestSearchesOfClients: what scripts, plug-ins and scrapers send is taken, and what has no effect
// is named; a strict service refuses it.
func TestSearchesOfClients(t *testing.T) {
	all := `"TotalDocument":5,`
	calls := []clientCall{}
	search := func(body string, parts ...string) {
		calls = append(calls, clientCall{"POST", "/api/v3/10000001/7/search", body, 200, parts})
	}
	search(`{"ResponseType":"JsonObject","Template":"x","facets":{"Category":[]},"filters":{"Language":[]},"page":1,"query":"chair","text":"chair","traits":[],"sort":{},"rangeFacets":{},"perPage":10,"enableRelatedSearches":false,"applyMultiLevelFacets":true}`,
		`"TotalDocument":2,`, `"Ignored":["Template","applyMultiLevelFacets","text"]`)
	search(`{"ResponseType":"json","query":"red","facets":{"Category":["Chairs"]},"enableFacetFiltering":"true","operator":"and","page":0,"perPage":100}`, `"TotalDocument":1,`, `"AllCount":1,`)
	search(`{"query":"*","facets":{"Category":["Chairs"],"Colour":"red"}}`, `"TotalDocument":1,`)
	search(`{"query":"*","page":1,"pageSize":10,"facets":["Category","Colour"],"filters":[]}`, all, `"Colour":{"FieldName"`, `"Ignored":["pageSize"]`)
	search(`{"query":"","page":"1","perPage":"30","highlight":"False"}`, all)
	search(`{"query":" ","perPage":1000,"take":10,"skip":0,"searchType":"x","enablesa":false,"topHitsFields":[]}`, all, `"Ignored":["take","skip","searchType"]`)
	search(`{"text":"lamp"}`, `"TotalDocument":2,`)
	search(`{"query":2016}`, `"TotalDocument":1,`)
	search(`{"query":"*","sort":[],"fields":"Title","notFilters":{"Category":"Chairs"}}`, `"TotalDocument":3,`, `"FieldNames":["Title"]`)
	search(`{"query":"*","filters":{"Price_number":[100,20]}}`, `"TotalDocument":2,`)
	search(`{"query":"*","sort":{"Price_number":"desc"},"operator":"or","searchContext":"x","template":{"a":1},"valueBoost":"x","overlay":null}`, `"Id":"c"`, `"Ignored":["searchContext","template","valueBoost"]`)
	search(`{"query":"chair","ResponseType":"JsonHtml"}`, `"SearchResult":"<ul`, `href=\"https://x.example/a\"`, `data-cludo-index=\"1\"`, `<b>chair</b>`, `"Facets":"\n<ul`, `"TotalDocuments":2`, `"DidYouMean":""`, `"Banners":[]`)
	search(`{"query":"chiar","responseType":"jsonhtml"}`, `"DidYouMean":"<a href=\"#\">chair</a>"`, `"FixedQuery":"chair"`)
	taken := len(calls) // from here on, by a strict service as well
	search(`{"query":"red","facets":{"Category":["Chairs","Tables"]}}`, `"TotalDocument":2,`, `"AllCount":3,`)
	search(`{"query":"*","facets":{"Category":["Chairs"]},"postFilters":{"Category":["Chairs","Lamps"]}}`, `"TotalDocument":2,`)
	search(`{"query":"*","facets":{"Category":["Chairs"]},"postFilters":{"Category":["Lamps"]}}`, `"TotalDocument":0,`)
	search(`{"query":"*","facets":{"Colour":["red"]},"postFilters":{"Category":["Chairs"],"range":["Price_number",100,100]},"postFiltersOperator":"or"}`, `"TotalDocument":2,`)
	calls = append(calls, clientCall{"POST", "/api/v3/10000001/7/autocomplete", `{"query":"cha"}`, 200, []string{`{"id":"a","fields"`}})
	strictly := slices.Clone(calls[taken:])
	for _, path := range []string{"/api/v3/10000001/7/Search", "/API/V3/10000001/7/search/", "/api/v4/10000001/7/SEARCH/"} {
		calls = append(calls, clientCall{"POST", path, `{"query":"chair"}`, 200, []string{`"TotalDocument":2,`}})
	}
	const complete = "/api/v3/10000001/7/Autocomplete"
	typed := []string{`"TotalResults":2,`, `"Suggestions":[{"Id":"","Type":0,"ResultIndex":1,"Fields":{"Title":{"Field":"Title","Value":"chair"`, `"FieldNames":["Id","Title","Url","_type"]`, `"Facets":{}`, `"QueryId":"`}
	calls = append(calls,
		clientCall{"GET", complete + "?text=cha", "", 200, []string{`["chair","chairs"]`}},
		clientCall{"POST", complete, `{"text":"cha"}`, 200, []string{`["chair","chairs"]`}},
		clientCall{"POST", complete, `{"text":"cha","results":"1","filters":null}`, 200, []string{`["chair"]`}},
		clientCall{"GET", complete + "?text=cha&responsetype=JsonObject", "", 200, typed},
		clientCall{"POST", complete + "/", `{"text":"cha","ResponseType":"json"}`, 200, typed},
		clientCall{"GET", complete + "?Query=cha&filters=%7B%22Colour%22%3A%22blue%22%7D", "", 200, []string{`"results":[{"id":"b"`, `"suggestions":["chair"`}})
	l := open(t, Options{})
	l.put(testCrawler, shelf()...)
	l.answersTo(rightSiteKey, calls)
	for _, body := range []string{``, `{}`, `[]`, `{"query":["a"]}`, `{"query":"x","page":"one"}`, `{"query":"x","perPage":1001}`, `{"query":"x","filters":"a"}`, `{"query":"x","filters":{"a":[[]]}}`, `{"query":"x","facets":[[1]]}`, `{"query":"x","operator":"xor"}`} {
		l.answersTo(rightSiteKey, []clientCall{{"POST", searchPath, body, 400, []string{`{"message":"`}}, {"GET", "/api/v3/10000001/7/search/", "", 405, nil}, {"POST", "/api/v3/10000001/8/SEARCH", body, 403, nil}})
	}
	strict := open(t, Options{Strict: true})
	strict.put(testCrawler, shelf()...)
	strict.answersTo(rightSiteKey, strictly)
	for i, call := range calls {
		if got := strict.as(rightSiteKey, call.method, call.path, call.body); got.status == 200 && (i < taken || i >= taken+len(strictly)) {
			t.Errorf("a strict service takes %s %s %s", call.method, call.path, call.body)
		}
	}
}

// TestOtherCallsOfClients: the calls of the older interface, statistics, and events as clients type
// them.
func TestOtherCallsOfClients(t *testing.T) {
	now := time.Date(2026, 8, 15, 12, 0, 0, 0, time.UTC)
	l := open(t, Options{Extended: true, Now: func() time.Time { return now }})
	const content, v3 = "/api/v3/10000001/content/crawler-1/", "/api/v3/10000001/7/"
	l.answersTo(rightBasic, []clientCall{
		{"POST", content + "push", `[{"Id":"a","Title":"one chair","Type":"FileContent","Seats":4},{"Url":"https://x.example/b","Title":"two","new":null}]`, 200, []string{`"id":"a","type":1`, `"Seats":"4"`, `"id":"https://x.example/b","type":0`}},
		{"POST", content + "push", `{"Id":"a"}`, 400, nil},
		{"POST", content + "delete", `[{"https://x.example/b":"PageContent"},{"none":"PageContent"},{"":"PageContent"}]`, 200, []string{`{"success":true}`}},
		{"POST", content + "delete", `["a"]`, 400, nil},
		{"POST", content + "PushUrls", `["https://x.example/c"]`, 200, []string{`[{"status":"Ok","url":"https://x.example/c"}]`}},
		{"POST", searchPath, `{"query":"*"}`, 200, []string{`"TotalDocument":1,`, `"fc_Title":{"Field":"fc_Title","Value":"one chair"`, `"_type":{"Field":"_type","Value":"FileContent"`}},
		{"POST", "/api/quicklinks", `{"url":"https://x.example/q","websiteid":7,"terms":[{"name":"quick"}]}`, 200, nil},
		{"POST", "/api/quicklinks", `{"url":"https://x.example/other","websiteid":8,"terms":[]}`, 200, nil},
	})
	l.answersTo("", []clientCall{
		{"GET", v3 + "websites/publicsettings", "", 200, []string{`"quicklinks":[{"id":1,"url":"https://x.example/q","websiteid":7,"terms":[{"name":"quick"}]}]`, `"instantSuggestionsConfiguration":"{}"`}},
		{"GET", v3 + "statistics/totalSearches", "", 401, nil},
	})
	id := l.search("chair").QueryID
	event := func(values string) string {
		return `{"qid":"` + id + `","sz":"v","ts":true,"a":0,"enid":7,"sf":{"Category":["x"]},` + values + `}`
	}
	l.answersTo(rightSiteKey, []clientCall{
		{"POST", v3 + "search/pushstat/querylog", event(`"sw":"Chair ","rc":1,"pn":1,"sid":"s","bnrs":[1,2],"cloi":null`), 200, []string{`{"id":"`}},
		{"POST", v3 + "search/pushstat/QueryLog/", event(`"sw":"chair","rc":"1","sid":"s"`), 200, nil},
		{"POST", v3 + "search/pushstat/querylog", event(`"sw":"chair","rc":1,"pn":2,"sid":"s"`), 200, nil},
		{"POST", v3 + "search/pushstat/querylog?sw=nothing+here&dt=mobile&rc=0&qid=" + id, "", 200, nil},
		{"POST", v3 + "search/pushstat/querylog?qid=" + id, "", 400, nil},
		{"POST", v3 + "search/pushstat/querylog?dt=phone", event(`"sw":"x"`), 400, nil},
		{"POST", v3 + "search/pushstat/clicklog", event(`"sw":"chair","ls":"searchresult","cli":3,"clurl":"https://x.example/a","title":"A"`), 200, nil},
		{"POST", v3 + "search/pushstat/clicklog", event(`"sw":"chair","ls":"searchresult","cli":4,"clurl":"https://x.example/a"`), 200, nil},
		{"POST", v3 + "search/pushstat/clicklog", event(`"sw":"chair","ls":"banner","cli":9,"clurl":"https://x.example/banner"`), 200, nil},
		{"POST", "/api/v4/10000001/7/feedback", `{"rating":"negative"}`, 200, nil},
	})
	if got := l.events(wire.EventQuery)[0].Event; got["sf"] != `{"Category":["x"]}` || got["ts"] != "true" || got["bnrs"] != "[1,2]" || got["sz"] != "v" || got["a"] != "0" {
		t.Errorf("recorded %q", got)
	}
	now = now.Add(time.Hour)
	const period = "?from=2026-08-14T22:00:00.000Z&to=2026-08-16T12:44:38.799Z"
	l.answersTo(rightBasic, []clientCall{
		{"GET", v3 + "statistics/searchHistogram" + period, "", 200, []string{`"totalSearches":[{"Key":"2026-08-14","Value":0},{"Key":"2026-08-15","Value":3}]`, `"uniqueSearches":[{"Key":"2026-08-14","Value":0},{"Key":"2026-08-15","Value":2}]`}},
		{"GET", v3 + "statistics/searchHistogram" + period + "&type=successful", "", 200, []string{`"totalSearches":[{"Key":"2026-08-14","Value":0},{"Key":"2026-08-15","Value":2}]`}},
		{"GET", v3 + "statistics/searchHistogram" + period + "&type=unsuccessfull", "", 200, []string{`{"Key":"2026-08-15","Value":1}]`}},
		{"GET", v3 + "statistics/totalSearches", "", 200, []string{`{"withinCurrentPeriod":3,"withinPreviousPeriod":null}`}},
		{"GET", v3 + "Statistics/TotalSearches?onlyIncludeUnique=true", "", 200, []string{`"withinCurrentPeriod":2,`}},
		{"GET", v3 + "statistics/totalSearches?from=2026-08-15T13:00:00Z", "", 200, []string{`"withinCurrentPeriod":0,`}},
		{"GET", v3 + "statistics/totalSearches?to=yesterday", "", 400, nil},
		{"GET", v3 + "statistics/clickCounts" + period, "", 200, []string{`[{"items":[{"clickTarget":"https://x.example/a","count":2,"title":"A"}],"pageNumber":0,"pageSize":10,"totalItems":1}]`}},
		{"GET", v3 + "statistics/clickCounts?limit=1&pageNumber=2", "", 200, []string{`"items":[],`, `"totalItems":1`}},
		{"GET", v3 + "statistics/clickCounts?query=other&limit=99999999999", "", 200, []string{`"totalItems":0`}},
		{"GET", "/_/searches/10000001/7", "", 200, []string{`"total":{"name":"","searches":3,"unique":2,"without_result":1,"clicks":3,"mean_rank":3.5,"positive":0,"negative":1}`, `"queries":[{"name":"chair","searches":2,`, `"without_result":[{"name":"nothing here",`}},
		{"GET", "/_/events/10000001/7?since=1d", "", 400, []string{"no filter of events"}},
	})
}
