package transport

import (
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// testProxy is a proxy that answers for every http host itself and leads every
// CONNECT to one server.
type testProxy struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string                         // "METHOD address", in order
	seen  map[string]http.Header           // by that
	say   func(*http.Request) (status int) // 0: as a proxy does
}

func newTestProxy(t *testing.T, target string) *testProxy {
	t.Helper()
	p := &testProxy{seen: map[string]http.Header{}}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		key := r.Method + " " + r.RequestURI
		p.asked, p.seen[key] = append(p.asked, key), r.Header.Clone()
		p.mu.Unlock()
		switch {
		case p.say != nil && p.say(r) != 0:
			w.WriteHeader(p.say(r))
		case r.Method == http.MethodConnect:
			tunnel(w, target)
		default:
			io.WriteString(w, "proxied")
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func tunnel(w http.ResponseWriter, target string) {
	to, err := net.Dial("tcp", target)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer to.Close()
	from, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer from.Close()
	io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
	go io.Copy(to, from)
	io.Copy(from, to)
}

// tlsSite speaks HTTP/2 as host and keeps the header of the last request.
func tlsSite(t *testing.T) (server *httptest.Server, roots *x509.CertPool, last *http.Header) {
	t.Helper()
	last = new(http.Header)
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*last = r.Header.Clone()
		io.WriteString(w, r.Proto)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	roots = x509.NewCertPool()
	roots.AddCert(server.Certificate()) // for example.com
	return server, roots, last
}

func proxyTo(t *testing.T, setting string, o Options) *http.Client {
	t.Helper()
	var err error
	if o.Proxy, err = ReadProxy("fetch.proxy", setting, o.Credentials); err != nil {
		t.Fatal(err)
	}
	_, client := transportTo(t, o, "http://example.com/")
	return client
}

// TestProxyLogins: what is for the proxy goes to the proxy, what is for the site to
// the site.
func TestProxyLogins(t *testing.T) {
	site, roots, last := tlsSite(t)
	p := newTestProxy(t, site.Listener.Addr().String())
	client := proxyTo(t, p.URL, Options{RootCAs: roots, Timeout: time.Minute, Credentials: []Credential{
		{Origin: p.URL, User: "u", Password: "p"},
		{Origin: "https://example.com", User: "x", Password: "y", Headers: map[string]document.Secret{"X-Token": "t"}},
	}})
	for address, want := range map[string]string{"https://example.com/": "HTTP/2.0", "http://example.com/": "proxied"} {
		resp, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		if body, _ := io.ReadAll(resp.Body); string(body) != want {
			t.Errorf("%s: %q, want %q", address, body, want)
		}
		resp.Body.Close()
	}
	for _, asked := range []string{"CONNECT example.com:443", "GET http://example.com/"} {
		if h := p.seen[asked]; h.Get("Proxy-Authorization") != "Basic dTpw" || h.Get("Authorization") != "" || h.Get("X-Token") != "" {
			t.Errorf("the proxy got %v with %s", h, asked)
		}
	}
	if h := *last; h.Get("Proxy-Authorization") != "" || h.Get("Authorization") != "Basic eDp5" || h.Get("X-Token") != "t" {
		t.Errorf("the site got %v", h)
	}
}

// TestProxyOddAddress: a proxy is asked for an address byte for byte, also where net/url would
// write it differently.
func TestProxyOddAddress(t *testing.T) {
	p := newTestProxy(t, "")
	client := proxyTo(t, p.URL, Options{})
	for _, address := range []string{"http://a.example/a%2Fb|c?d|e", "http://a.example//x|%2F", "http://a.example/plain?x"} {
		u, err := weburl.ForRequest(address)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Transport.RoundTrip((&http.Request{Method: http.MethodGet, URL: u, Host: u.Host}).WithContext(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := p.asked[len(p.asked)-1]; got != "GET "+address {
			t.Errorf("%s: the proxy was asked for %q", address, got)
		}
	}
}

// TestProxyGuard: literal addresses and this machine are refused before the proxy
// is asked, whatever their spelling; hosts that it is not for are dialled by the guard.
func TestProxyGuard(t *testing.T) {
	p := newTestProxy(t, "")
	t.Setenv("HTTP_PROXY", p.URL)
	t.Setenv("HTTPS_PROXY", p.URL)
	t.Setenv("NO_PROXY", "intra.test")
	proxy, err := ReadProxy("fetch.proxy", "env", nil)
	if err != nil {
		t.Fatal(err)
	}
	guard, dialled := testGuard(t, guardNames{"intra.test": {{"10.0.0.1"}}, "localhost": {{"127.0.0.1"}}}, []string{"http://www.test/"})
	client := &http.Client{Transport: New(Options{Guard: guard, Proxy: proxy})}
	for _, address := range []string{
		"http://10.0.0.1/", "http://0xa000001/", "https://192.168.0.1/", "http://[fd00:ec2::254]/", "http://[::ffff:a9fe:a9fe]/", "http://169.254.169.254/",
		"http://127.0.0.1/", "http://2130706433/", "http://127.1:8080/", "http://localhost/", "http://LOCALHOST./", "http://a.localhost/",
		"http://intra.test/",
	} {
		var refusal *RefusedError
		if _, err := client.Get(address); !errors.As(err, &refusal) {
			t.Errorf("%s: %v, want a refusal", address, err)
		}
	}
	if len(p.asked) > 0 || len(dialled.addresses) > 0 {
		t.Errorf("the proxy was asked for %v; dialled %v", p.asked, dialled.addresses)
	}
	resp, err := client.Get("http://www.test/")
	if err != nil || len(p.asked) != 1 {
		t.Fatalf("%v, the proxy was asked for %v", err, p.asked)
	}
	resp.Body.Close()
}

func TestProxyThatRefuses(t *testing.T) {
	p := newTestProxy(t, "")
	client := proxyTo(t, p.URL, Options{})
	check := func(address string, parts ...string) {
		t.Helper()
		resp, err := client.Get(address)
		if err == nil {
			resp.Body.Close()
			t.Errorf("%s: no error", address)
			return
		}
		for _, part := range parts {
			if got := Explain(err); !strings.Contains(got, part) {
				t.Errorf("%s: %q does not hold %q", address, got, part)
			}
		}
	}
	check("https://example.com/", "the proxy "+p.URL+" did not connect to the host (502)")
	p.say = func(*http.Request) int { return http.StatusProxyAuthRequired }
	for _, address := range []string{"http://example.com/", "https://example.com/"} {
		check(address, "wants a user and password (407)", `[[fetch.auth]] with origin = "`+p.URL+`"`)
	}
	p.Close()
	client.CloseIdleConnections()
	check("http://example.com/", "the proxy (fetch.proxy) can't be reached: connection refused by "+p.Listener.Addr().String())
}

func TestReadProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "")
	t.Setenv("HTTPS_PROXY", "http://u:hunter2@proxy.test:3128")
	for _, test := range []struct{ setting, http, https, note, fails string }{
		{setting: ""},
		{setting: "env", https: "http://u:hunter2@proxy.test:3128", note: "through http://proxy.test:3128 (fetch.proxy)"},
		{setting: "http://other.test", http: "http://other.test", https: "http://other.test", note: "through http://other.test (fetch.proxy)"},
		{setting: "http://", fails: "no address"},
		{setting: "http://u:hunter2@ proxy/", fails: "no address"},
		{setting: "http://login.test", fails: "http://login.test is a proxy"},
	} {
		p, err := ReadProxy("fetch.proxy", test.setting, []Credential{{Origin: "http://login.test/", Headers: map[string]document.Secret{"X": "hunter2"}}})
		if test.fails != "" || err != nil {
			if err == nil || test.fails == "" || !strings.Contains(err.Error(), test.fails) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%q: %v, want %q", test.setting, err, test.fails)
			}
			continue
		}
		if note := p.Note(); (note == "") != (test.note == "") || !strings.Contains(note, test.note) || strings.Contains(note, "hunter2") {
			t.Errorf("%q: note %q", test.setting, note)
		}
		if p == nil {
			continue
		}
		for address, want := range map[string]string{"http://a.test/": test.http, "https://a.test/": test.https, "http://127.0.0.1/": "", "http://localhost:1/": ""} {
			req := httptest.NewRequest(http.MethodGet, address, nil)
			got := ""
			if u, err := p.Of(req.URL); err != nil {
				t.Error(err)
			} else if u != nil {
				got = u.String()
			}
			if got != want {
				t.Errorf("%q: %s goes by %q, want %q", test.setting, address, got, want)
			}
		}
	}
}
