package service

import (
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"sitesync/internal/wire"
)

const listed = "https://www.example.com"

// cross sends a request as a browser does for a page of an origin, a preflight where
// asks names a method.
func (l *local) cross(origin, authorization, method, path, asks string) reached {
	l.t.Helper()
	req, err := http.NewRequest(method, l.url+path, strings.NewReader(`{}`))
	if err != nil {
		l.t.Fatal(err)
	}
	req.Header.Set("Origin", origin)
	if asks != "" {
		req.Header.Set("Access-Control-Request-Method", asks)
		req.Header.Set("Access-Control-Request-Headers", "authorization,content-type")
	} else {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", authorization)
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
		{listed, "", "OPTIONS", answer, "GET", 401, false},
		{listed, "", "OPTIONS", answer, "", 401, false},
		{listed, "", "OPTIONS", documents, "PUT", 401, false},
		{listed, "", "OPTIONS", bulk, "POST", 401, false},
		{listed, "", "OPTIONS", "/_/events/10000001/7", "GET", 401, false},
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
	if got := closed.cross(listed, "", "OPTIONS", answer, "POST"); got.status != 401 || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("without listed origins: %+v", got)
	}
}

// TestAccessOptions: what is no origin and no host name is refused with the right form.
func TestAccessOptions(t *testing.T) {
	for origin, says := range map[string]string{
		listed: "", "http://localhost:3000": "", "https://xn--bcher-kva.example": "", "http://[::1]:8080": "",
		listed + "/": listed, listed + ":443": listed, "HTTPS://WWW.example.com": listed, listed + "/search?x": listed, "https://u:p@www.example.com": listed,
		"*": "write it as", "null": "write it as", "www.example.com": "write it as", "https://*.example.com": "write it as", "ftp://x.example": "write it as", "": "write it as",
	} {
		if err := CheckOrigin(origin); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("origin %q: %v", origin, err)
		}
	}
	for host, right := range map[string]bool{
		"search.example.com": true, "192.0.2.1": true, "[2001:db8::1]": true, "box": true,
		"": false, "*": false, "*.example.com": false, "Search.example.com": false, "search.example.com:80": false, "search.example.com:8080": false,
		"http://search.example.com": false, "search.example.com/": false, "a b": false, "u@h": false, "2001:db8::1": false,
	} {
		if err := CheckHost(host); (err == nil) != right {
			t.Errorf("host %q: %v", host, err)
		}
	}
	path := filepath.Join(t.TempDir(), "service.db")
	for _, wrong := range []Options{{Origins: []string{"*"}}, {Origins: []string{listed, "https://*.example.com"}}, {Hosts: []string{"*"}}} {
		wrong.Path, wrong.APIKey = path, testKey
		if s, err := Open(wrong); err == nil {
			t.Errorf("%+v was opened", wrong)
			s.Close()
		}
	}
}

// TestReachedFromElsewhere listens at all addresses and calls over an address of this
// machine off loopback, where it has one.
func TestReachedFromElsewhere(t *testing.T) {
	l := open(t, Options{Hosts: []string{"search.example"}})
	running, err := l.Start("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() })
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(running.URL, "http://"))
	hosts := map[string]map[string]int{ // by the address dialled
		"127.0.0.1": {"127.0.0.1": 200, "localhost": 200, "search.example": 421, "evil.example": 421},
	}
	if own := elsewhere(t); own != "" {
		hosts[own] = map[string]int{own: 200, "search.example": 200, "localhost": 421, "127.0.0.1": 421, "evil.example": 421}
	} else {
		t.Log("this machine has no address off loopback")
	}
	for address, table := range hosts {
		l.url = "http://" + net.JoinHostPort(address, port)
		for host, want := range table {
			req, err := http.NewRequest("GET", l.url+"/_/openapi.json", nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = net.JoinHostPort(host, port)
			if got := l.send(req); got.status != want {
				t.Errorf("at %s, Host %s: want %d, got %+v", address, req.Host, want, got)
			}
		}
	}
}

// elsewhere returns an IPv4 address of this machine that others may reach, or nothing.
func elsewhere(t *testing.T) string {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range addresses {
		if n, ok := address.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	return ""
}

// TestOwnPages: the index and the list of crawlers.
func TestOwnPages(t *testing.T) {
	l := open(t, Options{CustomerID: testCustomer})
	l.want(200, "PUT", documents, `[{"id":"a","fields":{}},{"id":"b","fields":{}}]`)
	l.want(200, "POST", paths, `["https://x.example/"]`)
	l.want(200, "PUT", "/_/crawlers/10000001/other/active", `true`)
	want := `[{"crawler":"crawler-1","active":false,"documents":2,"queued":1},{"crawler":"other","active":true,"documents":0,"queued":0}]` + "\n"
	if got := l.want(200, "GET", "/_/crawlers/10000001", ``); got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}
