package service

import (
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"sitesync/internal/service/tools"
	"sitesync/internal/testsite/strike"
	"sitesync/internal/wire"
)

// Bodies that each kind takes, as they are answered after the ID.
const (
	ranking   = `"name":"R","WebsiteId":7,"pages":[{"rank":1,"showpage":true,"page":{"pageurl":"https://x.example/"}}],"rankingterms":[{"name":"t"}],"audiences":null,"brokenLinksFoundAt":""}`
	quicklink = `"url":"https://x.example/","websiteid":7,"terms":[],"brokenLinksFoundAt":""}`
	banner    = `"name":"B","htmlcode":"<b>","websiteid":7,"bannerterms":[],"isDisabled":false,"audiences":null,` + informs + `,"engineIds":[7]}`
	synonyms  = `"words":["a","b"],"language":"en"}`
	informs   = `"frequency":"","daysOfWeek":"","cssCode":"","jsonOption":"","editorType":"","brokenLinksFoundAt":""` // of banners
)

// toolSample is one kind with a body that it takes.
type toolSample struct{ path, id, body string }

func toolSamples() map[wire.Kind]toolSample {
	return map[wire.Kind]toolSample{
		wire.KindRanking:   {"/api/rankings", "id", ranking},
		wire.KindQuicklink: {"/api/quicklinks", "id", quicklink},
		wire.KindBanner:    {"/api/banners", "id", banner},
		wire.KindSynonyms:  {"/api/synonymsgroup", "groupId", synonyms},
	}
}

func (s toolSample) with(id string) string { return `{"` + s.id + `":` + id + `,` + s.body }

// shown checks which tools of a kind a customer has.
func (l *local) shown(kind wire.Kind, want ...string) {
	l.t.Helper()
	if got := l.want(200, "GET", "/_/tools/10000001/"+string(kind), ""); got != "["+strings.Join(want, ",")+"]" {
		l.t.Errorf("want the %s tools %s, got %s", kind, want, got)
	}
}

// refuses checks that a request is answered {message} with a status.
func (l *local) refuses(status int, method, path, body string) {
	l.t.Helper()
	if got := l.want(status, method, path, body); !strings.HasPrefix(got, `{"message":"`) {
		l.t.Errorf("%s %s: want {message}, got %s", method, path, got)
	}
}

// TestTools walks through every operation; PUT leaves nothing of the old tool.
func TestTools(t *testing.T) {
	const other = `"url":"v","websiteid":8,"terms":[],"brokenLinksFoundAt":""}`
	l := open(t, Options{Extended: true})
	for _, step := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/api/rankings", `{` + ranking, 200, `{"id":1,` + ranking},
		{"PUT", "/api/rankings/1", `{"id":9,"name":"S","websiteid":8}`, 200, `{"id":1,"name":"S","WebsiteId":8,"pages":[],"rankingterms":[],"audiences":null,"brokenLinksFoundAt":""}`},
		{"PUT", "/api/rankings/1", `{"WebsiteId":8}`, 400, `{"name":["this field is required"]}` + "\n"},
		{"PUT", "/api/rankings/2", `{` + ranking, 404, `{"message":"the ranking with the ID 2 was not found"}` + "\n"},
		{"POST", "/api/rankings", `{` + ranking, 200, `{"id":2,` + ranking},
		{"GET", "/api/rankings", ``, 200, `[{"id":1,"name":"S","WebsiteId":8,"pages":[],"rankingterms":[],"audiences":null,"brokenLinksFoundAt":""},{"id":2,` + ranking + `]`},
		{"GET", "/api/rankings/site/7", ``, 200, `[{"id":2,` + ranking + `]`},
		{"GET", "/api/rankings/site/9", ``, 200, `[]`},
		{"DELETE", "/api/rankings/2", ``, 200, ``},
		{"GET", "/api/rankings/2", ``, 404, `{"message":"the ranking with the ID 2 was not found"}` + "\n"},
		{"POST", "/api/rankings", `{` + ranking, 200, `{"id":3,` + ranking},

		{"POST", "/api/quicklinks", `{` + quicklink, 200, `{"id":1,` + quicklink},
		{"PUT", "/api/quicklinks/1", `{` + other, 200, `{"id":1,` + other},
		{"GET", "/api/quicklinks/1", ``, 200, `{"id":1,` + other},
		{"GET", "/api/engine/8/quicklinks", ``, 200, `[{"id":1,` + other + `]`},
		{"GET", "/api/engine/7/quicklinks", ``, 200, `[]`},
		{"DELETE", "/api/quicklinks/1", ``, 200, ``},
		{"DELETE", "/api/quicklinks/1", ``, 404, `{"message":"the quicklink with the ID 1 was not found"}` + "\n"},

		{"POST", "/api/banners", `{"language":3,` + banner, 200, `{"id":1,` + strings.Replace(banner, `,"engineIds"`, `,"language":3,"engineIds"`, 1)},
		{"GET", "/api/banners/site/7", ``, 200, `[{"id":1,` + strings.Replace(banner, `,"engineIds"`, `,"language":3,"engineIds"`, 1) + `]`},
		{"PUT", "/api/banners/1", `{"name":"C","htmlcode":"c","websiteid":8,"isDisabled":true}`, 200, `{"id":1,"name":"C","htmlcode":"c","websiteid":8,"bannerterms":[],"isDisabled":true,"audiences":null,` + informs + `,"engineIds":[8]}`},
		{"GET", "/api/banners/site/8", ``, 200, `[{"id":1,"name":"C","htmlcode":"c","websiteid":8,"bannerterms":[],"isDisabled":true,"audiences":null,` + informs + `,"engineIds":[8]}]`},
		{"DELETE", "/api/banners/1", ``, 200, ``},
		{"GET", "/api/banners/1", ``, 404, `{"message":"the banner with the ID 1 was not found"}` + "\n"},

		{"POST", "/api/synonymsgroup", `{` + synonyms, 200, `{"groupId":1,` + synonyms},
		{"POST", "/api/synonymsgroup", `{"words":["x"],"language":"DA"}`, 200, `{"groupId":2,"words":["x"],"language":"DA"}`},
		{"GET", "/api/synonymsgroup/1", ``, 200, `{"groupId":1,` + synonyms},
		{"GET", "/api/synonymsgroup/da", ``, 200, `[{"groupId":2,"words":["x"],"language":"DA"}]`},
		{"GET", "/api/synonymsgroup/fr", ``, 200, `[]`},
		{"PUT", "/api/synonymsgroup", `{"GroupId":2,"words":["y"],"language":"en"}`, 200, `{"groupId":2,"words":["y"],"language":"en"}`},
		{"PUT", "/api/synonymsgroup", `{"groupId":9,` + synonyms, 404, `{"message":"the synonyms with the ID 9 was not found"}` + "\n"},
		{"PUT", "/api/synonymsgroup", `{"groupId":"2",` + synonyms, 400, `{"message":"groupId must be the ID of a synonym group"}` + "\n"},
		{"PUT", "/api/synonymsgroup", `{` + synonyms, 400, `{"message":"groupId must be the ID of a synonym group"}` + "\n"},
		{"PUT", "/api/synonymsgroup", `{"groupId":2}`, 400, `{"message":"language: this field is required; words: this field is required"}` + "\n"},
		{"POST", "/api/synonymsgroup", `{"websiteid":"x","words":["z"],"language":"fr"}`, 200, `{"groupId":3,"words":["z"],"language":"fr","websiteid":"x"}`},
		{"GET", "/api/synonymsgroup/fr", ``, 200, `[{"groupId":3,"words":["z"],"language":"fr","websiteid":"x"}]`},
		{"GET", "/api/synonymsgroup/en", ``, 200, `[{"groupId":1,` + synonyms + `,{"groupId":2,"words":["y"],"language":"en"}]`},
	} {
		if got := l.want(step.status, step.method, step.path, step.body); got != step.want {
			t.Errorf("%s %s %s: want %s, got %s", step.method, step.path, step.body, step.want, got)
		}
	}
}

// TestSynonymDelete: the groups of both forms of the parameter go together, or none.
func TestSynonymDelete(t *testing.T) {
	for query, want := range map[string]struct {
		status int
		left   []int
	}{
		"?groupIds=2": {200, []int{1, 3}}, "?groupIds=1,2": {200, []int{3}}, "?groupIds=1%2C2": {200, []int{3}}, "?groupIds=1&groupIds=2,3": {200, nil},
		"?groupIds=2,2": {200, []int{1, 3}}, "?other=x&groupIds=1": {200, []int{2, 3}},
		"?groupIds=1,9": {status: 404}, "?groupIds=9": {status: 404},
		"": {status: 400}, "?groupIds=": {status: 400}, "?groupIds=1,": {status: 400}, "?groupIds=1,x": {status: 400}, "?groupIds=-1": {status: 400},
		"?groupIds=1&groupIds=": {status: 400}, "?groupIds=0": {status: 400}, "?groupIds=99999999999999999999": {status: 400}, "?groupIds=1;2": {status: 400},
		"?GroupIds=1": {status: 400}, "?groupIds=1,%zz": {status: 400},
	} {
		l := open(t, Options{})
		for range 3 {
			l.want(200, "POST", "/api/synonymsgroup", `{`+synonyms)
		}
		if want.status != 200 {
			l.refuses(want.status, "DELETE", "/api/synonymsgroup"+query, ``)
			want.left = []int{1, 2, 3}
		} else if got := l.want(200, "DELETE", "/api/synonymsgroup"+query, ``); got != "" {
			t.Errorf("%s: want no body, got %s", query, got)
		}
		var left []string
		for _, id := range want.left {
			left = append(left, toolSamples()[wire.KindSynonyms].with(strconv.Itoa(id)))
		}
		l.shown(wire.KindSynonyms, left...)
	}
}

// TestToolAccess: Basic alone, and each customer its own.
func TestToolAccess(t *testing.T) {
	l := open(t, Options{Extended: true})
	as := func(auth func(*http.Request), method, path, body string) reached {
		req, err := http.NewRequest(method, l.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		auth(req)
		return l.send(req)
	}
	siteKey := func(r *http.Request) { r.Header.Set("Authorization", "SiteKey MTAwMDAwMDE6NzpTZWFyY2hLZXk=") }
	wrong := func(r *http.Request) { r.SetBasicAuth("10000001", "wrong") }
	stranger := func(r *http.Request) { r.SetBasicAuth("20000001", testKey) }
	for kind, sample := range toolSamples() {
		for range 2 {
			l.want(200, "POST", sample.path, "{"+sample.body)
		}
		one := sample.path + "/2"
		for _, request := range [][2]string{{"POST", sample.path}, {"GET", one}, {"PUT", one}, {"DELETE", one}} {
			path := request[1]
			if kind == wire.KindSynonyms && request[0] != "POST" && request[0] != "GET" {
				path = sample.path + "?groupIds=2"
			}
			for status, auth := range map[int]func(*http.Request){401: wrong, 403: siteKey} {
				if got := as(auth, request[0], path, "{"+sample.body); got.status != status || got.body != `{"message":"unauthorized"}`+"\n" {
					t.Errorf("%s %s: want %d, got %+v", request[0], path, status, got)
				}
			}
			if request[0] == "POST" { // a stranger's first tool has the ID 1, whatever others have
				if got := as(stranger, "POST", path, "{"+sample.body); got.body != sample.with("1") {
					t.Errorf("a stranger made %s, got %+v", kind, got)
				}
			} else if got := as(stranger, request[0], path, `{"groupId":2,`+sample.body); got.status != 404 {
				t.Errorf("%s %s of another customer: got %+v", request[0], path, got)
			}
		}
		if got := as(stranger, "GET", "/_/tools/10000001/"+string(kind), ""); got.status != 401 {
			t.Errorf("a stranger was shown %+v", got)
		}
		l.shown(kind, sample.with("1"), sample.with("2"))
	}
}

// TestToolSwitches holds each switch for search tools against its default.
func TestToolSwitches(t *testing.T) {
	l := open(t, Options{Extended: true})
	panel := l.strike()
	for _, lost := range [][2]string{{"rankings", ranking}, {"quicklinks", quicklink}, {"banners", banner}, {"synonymsgroup", synonyms}} {
		panel.Set(strike.Fault{At: strike.After, Drop: true, Times: 1})
		if got := l.call(t.Context(), "POST", "/api/"+lost[0], "{"+lost[1]); got.err == nil {
			t.Errorf("want no answer, got %+v", got)
		}
	}
	for _, step := range []struct {
		switches           Switches
		method, path, body string
		status             int
		want               string
	}{
		{Switches{}, "GET", "/api/rankings/1", ``, 200, `{"id":1,` + ranking},
		{Switches{}, "GET", "/api/quicklinks/1", ``, 200, `{"id":1,` + quicklink},
		{Switches{}, "GET", "/api/banners/1", ``, 200, `{"id":1,` + banner},
		{Switches{}, "GET", "/api/synonymsgroup/1", ``, 200, `{"groupId":1,` + synonyms},
		{Switches{SynonymArrays: true}, "GET", "/api/synonymsgroup/1", ``, 200, `[{"groupId":1,` + synonyms + `]`},
		{Switches{SynonymArrays: true}, "GET", "/api/synonymsgroup/2", ``, 404, `{"message":"the synonyms with the ID 2 was not found"}` + "\n"},
		{Switches{NotFoundStatus: 400}, "GET", "/api/banners/2", ``, 400, `{"message":"the banner with the ID 2 was not found"}` + "\n"},
		{Switches{NotFoundStatus: 200}, "DELETE", "/api/synonymsgroup?groupIds=2", ``, 200, `{"message":"the synonyms with the ID 2 was not found"}` + "\n"},
		{Switches{}, "POST", "/api/banners", `{"name":"B","websiteid":1}`, 400, `{"htmlcode":["this field is required"]}` + "\n"},
		{Switches{FieldErrorStatus: 500}, "PUT", "/api/rankings/1", `{"WebsiteId":1}`, 500, `{"name":["this field is required"]}` + "\n"},
		{Switches{MaxBytes: 10}, "POST", "/api/banners", "{" + banner, 413, `{"message":"the body is larger than 10 bytes"}` + "\n"},
		{Switches{}, "DELETE", "/api/banners/1", ``, 200, ``},
		{Switches{}, "GET", "/api/banners/1", ``, 404, `{"message":"the banner with the ID 1 was not found"}` + "\n"},
	} {
		l.SetSwitches(step.switches)
		got := l.call(t.Context(), step.method, step.path, step.body)
		if got.status != step.status || got.body != step.want {
			t.Errorf("%s %s with %+v: want %d %s, got %+v", step.method, step.path, step.switches, step.status, step.want, got)
		}
	}
}

// TestToolsAtOnce: many clients at once each get IDs of their own and see their own
// writes.
func TestToolsAtOnce(t *testing.T) {
	const clients, rounds = 8, 5
	l := open(t, Options{Extended: true})
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			name := strconv.Itoa(n)
			for range rounds {
				made := l.call(t.Context(), "POST", "/api/quicklinks", `{"url":"made `+name+`","websiteid":1}`).body
				id := strings.TrimPrefix(strings.Split(made, ",")[0], `{"id":`)
				changed := l.call(t.Context(), "PUT", "/api/quicklinks/"+id, `{"url":"changed `+name+`","websiteid":1}`).body
				read := l.call(t.Context(), "GET", "/api/quicklinks/"+id, ``).body
				if read != changed || !strings.Contains(read, `{"id":`+id+`,"url":"changed `+name+`"`) {
					t.Errorf("client %s: made %s, changed to %s, read %s", name, made, changed, read)
				}
			}
		})
	}
	all.Wait()
	links, err := tools.All[wire.Quicklink](l.tools, testCustomer, wire.KindQuicklink)
	for i, link := range links {
		if link.ID != int64(i+1) {
			t.Errorf("link %d has the ID %d", i+1, link.ID)
		}
	}
	if err != nil || len(links) != clients*rounds {
		t.Errorf("want %d links, got %d (%v)", clients*rounds, len(links), err)
	}
}

// TestToolIDsSurvive: an ID is not given again after its tool is gone and the service
// was opened anew.
func TestToolIDsSurvive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	t.Run("before", func(t *testing.T) {
		l := open(t, Options{Path: path})
		l.want(200, "POST", "/api/banners", "{"+banner)
		l.want(200, "POST", "/api/banners", "{"+banner)
		l.want(200, "DELETE", "/api/banners/2", ``)
	})
	t.Run("after", func(t *testing.T) {
		l := open(t, Options{Path: path})
		l.shown(wire.KindBanner, `{"id":1,`+banner)
		if got := l.want(200, "POST", "/api/banners", "{"+banner); got != `{"id":3,`+banner {
			t.Errorf("want a new ID, got %s", got)
		}
	})
}
