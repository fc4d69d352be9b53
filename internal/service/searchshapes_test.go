package service

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// shelf returns documents with prices, dates and categories.
func shelf() []string {
	return []string{
		page("a", "Title=red chair", "Url=https://x.example/a", "Category=Chairs", "Price_number=20", "Date=2017-06-03", "Content=a chair to sit on", "Colour=red"),
		page("b", "Title=blue chair", "Category=Chairs", "Price_number=50.0", "Date=2017-06-04T22:13:00Z", "Colour=blue"),
		page("c", "Title=red table", "Category=Tables", "Price_number=100", "Date=2018/01/01", "Colour=red"),
		page("d", "Title=old lamp", "Price_number=-3", "Date=20150101", "Colour=red"),
		page("e", "Title=new lamp", "Category=Lamps", "Price_number=NaN", "Date=soon", "Year=2016"),
	}
}

// TestPublishedSearch: the request that the vendor shows works as it stands, and is answered
// in the shape that it shows.
func TestPublishedSearch(t *testing.T) {
	l := open(t, Options{Extended: true})
	l.put(testCrawler, shelf()...)
	l.want(200, "POST", "/api/banners", `{"name":"n","htmlcode":"<i>","websiteid":7,"bannerterms":[{"name":"*"}]}`)
	const published = `{"query":"*","page":1,"perPage":10,"filters":{},"notFilters":{},"sort":{},"fields":["Title"],"highlight":true,"enableFacetFiltering":true,"rangeFacets":{},"valueBoost":{},"operator":"OR","enableRelatedSearches":false,"enableHybridSearch":true}`
	for _, version := range []string{"v3", "v4"} {
		var got map[string]json.RawMessage
		if err := json.Unmarshal([]byte(l.want(200, "POST", strings.Replace(searchPath, "v4", version, 1), published)), &got); err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]string{
			"TotalDocument": `5`, "FixedQuery": `""`, "Suggestions": `[]`, "TopHits": `[]`, "Synonyms": `[]`, "RelatedSearchDocuments": `[]`, "GenerativeAnswerAvailable": `true`, "Ignored": `["enableHybridSearch"]`,
			"Facets":  `{"Category":{"FieldName":"Category","MissingCount":1,"AllCount":5,"Items":[{"Key":"Chairs","Count":2},{"Key":"Lamps","Count":1},{"Key":"Tables","Count":1}]}}`,
			"Banners": `[{"id":1,"name":"n","websiteid":7,"htmlcode":"<i>","Id":1,"Name":"n","Banner":"<i>"}]`,
		} {
			if string(got[key]) != want {
				t.Errorf("%s: %s: want %s, got %s", version, key, want, got[key])
			}
		}
	}
	got := l.search(strings.Replace(published, `"page":1,"perPage":10`, `"page":2,"perPage":2`, 1))
	if len(got.TypedDocuments) != 2 || got.TypedDocuments[0].ResultIndex != 3 || got.TypedDocuments[1].ResultIndex != 4 || got.TypedDocuments[0].Fields["Title"].Field != "Title" {
		t.Errorf("want results 3 and 4, got %v", got.TypedDocuments)
	}
}

// TestSearchKeys: keys and operators in any case; highlight; Content where it is asked for;
// what is not done is listed.
func TestSearchKeys(t *testing.T) {
	l := open(t, Options{Strict: true})
	l.put(testCrawler, shelf()...)
	for _, operator := range []string{"AND", "and", "And"} {
		l.finds(`{"query":"red chair","operator":"`+operator+`"}`, "a")
	}
	for _, operator := range []string{`"OR"`, `"or"`, `""`, `null`} {
		l.finds(`{"Query":"table chair","OPERATOR":`+operator+`}`, "a b c")
	}
	for request, want := range map[string]string{
		`{"query":"sit"}`: "Category Colour Date Id Price_number Title Url _type",
		`{"query":"sit","fields":["Content","Title"],"highlight":false}`: "Content Title",
	} {
		doc := l.search(request).TypedDocuments[0]
		var names, marks []string
		for name, field := range doc.Fields {
			names, marks = append(names, name), append(marks, field.Highlights...)
		}
		if slices.Sort(names); strings.Join(names, " ") != want || !slices.Equal(doc.FieldNames, names) || strings.Contains(want, "Content") && len(marks) > 0 {
			t.Errorf("%s: want the fields %s and no highlights of the second, got %s and %q", request, want, names, marks)
		}
	}
	got := l.search(`{"query":"*","responseType":"jsonobject","enableHybridSearch":false,"enableRelatedSearches":true,"rangeFacets":{"a":[]},"valueBoost":[{"fieldName":"Category"}],"template":"x","overlay":"","text":null,"facets":{"Colour":[]}}`)
	if slices.Sort(got.Ignored); strings.Join(got.Ignored, " ") != "enableRelatedSearches rangeFacets template valueBoost" || got.Facets["Colour"].AllCount != 5 {
		t.Errorf("ignored %q, facets %v", got.Ignored, got.Facets)
	}
	if got := l.search(`{"query":"*","facets":{},"rangeFacets":{ },"text":""}`); len(got.Ignored) > 0 {
		t.Errorf("what asks for nothing is ignored %q", got.Ignored)
	}
	for _, key := range []string{"perPages", "notFilter", "serach", strings.Repeat("x", 7000)} {
		if got := l.want(400, "POST", searchPath, `{"query":"x","`+key+`":null}`); !strings.Contains(got, key[:min(len(key), 60)]) || len(got) > 300 {
			t.Errorf("%.20s: %s", key, got)
		}
	}
	l.end()
	l = open(t, Options{Content: true})
	l.put(testCrawler, shelf()...)
	if got := l.search("sit").TypedDocuments[0].Fields["Content"].Value; got != "a chair to sit on" {
		t.Errorf("the content is %q", got)
	}
}

// TestSearchRanges: numbers and dates within ranges, both ends included, in all filters.
func TestSearchRanges(t *testing.T) {
	l := open(t, Options{Strict: true})
	l.put(testCrawler, shelf()...)
	for filters, want := range map[string]string{
		`{"range":["Price_number",20,50]}`:                                           "a b",
		`{"range":["Price_number","20.0","50"]}`:                                     "a b",
		`{"range":["Price_number",20.5,1e300]}`:                                      "b c",
		`{"range":["Price_number","",20]}`:                                           "a d",
		`{"range":["Price_number",-3,null]}`:                                         "a b c d",
		`{"range":["Price_number","",""]}`:                                           "a b c d e",
		`{"range":["Price_number",20,100],"Category":["Tables","Lamps"]}`:            "c",
		`{"range":["Title",0,100]}`:                                                  "",
		`{"range":["None",0,100]}`:                                                   "",
		`{"date":["Date","2017-06-03","2017-06-04"]}`:                                "a b",
		`{"date":["Date","20170603","2017-06-04T22:12"]}`:                            "a",
		`{"date":["Date","2017-06-04T23:13:00+01:00","2017"]}`:                       "b",
		`{"date":["Date","","2017-06"]}`:                                             "a b d",
		`{"date":["Date","2018",""]}`:                                                "c",
		`{"date":["Year","",2016]}`:                                                  "e",
		`{"date":["Date_date","2017-06-04",""]}`:                                     "b c",
		`{"date":["Date","2017-06-03","2017-06-04"],"range":["Price_number",30,60]}`: "b",
	} {
		l.finds(`{"query":"*","filters":`+filters+`}`, want)
		l.finds(`{"query":"*","postFilters":`+filters+`}`, want)
		rest := slices.DeleteFunc(strings.Fields("a b c d e"), func(id string) bool { return strings.Contains(want, id) })
		if n := strings.Count(filters, "["); n == 1 && !strings.Contains(filters, `"",""`) {
			l.finds(`{"query":"*","notFilters":`+filters+`}`, strings.Join(rest, " "))
		}
	}
	for _, filters := range []string{
		`[]`, `"range"`, `{"range":[]}`, `{"range":["Price_number",20]}`, `{"range":["Price_number",20,50,60]}`, `{"range":[1,20,50]}`, `{"range":["",20,50]}`, `{"range":{"Price_number":[1,2]}}`,
		`{"range":[["Price_number",20,50],["Price_number",60,70]]}`, `{"range":["Price_number",50,20]}`, `{"range":["Price_number","x",20]}`, `{"range":["Price_number","NaN",20]}`, `{"range":["Price_number","-Inf",20]}`,
		`{"range":["Price_number",1e999,""]}`, `{"range":["Price_number","1e999",""]}`, `{"range":["Price_number",true,20]}`, `{"range":["Price_number","null",20]}`, `{"range":["Price_number",{},[]]}`, `{"range":null}`,
		`{"date":["Date","2017-06-04","2017-06-03"]}`, `{"date":["Date","yesterday",""]}`, `{"date":["Date","2017-02-30",""]}`, `{"date":["Date",-2017,""]}`, `{"Category":"Chairs"}`, `{"Category":[1]}`, `{"Category":[]}`,
		strings.Repeat("[", 4000), `{"Category":` + strings.Repeat("[", 3000) + strings.Repeat("]", 3000) + `}`,
	} {
		for _, key := range []string{"filters", "notFilters", "postFilters"} {
			if got := l.want(400, "POST", searchPath, `{"query":"*","`+key+`":`+filters+`}`); !strings.HasPrefix(got, `{"message":"`) || len(got) > 300 {
				t.Errorf("%s: %s: %s", key, filters, got)
			}
		}
		l.want(400, "GET", completePath+"?query=a&filters="+url.QueryEscape(filters), "")
	}
}

// TestPostFilters: they narrow the results and leave the counts, those of pinned pages too, so
// that a page can offer further values of a facet.
func TestPostFilters(t *testing.T) {
	l := open(t, Options{Extended: true})
	l.put(testCrawler, shelf()...)
	l.want(200, "POST", "/api/rankings", `{"name":"r","WebsiteId":7,"rankingterms":[{"name":"chair"}],"pages":[{"rank":1,"showpage":true,"page":{"pageurl":"c"}}]}`)
	for request, want := range map[string]string{
		`{"query":"*"}`: "5 5 Chairs:2 Lamps:1 Tables:1",
		`{"query":"*","postFilters":{"Category":["Chairs"]}}`:                                                         "2 5 Chairs:2 Lamps:1 Tables:1",
		`{"query":"*","postFilters":{"Category":["Chairs","Lamps"]}}`:                                                 "3 5 Chairs:2 Lamps:1 Tables:1",
		`{"query":"*","postFilters":{"Category":["Chairs"],"Colour":["red"]}}`:                                        "1 5 Chairs:2 Lamps:1 Tables:1",
		`{"query":"*","postFilterOperator":"or","postFilters":{"Category":["Chairs"],"Colour":["red"]}}`:              "4 5 Chairs:2 Lamps:1 Tables:1",
		`{"query":"*","postFiltersOperator":"OR","postFilters":{"Category":["Lamps"],"range":["Price_number",-5,0]}}`: "2 5 Chairs:2 Lamps:1 Tables:1",
		`{"query":"*","postFilters":{"Category":["None"]}}`:                                                           "0 5 Chairs:2 Lamps:1 Tables:1",
		`{"query":"*","filters":{"Colour":["red"]},"postFilters":{"Category":["Chairs"]}}`:                            "1 3 Chairs:1 Tables:1",
		`{"query":"*","enableFacetFiltering":true,"postFilters":{"Category":["Chairs"]}}`:                             "2 2 Chairs:2",
		`{"query":"chair"}`: "3 3 Chairs:2 Tables:1",
		`{"query":"chair","postFilters":{"Category":["Chairs"]}}`:                              "2 3 Chairs:2 Tables:1",
		`{"query":"chair","postFilters":{"Category":["Tables"]}}`:                              "1 3 Chairs:2 Tables:1",
		`{"query":"chair","postFilters":{"Category":["Tables"]},"sort":{"Title":"DESC"}}`:      "0 2 Chairs:2",
		`{"query":"chair","filters":{"Category":["Chairs"]},"postFilters":{"Colour":["red"]}}`: "1 2 Chairs:2",
	} {
		answer := l.search(request)
		got := fmt.Sprint(answer.TotalDocument, " ", answer.Facets["Category"].AllCount)
		for _, item := range answer.Facets["Category"].Items {
			got += fmt.Sprintf(" %s:%d", item.Key, item.Count)
		}
		if got != want || len(answer.TypedDocuments) != answer.TotalDocument {
			t.Errorf("%s: want %s, got %s and %d documents", request, want, got, len(answer.TypedDocuments))
		}
	}
	l.end()
	l = open(t, Options{})
	if got := l.search("x").Facets["Category"]; got.FieldName != "Category" || got.Items == nil {
		t.Errorf("without documents, the facet is %v", got)
	}
}

// TestAutocompleteParameters: filters as JSON, the type of the answer, and only what a list
// of completions shows.
func TestAutocompleteParameters(t *testing.T) {
	l := open(t, Options{Strict: true})
	l.put(testCrawler, shelf()...)
	for parameters, want := range map[string]string{
		"query=cha":                                          `a: {"Title":"red chair","Url":"https://x.example/a"}, b: {"Title":"blue chair"}`,
		"query=cha&responseType=JsonObject":                  `a: {"Title":"red chair","Url":"https://x.example/a"}, b: {"Title":"blue chair"}`,
		`query=cha&filters={"Colour":["blue"]}`:              `b: {"Title":"blue chair"}`,
		`query=cha&filters={"range":["Price_number",20,30]}`: `a: {"Title":"red chair","Url":"https://x.example/a"}`,
		`query=cha&filters={"Colour":["green"]}`:             ``,
		`query=lamp&filters=&_=1&callback=x`:                 `d: {"Title":"old lamp"}, e: {"Title":"new lamp"} ignored _ callback`,
	} {
		values, _ := url.ParseQuery(parameters)
		var answer struct {
			Results []struct {
				ID     string
				Fields json.RawMessage
			}
			Ignored []string
		}
		if err := json.Unmarshal([]byte(l.want(200, "GET", completePath+"?"+values.Encode(), "")), &answer); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, r := range answer.Results {
			all = append(all, r.ID+": "+string(r.Fields))
		}
		slices.Sort(all)
		got := strings.Join(all, ", ")
		if len(answer.Ignored) > 0 {
			got += " ignored " + strings.Join(answer.Ignored, " ")
		}
		if got != want {
			t.Errorf("%s: want %s, got %s", parameters, want, got)
		}
	}
	for _, parameters := range []string{"responseType=JsonHtml", "filters=x"} {
		if got := l.want(400, "GET", completePath+"?query=a&"+parameters, ""); !strings.HasPrefix(got, `{"message":"`) {
			t.Errorf("%s: %s", parameters, got)
		}
	}
}
