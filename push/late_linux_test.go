package push

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
)

// quietService takes connections and reads nothing of them, as behind a network that is cut: what
// it is sent stays in the caller's kernel.
func quietService(t *testing.T) (base string, conns chan net.Conn) {
	t.Helper()
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) })
	}}
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	conns = make(chan net.Conn, 1)
	go func() {
		conn, err := l.Accept()
		if err == nil {
			conns <- conn
		}
	}()
	return "http://" + l.Addr().String(), conns
}

// kept reports whether the kernel still has a socket of this machine's port.
func kept(t *testing.T, port int) bool {
	t.Helper()
	raw, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		t.Skipf("SKIPPED: no list of sockets: %v", err)
	}
	return strings.Contains(string(raw), fmt.Sprintf("0100007F:%04X 0100007F", port))
}

// TestNothingIsLate: a call that was given up, and its connection closed, is not delivered
// afterwards, also where a proxy's transport makes the connections.
func TestNothingIsLate(t *testing.T) {
	for what, transport := range map[string]http.RoundTripper{
		"own": nil, "another's": &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			return outer{conn}, err
		}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			base, conns := quietService(t)
			client := New(Options{
				BaseURL: base, Customer: 1, Crawler: "c", Key: "key", Timeout: 300 * time.Millisecond, Transport: transport,
				Backoff: func() backoff.BackOff { return &backoff.StopBackOff{} },
			})
			doc := `{"id":"https://www.example.com/","content":"` + strings.Repeat("x", 500_000) + `"}`
			change := document.Change{Op: document.Put, ID: "https://www.example.com/", Doc: []byte(doc)}
			var got []document.Outcome
			err := client.Apply(t.Context(), document.Put, []document.Change{change}, func(o []document.Outcome) error { got = o; return nil })
			if err != nil || len(got) != 1 || got[0].State != document.InDoubt {
				t.Fatalf("the call was not given up: %v, %v", got, err)
			}
			conn := <-conns
			defer conn.Close()
			port := conn.RemoteAddr().(*net.TCPAddr).Port
			for end := time.Now().Add(20 * time.Second); kept(t, port) && time.Now().Before(end); {
				<-time.After(10 * time.Millisecond) // the kernel tells nobody
			}
			late, err := io.ReadAll(conn)
			if err == nil || len(late) > 100_000 {
				t.Errorf("%d bytes arrived late (%v)", len(late), err)
			}
		})
	}
}

// outer hides the kind of a connection, as one that counts or notices does.
type outer struct{ net.Conn }

func (o outer) NetConn() net.Conn { return o.Conn }
