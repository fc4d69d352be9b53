package service

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

// TestReadings holds each switch for another reading against its default.
func TestReadings(t *testing.T) {
	const stored = `[{"id":"a","type":"FileContent","fields":{"Title":"A","Date":"2024/01/01"}}]`
	const was = `a FileContent {"Date":"2024/01/01","Title":"A"}`
	const eqTopic = `{"Topic":{"operator":"Eq","values":["x"]}}`
	tests := map[string]struct {
		switches           Switches
		method, path, body string
		status             int
		answer             string // contained in the answer's body
		holds              []string
	}{
		"put rows":     {Switches{}, "PUT", documents, `[{"id":"a","fields":{}}]`, 200, `[{"document":{"id":"a","type":0,"fields":{}},"reason":"","success":true}]`, []string{"a PageContent {}"}},
		"put empty":    {Switches{PutAnswer: "empty"}, "PUT", documents, `[{"id":"a","fields":{}}]`, 200, "", []string{"a PageContent {}"}},
		"put object":   {Switches{PutAnswer: "object"}, "PUT", documents, `[{"id":"a","fields":{}}]`, 200, "{}", []string{"a PageContent {}"}},
		"put array":    {Switches{PutAnswer: "array"}, "PUT", documents, `[{"id":"a","fields":{}}]`, 200, "[]", []string{"a PageContent {}"}},
		"bad row":      {Switches{}, "PUT", documents, `[{"id":"a","fields":{}},{"id":"b"}]`, 200, `"reason":"fields is required","success":false`, []string{"a PageContent {}"}},
		"whole batch":  {Switches{WholeBatch: true}, "PUT", documents, `[{"id":"a","fields":{}},{"id":"b"}]`, 400, `{"message":"element 2: fields is required"}`, []string{was}},
		"whole patch":  {Switches{WholeBatch: true}, "PATCH", documents, `[{"id":"a","fields":{"B":"b"}},{"id":"b","fields":{}}]`, 400, `element 2: not found`, []string{was}},
		"arrays fail":  {Switches{}, "PUT", documents, `[{"id":"a","fields":{"T":["x","y"]}}]`, 200, `fields.T must be a string`, []string{was}},
		"arrays":       {Switches{AcceptArrays: true}, "PUT", documents, `[{"id":"a","fields":{"T":["x", "y"]}}]`, 200, `"success":true`, []string{`a PageContent {"T":["x","y"]}`}},
		"array of any": {Switches{AcceptArrays: true}, "PUT", documents, `[{"id":"a","fields":{"T":["x",1]}}]`, 200, `fields.T must be a string`, []string{was}},
		"required":     {Switches{RequireFields: true}, "PUT", documents, `[{"id":"a","fields":{"Title":"","Url":""}}]`, 200, `fields.Description is required`, []string{was}},
		"long id":      {Switches{}, "PUT", documents, `[{"id":"` + strings.Repeat("x", 512+1) + `","fields":{}}]`, 200, `id is longer than 512 bytes`, []string{was}},
		"nameless":     {Switches{}, "PUT", documents, `[{"id":"a","fields":{"":""}}]`, 200, `a field has no name`, []string{was}},
		"no objects":   {Switches{}, "PUT", documents, `[3,{"id":3,"fields":{}},{"id":"a","fields":3}]`, 200, `"reason":"id can't be a JSON number"`, []string{was}},
		"crawler":      {Switches{}, "PUT", strings.Replace(documents, testCrawler, strings.Repeat("x", 128+1), 1), `[]`, 400, `crawler ID`, []string{was}},
		"upsert":       {Switches{PatchUpserts: true}, "PATCH", documents, `[{"id":"b","fields":{"B":"b"}}]`, 200, `"success":true`, []string{was, `b PageContent {"B":"b"}`}},
		"type kept":    {Switches{}, "PATCH", documents, `[{"id":"a","fields":{"Date":""}}]`, 200, `"type":1`, []string{`a FileContent {"Date":"","Title":"A"}`}},
		"type reset":   {Switches{PatchResetsType: true}, "PATCH", documents, `[{"id":"a","fields":{"Date":""}}]`, 200, `"type":0`, []string{`a PageContent {"Date":"","Title":"A"}`}},
		"duplicates":   {Switches{}, "PATCH", documents, `[{"id":"a","fields":{"B":"1","C":"1"}},{"id":"a","fields":{"B":"2"}}]`, 200, `"reason":"duplicate: the same id comes again later in this request","success":true`, []string{`a FileContent {"B":"2","C":"1","Date":"2024/01/01","Title":"A"}`}},
		"duplicates fail": {Switches{DuplicatesFail: true}, "PATCH", documents, `[{"id":"a","fields":{"B":"1","C":"1"}},{"id":"a","fields":{"B":"2"}}]`, 200, `later in this request","success":false`,
			[]string{`a FileContent {"B":"2","Date":"2024/01/01","Title":"A"}`}},
		"documents":        {Switches{MaxDocuments: 1}, "PUT", documents, `[{},{}]`, 413, "", []string{was}},
		"bytes":            {Switches{MaxBytes: 3}, "PUT", documents, `[{}]`, 413, "", []string{was}},
		"refused":          {Switches{Refuse: []Refusal{{ID: "^a$", Reason: "no a"}}}, "PUT", documents, `[{"id":"a","fields":{}},{"id":"aa","fields":{}}]`, 200, `"reason":"no a","success":false`, []string{was, "aa PageContent {}"}},
		"refused and lost": {Switches{Refuse: []Refusal{{ID: "a", Lose: true}}}, "PUT", documents, `[{"id":"a","fields":{}}]`, 200, `"reason":"refused","success":false`, nil},
		"patch never lost": {Switches{Refuse: []Refusal{{ID: "a", Lose: true}}}, "PATCH", documents, `[{"id":"a","fields":{}}]`, 200, `"reason":"refused","success":false`, []string{was}},
		"only put refused": {Switches{Refuse: []Refusal{{Endpoint: "put"}}}, "PATCH", documents, `[{"id":"a","fields":{}}]`, 200, `"success":true`, []string{was}},
		"delete 500":       {Switches{Refuse: []Refusal{{Endpoint: "delete", ID: "a"}}}, "DELETE", documents + "?documentId=a", ``, 500, `{"failed":1,"reason":"refused"}`, []string{was}},
		"delete 200": {Switches{DeleteFailureStatus: 200, Refuse: []Refusal{{Endpoint: "delete"}}}, "DELETE", documents + "?documentId=a", ``, 200,
			`{"failed":1,"reason":"refused"}`, []string{was}},
		"refusals spare deletes": {Switches{Refuse: []Refusal{{ID: "a"}}}, "DELETE", documents + "?documentId=a", ``, 200, `{"deleted":1}`, nil},
		"exists refused":         {Switches{}, "POST", bulk, `{"Title":{"operator":"Exists","values":[]}}`, 400, "", []string{was}},
		"exists":                 {Switches{AllowExists: true}, "POST", bulk, `{"Any":{"operator":"Exists","values":[]}}`, 200, `"deleted":1`, nil},
		"unknown field":          {Switches{}, "POST", bulk, eqTopic, 200, `"deleted":0`, []string{was}},
		"unknown ignored":        {Switches{IgnoreUnknownFields: true}, "POST", bulk, eqTopic, 200, `"deleted":1`, nil},
		"known not ignored":      {Switches{IgnoreUnknownFields: true}, "POST", bulk, `{"Date_date":{"operator":"Lt","values":["2024/01/01"]}}`, 200, `"deleted":0`, []string{was}},
		"unfilterable":           {Switches{Unfilterable: []string{"Date_date"}}, "POST", bulk, `{"Date_date":{"operator":"Lt","values":["2024/01/02"]}}`, 200, `"deleted":0`, []string{was}},
		"unfilterable ignored":   {Switches{Unfilterable: []string{"Date_date"}, IgnoreUnknownFields: true}, "POST", bulk, `{"Date_date":{"operator":"Lt","values":["2023/01/02"]}}`, 200, `"deleted":1`, nil},
		"wrong region":           {Switches{WrongRegion: true}, "DELETE", documents + "?documentId=a", ``, 401, `{"message":"unauthorized"}`, []string{was}},
		"400 for 401":            {Switches{WrongRegion: true, UnauthorizedStatus: 400}, "DELETE", documents + "?documentId=a", ``, 400, `{"message":"unauthorized"}`, []string{was}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := open(t, Options{})
			l.want(http.StatusOK, http.MethodPut, documents, stored)
			l.SetSwitches(test.switches)
			body := l.want(test.status, test.method, test.path, test.body)
			if !strings.Contains(body, test.answer) || test.answer == "" && test.status == 200 && body != "" {
				t.Errorf("want %s in the answer, got %s", test.answer, body)
			}
			l.holds(test.holds...)
		})
	}
}

// TestCalls counts refused calls too, and forgets.
func TestCalls(t *testing.T) {
	l := open(t, Options{})
	panel := l.strike()
	l.want(200, "PUT", documents, `[{"id":"a","fields":{}}]`)
	l.want(200, "DELETE", documents+"?documentId=a%20b", ``)
	l.want(400, "PATCH", documents, `{}`)
	l.want(200, "POST", paths, `["https://x.example/"]`)
	l.want(404, "GET", "/api/rankings/0", ``)
	l.want(404, "GET", "/api/rankings/1", ``)
	l.want(200, "GET", "/_/crawlers/10000001/crawler-1/queue", ``)
	want := map[string]int{"put": 1, "delete": 1, "patch": 1, "paths": 1, "rankings": 1, "other": 1}
	if got := panel.Calls(); !maps.Equal(got, want) {
		t.Errorf("want %v, got %v", want, got)
	}
	panel.ResetCalls()
	if got := panel.Calls(); len(got) != 0 {
		t.Errorf("want none, got %v", got)
	}
}
