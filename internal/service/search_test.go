package service

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
)

const (
	searchPath   = "/api/v4/10000001/7/search"
	completePath = "/api/v4/10000001/7/autocomplete"
)

// searchAnswer is the answer to a search, as far as tests look at it.
type searchAnswer struct {
	TypedDocuments []struct {
		ID          string `json:"Id"`
		Type        int    `json:"Type"`
		ResultIndex int
		Fields      map[string]typedField `json:"Fields"`
		FieldNames  []string
	}
	TotalDocument       int
	QueryID, FixedQuery string
	Banners             []struct{ HTMLCode, Banner, Name string }
	Quicklinks          []struct{ URL string }
	Facets              map[string]search.Facet
	Suggestions         []struct{ Text string }
	Ignored             []string
}

type typedField struct {
	Field      string
	Value      string
	Values     []string
	Highlights []string
	IsArray    bool
}

// page is one document of a PUT; fields as NAME=VALUE.
func page(id string, fields ...string) string {
	values := map[string]string{}
	for _, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		values[name] = value
	}
	body, _ := json.Marshal(map[string]any{"id": id, "fields": values})
	return string(body)
}

func (l *local) put(crawler string, docs ...string) {
	l.t.Helper()
	l.want(200, "PUT", "/api/v4/10000001/index/"+crawler+"/documents", "["+strings.Join(docs, ",")+"]")
}

// search answers a search, given as its body or as the query alone.
func (l *local) search(request string) (answer searchAnswer) {
	l.t.Helper()
	if !strings.HasPrefix(request, "{") {
		request = fmt.Sprintf(`{"query":%q}`, request)
	}
	if err := json.Unmarshal([]byte(l.want(200, "POST", searchPath, request)), &answer); err != nil {
		l.t.Fatal(err)
	}
	return answer
}

func (a searchAnswer) ids() string {
	var ids []string
	for _, doc := range a.TypedDocuments {
		ids = append(ids, doc.ID)
	}
	return strings.Join(ids, " ")
}

// finds checks which documents a search finds, in any order.
func (l *local) finds(request, want string) {
	l.t.Helper()
	got := strings.Fields(l.search(request).ids())
	slices.Sort(got)
	if strings.Join(got, " ") != want {
		l.t.Errorf("%s: want %q, got %q", request, want, got)
	}
}

// Each language has its own rules: the words of a query find their other forms in it.
func TestSearchStems(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler,
		page("en", "Title=Running a business", "Language=en-GB"), page("de", "Title=Das alte Haus", "Content=Straße", "Language=German"),
		page("da", "Content=De gamle bilerne i byen", "Language=da"), page("sv", "Content=Bilarna står där", "Language=sv"),
		page("nb", "Description=Fiskerne kommer hjem", "Language=nb"), page("fr", "Title=L’amitié des chevaux", "Language=fr"),
		page("es", "Content=Las canciones antiguas", "Language=es"), page("none", "Title=Il mercato"), page("it", "Title=mercato", "Language=it"))
	for query, want := range map[string]string{
		"run businesses": "en", "Häuser": "de", "STRASSE": "de", "Straßen": "de", "biler": "da sv", "bilar": "sv", "fisker": "nb", "cheval": "fr",
		"canción": "es", "mercato": "it none", "amitié": "fr", "Ha\u0308user": "de", "*": "da de en es fr it nb none sv", "的": "",
	} {
		l.finds(query, want)
	}
	found := l.search(`{"query":"Häuser","fields":["Title"]}`).TypedDocuments
	if len(found) != 1 || found[0].Fields["Title"].Highlights[0] != "Das alte <b>Haus</b>" {
		t.Errorf("want another form of the word marked, got %v", found)
	}
}

// TestSearch: requests against one set of documents, best first where the order is wanted.
func TestSearch(t *testing.T) {
	l := open(t, Options{})
	long := strings.Repeat("filler ", 60)
	l.put(testCrawler,
		page("a", "Title=Zebra crossing", "Url=https://x.example/a", "Category=road", "Date=2024/03/01", "Price_number=10", "Language=en"),
		page("b", "Title=Other", "Description=A zebra", "Category=animal", "Date=2024/01/01", "Price_number=9", "Language=en"),
		page("c", "Title=Other", "Content="+long+"zebra "+long, "Category=animal", "Price_number=-3", "Language=en"),
		page("d", "Title=Crossing the <road>", "Content=Nothing else & more", "Category=Road", "Date=2023/05/05", "Language=en"))
	l.want(200, "PUT", documents, `[{"id":"f","type":"FileContent","fields":{"Title":"Zebra crossing","Language":"en"}},{"id":"`+strings.Repeat("é", 256)+`","fields":{"Title":"longest"}}]`)
	for request, want := range map[string]string{
		"zebra":          "a f b c",
		"zebra crossing": "a f",
		`{"query":"zebra crossing","operator":"and"}`:                                                                       "a f",
		`{"query":"zebra","page":2,"perPage":2}`:                                                                            "b c",
		`{"query":"zebra","page":9223372036854775807}`:                                                                      "",
		`{"query":"*","page":101,"perPage":100}`:                                                                            "",
		`{"query":"*","filters":{"Category":["road","Road"]},"sort":{"Title":"desc"}}`:                                      "a d",
		`{"query":"*","filters":{"Category":["animal"],"Price_number":["9"]}}`:                                              "b",
		`{"query":"*","filters":{"Category":["anim"]}}`:                                                                     "",
		`{"query":"*","filters":{"None":["x"]}}`:                                                                            "",
		`{"query":"zebra","notFilters":{"Category":["animal"]}}`:                                                            "a f",
		`{"query":"*","filters":{"Date_date":["2024/01/01"]}}`:                                                              "b",
		`{"query":"zebra","sort":{"Price_number":"asc"}}`:                                                                   "c b a f",
		`{"query":"zebra","sort":{"Price_number":"desc"}}`:                                                                  "a b c f",
		`{"query":"*","sort":{"Date_date":"desc"},"filters":{"Language":["en"]},"notFilters":{"Title":["Zebra crossing"]}}`: "b d c",
		`{"query":"*","sort":{"Category":"asc","Price_number":"asc"},"filters":{"Category":["animal","road"]}}`:             "c b a",
		"zebra Category:Animal":                                                                                             "b c",
		`-Category:animal Category:"roa"`:                                                                                   "a d",
		"longest":                                                                                                           strings.Repeat("é", 256),
		"the":                                                                                                               "d", // stop words count in titles
		"!?":                                                                                                                "",
	} {
		got := l.search(request).ids()
		if strings.HasPrefix(request, "zebra c") && strings.HasPrefix(got, "a f ") {
			continue // the others have one of the words
		}
		if got != want {
			t.Errorf("%s: want %q, got %q", request, want, got)
		}
	}
	answer := l.search(`{"query":"road crossing nothing","fields":["Title","Content"],"facets":{"Category":[],"Price_number":[]},"perPage":2}`)
	facets, _ := json.Marshal(answer.Facets)
	if want := `{"Category":{"FieldName":"Category","MissingCount":1,"AllCount":3,"Items":[{"Key":"Road","Count":1},{"Key":"road","Count":1}]},` +
		`"Price_number":{"FieldName":"Price_number","MissingCount":2,"AllCount":3,"Items":[{"Key":"10","Count":1}]}}`; string(facets) != want || answer.TotalDocument != 3 {
		t.Errorf("want the facets %s of 3, got %s of %d", want, facets, answer.TotalDocument)
	}
	first, _ := json.Marshal(answer.TypedDocuments[0])
	if want := `{"Id":"d","Type":0,"ResultIndex":1,"Fields":{"Content":{"Field":"Content","Value":"Nothing else \u0026 more","Values":["Nothing else \u0026 more"],"Highlights":["\u003cb\u003eNothing\u003c/b\u003e else \u0026amp; more"],"IsArray":false},` +
		`"Title":{"Field":"Title","Value":"Crossing the \u003croad\u003e","Values":["Crossing the \u003croad\u003e"],"Highlights":["\u003cb\u003eCrossing\u003c/b\u003e the \u0026lt;\u003cb\u003eroad\u003c/b\u003e\u0026gt;"],"IsArray":false}},"FieldNames":["Content","Title"]}`; string(first) != want {
		t.Errorf("want %s, got %s", want, first)
	}
	marks := l.search(`{"query":"zebra","fields":["Content"]}`).TypedDocuments[3].Fields["Content"].Highlights
	if len(marks) != 1 || len(marks[0]) > 200 || !strings.Contains(marks[0], "filler <b>zebra</b> filler") {
		t.Errorf("the fragment is %q", marks)
	}
	if _, engine, ok := l.issued(answer.QueryID, web.IDQuery, ""); !ok || engine != 7 {
		t.Errorf("the QueryId %q is not one for engine 7", answer.QueryID)
	}
	fixed := l.search("zebar crosing")
	if fixed.FixedQuery != "zebra crossing" || !strings.HasPrefix(fixed.ids(), "a f") || fixed.Suggestions[0].Text != fixed.FixedQuery {
		t.Errorf("want zebra crossing searched for, got %q: %s", fixed.FixedQuery, fixed.ids())
	}
	if none := l.search("qqqqqqqqq"); none.FixedQuery != "" || none.TotalDocument != 0 {
		t.Errorf("nothing is near, got %q", none.FixedQuery)
	}
}

// TestSearchRefuses answers what is wrong with {message}, at v3 too.
func TestSearchRefuses(t *testing.T) {
	l := open(t, Options{Strict: true})
	for _, body := range []string{
		``, `[`, `[]`, `null`, `"x"`, `{}`, `{"query":""}`, `{"query":"  "}`, `{"query":5}`, `{"query":"x","page":"1"}`, `{"query":"x","page":0}`, `{"query":"x","perPage":101}`,
		`{"query":"x","perPage":-1}`, `{"query":"x","page":1.5}`, `{"query":"x","page":99999999999999999999}`, `{"query":"x","filters":[]}`, `{"query":"x","filters":{"a":"b"}}`, `{"query":"x","filters":{"a":[]}}`,
		`{"query":"x","notFilters":{"a":[1]}}`, `{"query":"x","sort":["a"]}`, `{"query":"x","sort":{"a":"up"}}`, `{"query":"x","sort":{"a":1}}`, `{"query":"x","operator":"xor"}`, `{"query":"x","operator":1}`, `{"query":"x","fields":"a"}`, `{"query":"x","facets":{"a":1}}`,
	} {
		for _, version := range []string{"v3", "v4"} {
			if got := l.want(400, "POST", strings.Replace(searchPath, "v4", version, 1), body); !strings.HasPrefix(got, `{"message":"`) {
				t.Errorf("%s: %s", body, got)
			}
		}
	}
	for _, query := range []string{"", "?query=", "?query=%20", "?query=a&results=0", "?query=a&results=51", "?query=a&results=x", "?query=%zz"} {
		l.want(400, "GET", completePath+query, "")
	}
	l.want(401, "POST", "/api/v4/2/0/search", `{"query":"x"}`)
	if got := l.search("x"); got.TotalDocument != 0 || got.TypedDocuments == nil || got.Banners == nil {
		t.Errorf("a customer without documents is answered %v", got)
	}
}

// TestSearchFollows: what was acknowledged is found, or no longer, by the next search.
func TestSearchFollows(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler, page("a", "Title=first"), page("b", "Title=second", "Kind=x"), page("c", "Title=third", "Kind=x"))
	l.finds("first", "a")
	l.put(testCrawler, page("a", "Title=changed"), page("d", "Title=fourth"))
	l.finds("first", "")
	l.finds("changed fourth", "a d")
	l.want(200, "PATCH", documents, `[{"id":"d","fields":{"Content":"patched"}}]`)
	l.finds(`{"query":"fourth patched","operator":"and"}`, "d")
	l.want(200, "DELETE", documents+"?documentId=a", "")
	l.finds("changed", "")
	l.want(200, "POST", bulk, `{"Kind":{"operator":"Eq","values":["x"]}}`)
	l.finds("*", "d")
	err := l.Update(func(tx *store.Tx) error { // no search waits for what is written
		l.finds("*", "d")
		return tx.Do("DELETE FROM document")
	})
	if err != nil {
		t.Fatal(err)
	}
	l.finds("*", "")
	l.put(testCrawler, page("d", "Title=fourth"))
	l.put("other", page("a", "Title=first elsewhere"))
	l.finds("*", "a d") // each engine has the documents of all crawlers
	if got := l.want(200, "POST", "/api/v3/10000001/8/search", `{"query":"*"}`); !strings.Contains(got, `"TotalDocument":2`) {
		t.Errorf("another engine is answered %s", got)
	}
	if got := l.as(basic("2", testKey), "POST", "/api/v4/2/7/search", `{"query":"*"}`); got.status != 200 || !strings.Contains(got.body, `"TotalDocument":0`) {
		t.Errorf("another customer is answered %v", got)
	}
}

// TestSearchTools: what synonyms, rankings, quicklinks and banners do to answers.
func TestSearchTools(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	l := open(t, Options{Extended: true, Now: func() time.Time { return now }})
	l.put(testCrawler,
		page("a", "Title=opening hours one", "Language=en"), page("b", "Title=opening hours two two", "Language=en"), page("c", "Title=opening hours three three three", "Language=en"),
		page("p", "Title=pinned", "Url=https://x.example/p", "Kind=x"), page("q", "Title=pinned too"), page("car", "Title=an automobile", "Language=en"), page("card", "Content=a visa card of credit", "Language=en"))
	for path, body := range map[string]string{
		"/api/rankings": `{"name":"r","WebsiteId":7,"rankingterms":[{"name":"Opening  Hours"}],"pages":[
			{"rank":2,"showpage":true,"page":{"pageurl":"https://x.example/p"}},{"rank":90,"showpage":true,"page":{"pageid":"q","pageurl":"q"}},
			{"rank":1,"showpage":true,"page":{"pageurl":"gone"}},{"rank":3,"showpage":false,"page":{"pageurl":"c"}}]}`,
		"/api/quicklinks":    `{"url":"https://x.example/quick","websiteid":7,"terms":[{"name":"opening hours"}]}`,
		"/api/banners":       `{"name":"n","htmlcode":"<i>","websiteid":7,"bannerterms":[{"name":"opening hours"}],"from":"2026-11-21T12:00:00Z","to":"2026-11-21T13:00:00Z"}`,
		"/api/synonymsgroup": `{"words":["car","automobile"],"language":"en"}`,
	} {
		l.want(200, "POST", path, body)
	}
	l.want(200, "POST", "/api/synonymsgroup", `{"words":["credit card","visa"],"language":"en"}`)
	l.want(200, "POST", "/api/synonymsgroup", `{"words":["wheelchair","w4bs"],"language":"en"}`)
	l.put(testCrawler, page("w", "Title=About w4bs", "Language=en"))
	l.want(200, "POST", "/api/synonymsgroup", `{"words":["pinned","car"],"language":"de"}`)
	l.want(200, "POST", "/api/synonymsgroup", `{"words":["car","visa"],"language":"en"}`)
	l.want(200, "POST", "/api/rankings", `{"name":"other engine","WebsiteId":8,"rankingterms":[{"name":"opening hours"}],"pages":[{"rank":1,"showpage":false,"page":{"pageurl":"a"}}]}`)
	l.want(200, "POST", "/api/rankings", `{"name":"audience","WebsiteId":7,"audiences":[{}],"rankingterms":[{"name":"opening hours"}],"pages":[{"rank":1,"showpage":false,"page":{"pageurl":"a"}}]}`)
	for request, want := range map[string]string{
		"opening hours":                                      "a p b q",
		`{"query":"opening hours","perPage":2}`:              "a p",
		`{"query":"opening hours","perPage":2,"page":2}`:     "b q",
		`{"query":"opening hours","perPage":1,"page":3}`:     "b",
		`{"query":"opening hours","perPage":2,"page":3}`:     "",
		`{"query":"opening hours","filters":{"Kind":["x"]}}`: "p",
		"opening":     "a b c",
		"cars":        "car card", // of two groups
		"automobile":  "car",
		"credit card": "card", "visa": "card",
		"wheelchair": "w", "w4bs": "w", // words with digits have no other forms
	} {
		if got := l.search(request); got.ids() != want {
			t.Errorf("%s: want %q, got %q", request, want, got.ids())
		}
	}
	got := l.search(" OPENING hours")
	if len(got.Banners) != 1 || got.Banners[0].HTMLCode != "<i>" || len(got.Quicklinks) != 1 || got.Quicklinks[0].URL != "https://x.example/quick" || got.TotalDocument != 4 {
		t.Errorf("want a banner, a quicklink and 4 documents, got %v", got)
	}
	if got := l.search(`{"query":"opening hours","facets":{"Kind":[]}}`).Facets["Kind"]; len(got.Items) != 1 || got.Items[0] != (search.Count{Key: "x", Count: 1}) || got.AllCount != 4 || got.MissingCount != 3 {
		t.Errorf("want the pinned page counted, got %v", got)
	}
	for query, want := range map[string]string{"opening+hours": `"totalResults":2,`, "wheelchair": `"results":[{"id":"w",`} {
		if got := l.want(200, "GET", completePath+"?query="+query, ""); !strings.Contains(got, want) {
			t.Errorf("autocomplete of %s leaves hidden pages out and follows synonyms: want %s, got %s", query, want, got)
		}
	}
	now = now.Add(time.Hour)
	if got := l.search("opening hours"); len(got.Banners) != 0 {
		t.Errorf("a banner is shown after its window: %v", got.Banners)
	}
}

func TestAutocomplete(t *testing.T) {
	l := open(t, Options{})
	l.put(testCrawler, page("a", "Title=Library opening", "Language=en"), page("b", "Title=Libraries", "Language=en"), page("c", "Title=Liberty library", "Language=en"), page("d", "Content=librarian"))
	for query, want := range map[string]string{
		"lib":                   `["library","liberty","librarian","libraries"] 4 4`,
		"lib&results=1":         `["library"] 4 4`,
		"opening%20LIB":         `["opening library","opening liberty","opening librarian","opening libraries"] 4 1`,
		"zzz":                   `[] 0 0`,
		"librarian":             `["librarian"] 1 1`,
		"%20%21":                `[] 0 0`,
		"%22liberty+library%22": `[] 0 1`,
	} {
		var got struct {
			Suggestions                    []string
			TotalSuggestions, TotalResults int
		}
		if err := json.Unmarshal([]byte(l.want(200, "GET", completePath+"?query="+query, "")), &got); err != nil {
			t.Fatal(err)
		}
		suggestions, _ := json.Marshal(got.Suggestions)
		if have := fmt.Sprintf("%s %d %d", suggestions, got.TotalSuggestions, got.TotalResults); have != want {
			t.Errorf("%s: want %s, got %s", query, want, have)
		}
	}
}
