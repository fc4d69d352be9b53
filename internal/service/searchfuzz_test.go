package service

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzSearchRequest sends any body to search, and the same as filters to autocomplete: each
// is refused in the shape of section 7, or answered within the bounds.
func FuzzSearchRequest(f *testing.F) {
	for _, seed := range []string{
		`{"query":"*","page":1,"perPage":10,"filters":{},"notFilters":{},"sort":{},"fields":["Title"],"highlight":true,"enableFacetFiltering":true,"rangeFacets":{},"valueBoost":{},"operator":"OR","enableRelatedSearches":false,"enableHybridSearch":true}`,
		`{"query":"chair","postFilters":{"Category":["Chairs"],"range":["Price_number",-1e300,"5"]},"postFiltersOperator":"or","facets":{"Colour":[],"Url":null},"sort":{"Price_number":"desc","Date":"asc"}}`,
		`{"query":"-chair \"red","notFilters":{"date":["Date","","2017-06-04T22:13"],"range":["Year",2016,""]},"responseType":"JsonObject","text":"x","page":10000,"perPage":100}`,
		`{"filters":{"range":["NaN","NaN",1e999]},"date":[]}`, `{"query":"*","filters":` + strings.Repeat("[", 200), `{"QUERY":"\ud800","query ":1}`, `{"range":["Price_number",0,100],"Colour":["red"]}`, `null`, "\xff",
	} {
		f.Add([]byte(seed), "query=cha&results=5")
	}
	f.Add([]byte(`{"query":"a b c","sort":{"":""},"fields":[""],"facets":{"":[""]}}`), "query=%00&responseType=jsonobject&x=%ff")
	s := open(f, Options{})
	call := func(method, path, query, body string) *httptest.ResponseRecorder {
		return direct(s, &http.Request{
			Method: method, URL: &url.URL{Path: path, RawQuery: query}, Body: io.NopCloser(strings.NewReader(body)),
			Header: http.Header{"Content-Type": {"application/json"}, "Authorization": {rightBasic}},
		})
	}
	s.put(testCrawler, shelf()...)
	f.Fuzz(func(t *testing.T, body []byte, query string) {
		for i, w := range []*httptest.ResponseRecorder{
			call("POST", searchPath, "", string(body)),
			call("GET", completePath, query+"&filters="+url.QueryEscape(string(body)), ""),
			call("POST", completePath, "", string(body)),
		} {
			var answer searchAnswer
			switch {
			case w.Code >= 500 || w.Code != 200 && !isRefusal(w.Body.Bytes()):
				t.Fatalf("%s, %s: answered %d %s", body, query, w.Code, w.Body)
			case w.Body.Len() > 64<<10:
				t.Fatalf("%s, %s: the answer has %d bytes", body, query, w.Body.Len())
			case w.Code == 200 && i > 0 && !json.Valid(w.Body.Bytes()):
				t.Fatalf("%s, %s: answered %s", body, query, w.Body)
			case w.Code == 200 && i == 0:
				if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.TotalDocument > 5 || len(answer.TypedDocuments) > answer.TotalDocument {
					t.Fatalf("%s: %v, %s", body, err, w.Body)
				}
			}
		}
	})
}
