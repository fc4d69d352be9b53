package web

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
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
	hosts := []string{"search.example", "[2001:db8::2]"}
	s := New(Options{Hosts: hosts})
	for _, test := range tests {
		r := httptest.NewRequest(http.MethodGet, "/_/openapi.json", nil)
		r.Host = test.host
		if test.local != "" {
			addr, err := net.ResolveTCPAddr("tcp", test.local)
			if err != nil {
				t.Fatal(err)
			}
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, addr))
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != map[bool]int{true: 200, false: 421}[test.want] {
			t.Errorf("at %q, Host %q: want %v, got %d", test.local, test.host, test.want, w.Code)
		}
	}
}

func get(s *Server, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "localhost"
	r.SetBasicAuth("1", "k")
	at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, at)))
	return w
}

// TestPanicIsAServerError: a fault of ours is answered as section 7 says, and
// the next request is served.
func TestPanicIsAServerError(t *testing.T) {
	s := New(Options{APIKey: "k"},
		Route{Pattern: "GET /panic", Takes: Basic, Handle: func(*Call) (Reply, error) { panic("secret detail") }},
		Route{Pattern: "GET /next", Takes: Basic, Handle: func(*Call) (Reply, error) { return OK(1, nil) }})
	for path, want := range map[string]int{"/panic": http.StatusInternalServerError, "/next": http.StatusOK} {
		w := get(s, path)
		if body := w.Body.String(); w.Code != want || strings.Contains(body, "secret") || want == 500 && !strings.Contains(body, `"code":500`) {
			t.Errorf("%s was answered %d %s", path, w.Code, body)
		}
	}
}

// TestSearchesInTurn: beyond those that are made at once, searches wait, and then are
// answered 503; other calls go on.
func TestSearchesInTurn(t *testing.T) {
	begun, end := make(chan bool), make(chan bool)
	quick := func(*Call) (Reply, error) { return OK(1, nil) }
	s := New(Options{APIKey: "k", Bounds: Bounds{Searches: 1, Wait: time.Millisecond}},
		Route{Pattern: "GET /slow", Takes: Basic, InTurn: true, Handle: func(*Call) (Reply, error) { begun <- true; <-end; return OK(1, nil) }},
		Route{Pattern: "GET /search", Takes: Basic, InTurn: true, Handle: quick},
		Route{Pattern: "GET /other", Takes: Basic, Handle: quick})
	done := make(chan int)
	go func() { done <- get(s, "/slow").Code }()
	<-begun
	if got := get(s, "/search"); got.Code != 503 || got.Header().Get("Retry-After") != "1" {
		t.Errorf("a search beyond the bound: %+v", got)
	}
	if got := get(s, "/other"); got.Code != 200 {
		t.Errorf("another call: %+v", got)
	}
	close(end)
	if code := <-done; code != 200 || get(s, "/search").Code != 200 {
		t.Errorf("the search under way: %d, and one after it", code)
	}
}

// TestTimeouts: no client keeps a connection by silence.
func TestTimeouts(t *testing.T) {
	s := New(Options{})
	running, err := s.Start("")
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	for name, bound := range map[string]time.Duration{
		"header": running.server.ReadHeaderTimeout, "body": running.server.ReadTimeout, "answer": running.server.WriteTimeout, "idle": running.server.IdleTimeout,
	} {
		if bound <= 0 || bound > 2*time.Minute {
			t.Errorf("%s: %s", name, bound)
		}
	}
}
