package transport

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"sitesync/internal/document"
)

// transportTo returns a transport that may connect to the given servers, and a
// client on it that follows no redirect.
func transportTo(t *testing.T, o Options, starts ...string) (*Transport, *http.Client) {
	t.Helper()
	guard, err := NewGuard(starts, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Guard = guard
	transport := New(o)
	t.Cleanup(transport.CloseIdleConnections)
	return transport, &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func TestTransportSendsCredentialsToTheirOriginOnly(t *testing.T) {
	seen := map[string]http.Header{}
	record := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen[r.Host+r.URL.Path] = r.Header.Clone()
	})
	own, other := httptest.NewServer(record), httptest.NewServer(record)
	defer own.Close()
	defer other.Close()
	_, client := transportTo(t, Options{Credentials: []Credential{
		{Origin: own.URL + "/", User: "u", Password: "p", Headers: map[string]document.Secret{"X-Token": "t"}},
		{Origin: "https://" + strings.TrimPrefix(other.URL, "http://"), User: "x", Password: "y"},
		{Origin: "not an address", User: "x"},
	}}, own.URL, other.URL)
	for _, address := range []string{own.URL + "/a", other.URL + "/a"} {
		req, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "" // only the address counts
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		for _, name := range []string{"Authorization", "X-Token", "Accept-Encoding"} {
			if req.Header.Get(name) != "" || resp.Request.Header.Get(name) != "" {
				t.Errorf("%s: the request of the caller holds %s", address, name)
			}
		}
	}
	host := func(server *httptest.Server) string { return strings.TrimPrefix(server.URL, "http://") }
	if got := seen[host(own)+"/a"]; got.Get("Authorization") != "Basic dTpw" || got.Get("X-Token") != "t" || got.Get("Accept-Encoding") != "gzip" {
		t.Errorf("own origin got %v", got)
	}
	if got := seen[host(other)+"/a"]; got == nil || got.Get("Authorization") != "" || got.Get("X-Token") != "" {
		t.Errorf("other origin got %v", got)
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	c := Credential{Origin: "https://a.test", User: "u", Password: "hunter2", Headers: map[string]document.Secret{"X-Token": "hunter2"}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb+"\n", c, c.Password)
	}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "credential", c, "password", c.Password)
	slog.New(slog.NewTextHandler(&out, nil)).Info("m", "credential", c, "password", c.Password)
	json.NewEncoder(&out).Encode(c)
	out.WriteString(c.Password.String())
	for _, form := range []string{"hunter2", fmt.Sprintf("%x", "hunter2")} {
		if strings.Contains(out.String(), form) {
			t.Errorf("printed:\n%s", out.String())
		}
	}
}

// TestTransportHTTP2: pages come over HTTP/2 to as many workers as there may be, also where
// the server answers one at a time.
func TestTransportHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto, " ", r.URL.Path) }))
	server.EnableHTTP2 = true
	server.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 1}
	server.StartTLS()
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	_, client := transportTo(t, Options{Timeout: time.Minute, Concurrency: 16, RootCAs: roots}, server.URL)
	var group sync.WaitGroup
	for worker := range 16 {
		group.Go(func() {
			for i := range 20 {
				path := fmt.Sprintf("/%d/%d", worker, i)
				resp, err := client.Get(server.URL + path)
				if err != nil {
					t.Error(err)
					return
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if string(body) != "HTTP/2.0 "+path || err != nil {
					t.Errorf("%s: %q, %v", path, body, err)
				}
			}
		})
	}
	group.Wait()
}

func TestExplainCertificates(t *testing.T) {
	day := 24 * time.Hour
	now := time.Now()
	for _, test := range []struct {
		name          string
		host          string
		before, after time.Time
		trusted       bool
		parts         []string
	}{
		{"expired", "127.0.0.1", now.Add(-20 * day), now.Add(-10 * day), true, []string{"outside its dates", now.Add(-10 * day).UTC().Format(time.DateOnly)}},
		{"not yet", "127.0.0.1", now.Add(10 * day), now.Add(20 * day), true, []string{"outside its dates"}},
		{"other host", "www.example.com", now.Add(-day), now.Add(day), true, []string{"is not for 127.0.0.1; it is for www.example.com"}},
		{"unknown issuer", "127.0.0.1", now.Add(-day), now.Add(day), false, []string{"an issuer that this machine does not trust"}},
	} {
		certificate := testCertificate(t, test.host, test.before, test.after)
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
		server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
		server.StartTLS()
		roots := x509.NewCertPool()
		if test.trusted {
			roots.AddCert(certificate.Leaf)
		}
		_, client := transportTo(t, Options{RootCAs: roots}, server.URL)
		_, err := client.Get(server.URL)
		server.Close()
		if err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		for _, part := range append(test.parts, "certificate", "CN=Sample "+test.host) {
			if got := Explain(err); !strings.Contains(got, part) {
				t.Errorf("%s: %q has no %q", test.name, got, part)
			}
		}
	}
}

func testCertificate(t *testing.T, host string, before, after time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Sample " + host}, NotBefore: before, NotAfter: after,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// Each case is a real exchange that goes wrong.
func TestExplainError(t *testing.T) {
	hijack := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			io.WriteString(conn, answer)
			conn.Close()
		}
	}
	release := make(chan struct{})
	defer close(release)
	wait := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		change  func(*Transport, *Guard)
		scheme  string
		want    string
	}{
		"headers": {handler: wait, change: func(t *Transport, _ *Guard) { t.http.ResponseHeaderTimeout = time.Millisecond }, want: "time-out while waiting for response headers"},
		"connect": {change: func(_ *Transport, g *Guard) {
			g.Dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
				addr := net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.7:80"))
				return nil, &net.OpError{Op: "dial", Net: network, Addr: addr, Err: context.DeadlineExceeded}
			}
		}, want: "time-out while connecting to 192.0.2.7:80"},
		"name": {change: func(_ *Transport, g *Guard) {
			g.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, fmt.Errorf("look up a.test: %w", &net.DNSError{Err: "no such host", Name: "a.test", IsNotFound: true})
			}
		}, want: "the name a.test has no address (DNS)"},
		"silent close":   {handler: hijack(""), want: "the server closed the connection without an answer"},
		"no TLS":         {handler: wait, scheme: "https", want: "the server does not speak TLS at this port"},
		"no HTTP":        {handler: hijack("SSH-2.0\r\n\r\n"), want: "malformed HTTP"},
		"endless header": {handler: hijack("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 300<<10) + "\r\n\r\n"), want: "header"},
	} {
		server := httptest.NewServer(test.handler)
		address := server.URL
		if test.scheme != "" {
			address = test.scheme + strings.TrimPrefix(address, "http")
		}
		transport, client := transportTo(t, Options{}, address)
		if test.change != nil {
			guard, err := NewGuard([]string{address}, nil)
			if err != nil {
				t.Fatal(err)
			}
			transport.http.DialContext = guard.DialContext
			test.change(transport, guard)
		}
		resp, err := client.Get(address + "/?token=s3cret")
		if err == nil {
			resp.Body.Close()
			t.Errorf("%s: no error", name)
			continue
		}
		if got := Explain(err); !strings.Contains(got, test.want) || strings.Contains(got, "s3cret") {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		server.CloseClientConnections()
		server.Close()
	}
}
