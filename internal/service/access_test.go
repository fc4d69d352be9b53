package service

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHosts(t *testing.T) {
	tests := []struct {
		local, host string
		want        bool
	}{
		{"127.0.0.1:80", "127.0.0.1", true},
		{"127.0.0.1:8080", "127.0.0.1:8080", true},
		{"127.0.0.1:8080", "LocalHost:8080", true},
		{"[::1]:8080", "[::1]:8080", true},
		{"[::1]:80", "[::1]", true},
		{"[::ffff:127.0.0.1]:8080", "127.0.0.2:8080", true},
		{"127.0.0.1:8080", "127.0.0.1", false},
		{"127.0.0.1:8080", "127.0.0.1:8081", false},
		{"127.0.0.1:8080", "", false},
		{"127.0.0.1:8080", "evil.example:8080", false},
		{"127.0.0.1:8080", "localhost.evil.example:8080", false},
		{"127.0.0.1:8080", "127.0.0.1.evil.example:8080", false},
		{"127.0.0.1:8080", "192.0.2.1:8080", false},
		{"127.0.0.1:8080", "search.example:8080", false},
		{"192.0.2.1:8080", "192.0.2.1:8080", true},
		{"192.0.2.1:8080", "[::ffff:192.0.2.1]:8080", true},
		{"192.0.2.1:80", "192.0.2.1", true},
		{"[fe80::1%eth0]:8080", "[fe80::1]:8080", true},
		{"192.0.2.1:8080", "Search.Example:8080", true},
		{"192.0.2.1:8080", "[2001:db8::2]:8080", true},
		{"192.0.2.1:8080", "192.0.2.1", false},
		{"192.0.2.1:8080", "search.example", false},
		{"192.0.2.1:8080", "search.example:8081", false},
		{"192.0.2.1:8080", "search.example.evil:8080", false},
		{"192.0.2.1:8080", "evil.search.example:8080", false},
		{"192.0.2.1:8080", "192.0.2.2:8080", false},
		{"192.0.2.1:8080", "localhost:8080", false},
		{"192.0.2.1:8080", "127.0.0.1:8080", false},
		{"192.0.2.1:8080", "anything.example:8080", false},
		{"", "localhost:1", false},
		{"", "evil.example", false},
	}
	for _, test := range tests {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = test.host
		if test.local != "" {
			addr, err := net.ResolveTCPAddr("tcp", test.local)
			if err != nil {
				t.Fatal(err)
			}
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, addr))
		}
		if got := hostAllowed(r, []string{"search.example", "[2001:db8::2]"}); got != test.want {
			t.Errorf("at %q, Host %q: want %v, got %v", test.local, test.host, test.want, got)
		}
	}
}

func TestForeignHostIsTurnedAway(t *testing.T) {
	l := open(t, Options{})
	for _, path := range []string{documents, "/_/crawlers/1/x/queue", "/"} {
		req, err := http.NewRequest(http.MethodPut, l.url+path, strings.NewReader(`[]`))
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth("10000001", testKey)
		req.Host = "evil.example"
		if got := l.send(req); got.status != http.StatusMisdirectedRequest {
			t.Errorf("%s: want 421, got %+v", path, got)
		}
	}
}

// TestCredentials covers what the conformance suite can't: our own paths, the
// catch-all that a credentials check reads, and a service for one customer.
func TestCredentials(t *testing.T) {
	const own = "/_/crawlers/10000001/crawler-1/documents"
	tests := []struct {
		only            int64
		path, user, key string
		want            int
	}{
		{0, "/api/rankings/0", "10000001", testKey, 404},
		{0, "/api/rankings/0", "10000001", "wrong", 401},
		{0, "/api/rankings/0", "", "", 401},
		{0, "/api/rankings/0", "someone", testKey, 401},
		{0, "/api/rankings/0", "0", testKey, 401},
		{0, "/api/rankings/0", "-10000001", testKey, 401},
		{0, "/api/rankings/0", "+10000001", testKey, 401},
		{0, "/api/rankings/0", "010000001", testKey, 401},
		{0, own, "0", testKey, 401},
		{10000001, "/api/rankings/0", "10000001", testKey, 404},
		{10000001, "/api/rankings/0", "10000002", testKey, 401},
		{0, own, "10000001", testKey, 200},
		{0, own, "10000002", testKey, 401},
		{0, own, "10000001", "", 401},
	}
	for _, test := range tests {
		l := open(t, Options{CustomerID: test.only})
		req, err := http.NewRequest(http.MethodGet, l.url+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if test.user != "" {
			req.SetBasicAuth(test.user, test.key)
		}
		got := l.send(req)
		if got.status != test.want || (got.status == 401) != (got.header.Get("WWW-Authenticate") != "") {
			t.Errorf("%s as %q with only %d let in: want %d, got %+v", test.path, test.user, test.only, test.want, got)
		}
	}
}

// TestKeyIsNeverShown drives every kind of answer and looks for the key in the
// answers and in the log.
func TestKeyIsNeverShown(t *testing.T) {
	var log bytes.Buffer
	l := open(t, Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	var shown strings.Builder
	for _, step := range []struct{ method, path, body string }{
		{"PUT", documents, `[{"id":"a","fields":{}},{"id":"b"}]`}, {"DELETE", documents + "?documentId=a", ``}, {"POST", bulk, `{}`},
		{"GET", "/_/crawlers/10000001/crawler-1/queue", ``}, {"GET", "/api/none", ``}, {"GET", documents, ``},
	} {
		got := l.call(t.Context(), step.method, step.path, step.body)
		shown.WriteString(got.body)
		for name, values := range got.header {
			shown.WriteString(name + strings.Join(values, ""))
		}
	}
	if err := l.db.Close(); err != nil {
		t.Fatal(err)
	}
	failed := l.want(http.StatusInternalServerError, "PUT", documents, `[{"id":"a","fields":{}}]`)
	if !strings.Contains(failed, `"status":"InternalServerError","code":500`) || !strings.Contains(log.String(), "call failed") {
		t.Errorf("want a logged server error, got %s", failed)
	}
	for where, text := range map[string]string{"answers": shown.String() + failed, "log": log.String()} {
		if strings.Contains(text, testKey) || strings.Contains(text, "MTAwMDAwMDE6") || len(text) == 0 {
			t.Errorf("the key is in the %s, or they are empty", where)
		}
	}
}

// TestPanicIsAServerError: a fault of ours is answered as section 7 says, and
// the next request is served.
func TestPanicIsAServerError(t *testing.T) {
	l := open(t, Options{})
	l.mux.HandleFunc("/panic", l.answer(route{"/panic", EndpointOther, takesBasic, func(*call) (reply, error) { panic("secret detail") }}))
	body := l.want(http.StatusInternalServerError, "GET", "/panic", ``)
	if !strings.Contains(body, `"code":500`) || strings.Contains(body, "secret") {
		t.Errorf("a panic was answered %s", body)
	}
	l.want(200, "PUT", documents, `[]`)
}

func TestEncodedBodyIsRefused(t *testing.T) {
	l := open(t, Options{})
	req, err := http.NewRequest(http.MethodPut, l.url+documents, strings.NewReader(`[]`))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("10000001", testKey)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Content-Encoding", "gzip")
	if got := l.send(req); got.status != http.StatusUnsupportedMediaType {
		t.Errorf("want 415, got %+v", got)
	}
}

// TestOffLoopback: switches and an address that others reach exclude each other, and
// so do a well-known key and that address.
func TestOffLoopback(t *testing.T) {
	l := open(t, Options{})
	for _, set := range []Switches{{PatchUpserts: true}, {MismatchStatus: 409}, {CheckQueryIDs: true}, {AcceptForeignIDs: true}, {Faults: []Fault{{Status: 500}}}} {
		if err := l.SetSwitches(set); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Start("0.0.0.0:0"); !errors.Is(err, ErrExposed) {
			t.Errorf("started off loopback with %+v: %v", set, err)
		}
	}
	if err := l.SetSwitches(Switches{}); err != nil {
		t.Fatal(err)
	}
	running, err := l.Start("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.SetSwitches(Switches{AcceptForeignIDs: true}); !errors.Is(err, ErrExposed) {
		t.Errorf("a switch was set off loopback: %v", err)
	}
	if err := running.Close(); running.Loopback || err != nil {
		t.Fatalf("on loopback alone: %v, %v", running.Loopback, err)
	}
	l = open(t, Options{LoopbackOnly: true})
	for _, address := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		if _, err := l.Start(address); !errors.Is(err, ErrLoopbackOnly) {
			t.Errorf("started at %s with a well-known key: %v", address, err)
		}
	}
}
