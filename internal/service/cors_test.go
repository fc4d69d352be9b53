package service

import (
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

const listed = "https://www.example.com"

// cross sends a request as a browser does for a page of an origin, a preflight where
// asks names a method.
func (l *local) cross(origin, authorization, method, path, asks string) reached {
	l.t.Helper()
	req := l.request(method, path, `{}`)
	req.Header.Set("Origin", origin)
	req.Header.Set("Authorization", authorization)
	if asks != "" {
		req.Header = http.Header{
			"Origin": {origin}, "Access-Control-Request-Method": {asks}, "Access-Control-Request-Headers": {"authorization,content-type"},
		}
	}
	return l.send(req)
}

// TestCORS: pages of a listed origin alone, and on operations that take a SiteKey alone;
// a preflight needs no credentials.
func TestCORS(t *testing.T) {
	l := open(t, Options{Origins: []string{listed, "http://localhost:3000"}})
	feedback, answer := eventPaths[wire.EventFeedback], eventPaths[wire.EventAnswerFeedback]
	tests := []struct {
		origin, authorization, method, path, asks string
		status                                    int
		allowed                                   bool
	}{
		{listed, "", "OPTIONS", feedback, "POST", 204, true},
		{"http://localhost:3000", "", "OPTIONS", answer, "POST", 204, true},
		{"http://localhost:3001", "", "OPTIONS", answer, "POST", 204, false},
		{"https://www.example.com.evil.example", "", "OPTIONS", answer, "POST", 204, false},
		{"http://www.example.com", "", "OPTIONS", answer, "POST", 204, false},
		{"null", "", "OPTIONS", answer, "POST", 204, false},
		{"*", "", "OPTIONS", answer, "POST", 204, false},
		{listed, "", "OPTIONS", answer, "GET", 405, false},
		{listed, "", "OPTIONS", answer, "", 405, false},
		{listed, "", "OPTIONS", documents, "PUT", 405, false},
		{listed, "", "OPTIONS", bulk, "POST", 405, false},
		{listed, "", "OPTIONS", "/_/events/10000001/7", "GET", 405, false},
		{listed, rightSiteKey, "POST", feedback, "", 200, true},
		{listed, rightSiteKey, "POST", answer, "", 400, true},
		{listed, "SiteKey x", "POST", answer, "", 401, true},
		{listed, siteKey("10000001:8:SearchKey"), "POST", answer, "", 403, true},
		{"https://evil.example", rightSiteKey, "POST", feedback, "", 200, false},
		{listed, rightBasic, "PUT", documents, "", 400, false},
		{listed, rightSiteKey, "PUT", documents, "", 403, false},
		{listed, rightBasic, "GET", "/_/events/10000001/7", "", 200, false},
		{listed, rightBasic, "POST", "/api/none", "", 404, false},
	}
	for _, test := range tests {
		got := l.cross(test.origin, test.authorization, test.method, test.path, test.asks)
		want := ""
		if test.allowed {
			want = test.origin
		}
		if got.status != test.status || got.header.Get("Access-Control-Allow-Origin") != want || got.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s %s (%s) from %s: want %d and origin %q, got %+v", test.method, test.path, test.asks, test.origin, test.status, want, got)
		}
		if test.allowed && test.asks != "" && (got.header.Get("Access-Control-Allow-Methods") != "POST" || got.header.Get("Access-Control-Allow-Headers") != "authorization,content-type") {
			t.Errorf("preflight of %s: %+v", test.path, got)
		}
	}
	for name, values := range l.cross(listed, rightBasic, "PUT", documents, "").header {
		if strings.HasPrefix(name, "Access-Control-") || name == "Vary" {
			t.Errorf("an endpoint of Basic alone sends %s: %v", name, values)
		}
	}
	closed := open(t, Options{})
	if got := closed.cross(listed, "", "OPTIONS", answer, "POST"); got.status != 405 || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("without listed origins: %+v", got)
	}
}

// TestAccessOptions: what is no origin and no host name is refused.
func TestAccessOptions(t *testing.T) {
	for origin, right := range map[string]bool{
		listed: true, "http://localhost:3000": true, "https://xn--bcher-kva.example": true, "http://[::1]:8080": true,
		listed + "/": false, listed + ":443": false, "HTTPS://WWW.example.com": false, listed + "/search?x": false, "https://u:p@www.example.com": false,
		"*": false, "null": false, "www.example.com": false, "https://*.example.com": false, "ftp://x.example": false, "": false,
	} {
		if err := web.CheckOrigin(origin); (err == nil) != right {
			t.Errorf("origin %q: %v", origin, err)
		}
	}
	for host, right := range map[string]bool{
		"search.example.com": true, "192.0.2.1": true, "[2001:db8::1]": true, "box": true,
		"": false, "*": false, "*.example.com": false, "Search.example.com": false, "search.example.com:80": false, "search.example.com:8080": false,
		"http://search.example.com": false, "search.example.com/": false, "a b": false, "u@h": false, "2001:db8::1": false,
	} {
		if err := web.CheckHost(host); (err == nil) != right {
			t.Errorf("host %q: %v", host, err)
		}
	}
}

// TestOwnPages: what a crawler holds, and its queue.
func TestOwnPages(t *testing.T) {
	l := open(t, Options{CustomerID: testCustomer})
	l.want(200, "PUT", documents, `[{"id":"a","fields":{}},{"id":"b","fields":{}}]`)
	l.want(200, "POST", paths, `["https://x.example/"]`)
	l.want(200, "PUT", "/_/crawlers/10000001/other/active", `true`)
	for path, want := range map[string]string{
		"crawler-1/documents": `[{"id":"a","fields":{},"type":"PageContent"},{"id":"b","fields":{},"type":"PageContent"}]`,
		"crawler-1/queue":     `{"active":false,"urls":["https://x.example/"]}`, "other/queue": `{"active":true,"urls":[]}`,
	} {
		if got := l.want(200, "GET", "/_/crawlers/10000001/"+path, ``); got != want+"\n" {
			t.Errorf("%s: want %s, got %s", path, want, got)
		}
	}
}
