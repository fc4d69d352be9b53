package transport

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestBrokenConnectionsAreAskedOnce: a server that breaks the connection gets a request
// once for each call, whatever is idle. Then other pages are served as before.
func TestBrokenConnectionsAreAskedOnce(t *testing.T) {
	const idle = 10
	for name, secure := range map[string]bool{"http": false, "https": true} {
		for _, how := range []string{"/reset", "/close"} {
			t.Run(name+how, func(t *testing.T) {
				var broken atomic.Int64
				var together sync.WaitGroup
				together.Add(idle)
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != how {
						together.Done() // each request needs a connection of its own
						together.Wait()
						return
					}
					broken.Add(1)
					conn, _, _ := w.(http.Hijacker).Hijack()
					breakOff(conn, how == "/reset")
				}))
				server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
				roots := x509.NewCertPool()
				if secure {
					server.StartTLS()
					roots.AddCert(server.Certificate())
				} else {
					server.Start()
				}
				defer server.Close()
				_, client := transportTo(t, Options{Concurrency: idle, RootCAs: roots}, server.URL)
				askAtOnce(t, client, server.URL, idle)
				for call := range int64(3) {
					if _, err := client.Get(server.URL + how); err == nil || !strings.HasPrefix(Explain(err), "the server ") || !CanPass(err) {
						t.Errorf("call %d: %v", call, err)
					}
					if got := broken.Load(); got != call+1 {
						t.Errorf("%d requests in %d calls", got, call+1)
					}
				}
				together.Add(idle)
				askAtOnce(t, client, server.URL, idle)
			})
		}
	}
}

// askAtOnce asks for so many pages on as many connections.
func askAtOnce(t *testing.T, client *http.Client, address string, n int) {
	t.Helper()
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			resp, err := client.Get(fmt.Sprint(address, "/", i))
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		})
	}
	group.Wait()
}

// breakOff closes a server's connection, with a reset or with a plain end.
func breakOff(conn net.Conn, reset bool) {
	if secured, ok := conn.(*tls.Conn); ok {
		conn = secured.NetConn()
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
