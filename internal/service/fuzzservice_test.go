package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// grammar is what FuzzService makes requests of: each is a choice from every list.
type grammar struct {
	methods, paths, queries, medias, credentials, bodies []string
}

func newGrammar() grammar {
	basic, key := rightBasic, rightSiteKey
	return grammar{
		methods: []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW"},
		paths: []string{
			documents, bulk, paths, "/api/rankings", "/api/rankings/1", "/api/quicklinks", "/api/quicklinks/1", "/api/banners", "/api/banners/2147483647",
			"/api/synonymsgroup", "/api/synonymsgroup/en", "/api/rankings/site/7", "/api/engine/7/quicklinks", "/api/v3/10000001/7/search/pushstat/querylog",
			"/api/v3/10000001/7/search/pushstat/clicklog", "/api/v4/10000001/7/feedback", "/api/v4/10000001/7/search/summarize/feedback",
			"/api/v4/10000001/7/search/answer/feedback", "/api/v4/10000001/7/search/answer/click", "/api/v4/10000001/7/search", "/api/v3/10000001/7/autocomplete",
			"/api/v4/10000001/7/search/answer", "/api/v4/10000001/7/search/summarize", "/api/v4/-1/0/search", "/_/crawlers/10000001/crawler-1/queue",
			"/_/openapi.json", "/_/events/10000001/7", "/", "//", "/api/../api/banners", "/%2e%2e/",
		},
		queries: []string{"", "documentId=a", "documentId=%ff", "documentId=a&documentId=b", "groupIds=1,2", "groupIds=-1", "query=a&results=5", "query=%00&results=-1", "kind=query", ";", "%"},
		medias:  []string{"application/json", "application/json; charset=UTF-8", "text/plain", "", "\x00"},
		credentials: []string{
			basic, key, "", "Basic ???", "SiteKey " + basic[6:], "Bearer " + testKey, "basic " + basic[6:], key + "=",
		},
		bodies: []string{
			"", "{}", "[]", "null", "[null]", `{"query":"a b","page":-1,"perPage":1e9,"filters":[{"a":[]}],"sort":1}`, `{"query":"*","facets":{}}`, `[{"id":"a","fields":{"Title":"b"}}]`,
			`{"name":"r","WebsiteId":7,"pages":[{"rank":1,"showpage":true,"page":{}}],"rankingterms":[{"name":"a"}]}`,
			`{"name":"b","htmlcode":"<b>","websiteid":7,"bannerterms":[{"name":"a"}],"from":"2024-01-01T00:00:00Z"}`, `{"url":"https://x.example/","websiteid":7,"terms":[{"name":"a"}]}`,
			`{"words":["a","b"],"language":"en"}`, `{"sw":"a","qid":"b","dt":"mobile","ls":"banner"}`, `{"rating":"positive","feedbackId":"x"}`,
			`{"conversationId":"a","exchangeId":"b","rating":"POSITIVE","url":"c","summaryId":"d"}`, `{"a":{"operator":"Eq","values":["b"]}}`, `["https://x.example/"]`, "\xff", strings.Repeat("[", 20000),
		},
	}
}

// pick returns the choice of one byte.
func pick(list []string, b byte) string { return list[int(b)%len(list)] }

// FuzzService sends requests made of the grammar with foreign bytes let in: none
// fails, every refusal has a shape of section 7, and the key is never shown.
func FuzzService(f *testing.F) {
	g := newGrammar()
	for i := range byte(40) {
		f.Add([]byte{i % 5, i, i % 11, 0, i % 2, i}, "", "", "")
	}
	f.Add([]byte{1, 9, 0, 0, 0, 11}, "/1", "&x=ø", `{"a":1}`)
	f.Add([]byte{0, 4, 0, 0, 0, 0}, "/..%2f", "%zz", "\x00")
	log := &bytes.Buffer{}
	handler := slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})
	s := open(f, Options{Extended: true, Logger: slog.New(handler)})
	f.Fuzz(func(t *testing.T, choice []byte, path, query, body string) {
		choice = append(choice, make([]byte, 6)...)
		target, err := url.ParseRequestURI(pick(g.paths, choice[1]) + path)
		if err != nil || strings.Contains(path+query+body, testKey) {
			t.Skip("no request, or one that is said to show the key")
		}
		target.RawQuery = pick(g.queries, choice[2]) + query
		r := &http.Request{
			Method: pick(g.methods, choice[0]), URL: target, Header: http.Header{},
			Body: io.NopCloser(strings.NewReader(pick(g.bodies, choice[5]) + body)),
		}
		r.Header.Set("Content-Type", pick(g.medias, choice[3]))
		if credentials := pick(g.credentials, choice[4]); credentials != "" {
			r.Header.Set("Authorization", credentials)
		}
		log.Reset()
		w := direct(s, r)
		if w.Code >= 500 || w.Code/100 == 3 || w.Code/100 == 4 && r.Method != http.MethodHead && !isRefusal(w.Body.Bytes()) {
			t.Errorf("%s %s %q: answered %d %s, logged %s", r.Method, target, body, w.Code, w.Body, log)
		}
		shown := map[string]string{"body": w.Body.String(), "header": fmt.Sprint(w.Header()), "log": log.String()}
		for where, text := range shown {
			if strings.Contains(text, testKey) || strings.Contains(text, "MTAwMDAwMDE6") {
				t.Errorf("%s %s: the key is in the %s", r.Method, target, where)
			}
		}
	})
}

// isRefusal reports whether a body has one of the shapes of section 7.
func isRefusal(body []byte) bool {
	var fields map[string][]string
	if json.Unmarshal(body, &fields) == nil {
		return len(fields) > 0
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	var message struct{ Message string }
	if err := dec.Decode(&message); err == nil {
		return message.Message != ""
	}
	var failed struct {
		Failed *int
		Reason *string
	}
	return json.Unmarshal(body, &failed) == nil && failed.Failed != nil && failed.Reason != nil
}
