package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

// rawServer hands each connection to serve, which ends when it is closed. As "h2" it
// has made the TLS handshake and agreed on HTTP/2.
func rawServer(t *testing.T, serve func(net.Conn), scheme string, certificate tls.Certificate) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = strings.Replace(scheme, "h2", "https", 1) + "://" + listener.Addr().String()
	if scheme == "h2" {
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2"}})
	}
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() {
				defer conn.Close()
				serve(conn)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		group.Wait()
	})
	return address
}

// dribble answers a first message in pieces, one every few milliseconds, until nobody
// takes them.
func dribble(conn net.Conn, begin, piece string) {
	_, _ = conn.Read(make([]byte, 4096))
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for _, err := io.WriteString(conn, begin); err == nil; _, err = io.WriteString(conn, piece) {
		<-tick.C
	}
}

// noPlace speaks HTTP/2 and lets no stream be opened, from the first moment on.
func noPlace(conn net.Conn) {
	framer := http2.NewFramer(conn, conn)
	framer.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 0})
	io.Copy(io.Discard, conn)
}

// TestExchangesEnd: nothing that a server does keeps an exchange from its end.
func TestExchangesEnd(t *testing.T) {
	certificate := testCertificate(t, "127.0.0.1", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	roots := x509.NewCertPool()
	roots.AddCert(certificate.Leaf)
	const header, early = "time-out while waiting for response headers", "HTTP/1.1 103 Early Hints\r\n\r\n"
	for name, test := range map[string]struct {
		scheme string
		serve  func(net.Conn)
		want   string
	}{
		"a silent handshake":     {"https", func(c net.Conn) { io.Copy(io.Discard, c) }, "time-out during the TLS handshake"},
		"an endless handshake":   {"https", func(c net.Conn) { dribble(c, "\x16\x03\x03\x3f\xff\x02", "\x00") }, "time-out during the TLS handshake"},
		"a header byte by byte":  {"http", func(c net.Conn) { dribble(c, "HTTP/1.1 200 OK\r\nX: ", "x") }, header},
		"early hints, slowly":    {"http", func(c net.Conn) { dribble(c, "", early) }, header},
		"early hints, at once":   {"http", func(c net.Conn) { dribble(c, "", strings.Repeat(early, 100_000)) }, ""},
		"HTTP/2 without a place": {"h2", noPlace, "time-out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := rawServer(t, test.serve, test.scheme, certificate)
			_, client := transportTo(t, Options{Timeout: time.Second, RootCAs: roots}, address)
			resp, err := client.Get(address)
			if err == nil {
				resp.Body.Close()
				t.Fatal("no error")
			}
			if got := Explain(err); !strings.Contains(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// TestHTTP2Window: what a server may send before it is read is bounded, of a stream as well.
func TestHTTP2Window(t *testing.T) {
	certificate := testCertificate(t, "127.0.0.1", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	roots := x509.NewCertPool()
	roots.AddCert(certificate.Leaf)
	window := make(chan uint32, 9)
	address := rawServer(t, func(conn net.Conn) {
		_, _ = io.ReadFull(conn, make([]byte, len(http2.ClientPreface)))
		frame, err := http2.NewFramer(conn, conn).ReadFrame()
		if settings, ok := frame.(*http2.SettingsFrame); err == nil && ok {
			size, _ := settings.Value(http2.SettingInitialWindowSize)
			window <- size
		}
	}, "h2", certificate)
	_, client := transportTo(t, Options{Timeout: time.Minute, RootCAs: roots}, address)
	if resp, err := client.Get(address); err == nil {
		resp.Body.Close()
	}
	if got := <-window; got != 256<<10 {
		t.Errorf("%d bytes of a stream are taken unread", got)
	}
}

// chat speaks HTTP/2 and says nothing but PING.
func chat(conn net.Conn) {
	framer := http2.NewFramer(conn, conn)
	go io.Copy(io.Discard, conn)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for err := framer.WriteSettings(); err == nil; err = framer.WritePing(false, [8]byte{}) {
		<-tick.C
	}
}

// TestChattingConnectionIsDropped: an HTTP/2 connection that is alive and answers nothing is not
// asked again; one on which something came meanwhile stays.
func TestChattingConnectionIsDropped(t *testing.T) {
	certificate := testCertificate(t, "127.0.0.1", time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	roots := x509.NewCertPool()
	roots.AddCert(certificate.Leaf)
	var conns atomic.Int32
	slow := make(chan struct{})
	defer close(slow)
	address := rawServer(t, func(conn net.Conn) {
		if conns.Add(1) == 1 {
			chat(conn)
			return
		}
		_ = conn.(*tls.Conn).HandshakeContext(t.Context()) // else nothing is known of it
		//nolint:staticcheck // one connection is served here, the other only talks
		new(http2.Server).ServeConn(conn, &http2.ServeConnOpts{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				select {
				case <-slow:
				case <-r.Context().Done():
				}
			}
			if r.URL.Path == "/large" {
				for _, err := w.Write([]byte("part")); err == nil && r.Context().Err() == nil; _, err = w.Write([]byte("part")) {
					http.NewResponseController(w).Flush()
				}
			}
		})})
	}, "h2", certificate)
	_, client := transportTo(t, Options{Timeout: 200 * time.Millisecond, RootCAs: roots}, address)
	get := func(path string) error {
		resp, err := client.Get(address + path)
		if err == nil {
			defer resp.Body.Close()
		}
		if err == nil && path == "/large" { // a body is on its way while another answer is late
			go io.Copy(io.Discard, resp.Body)
			if _, err := client.Get(address + "/slow"); err == nil {
				t.Error("it was not slow")
			}
		}
		return err
	}
	for n, path := range []string{"/", "/", "/large", "/"} {
		if err := get(path); (err != nil) != (n == 0) {
			t.Errorf("exchange %d: %v", n, err)
		}
	}
	if n := conns.Load(); n != 2 {
		t.Errorf("%d connections", n)
	}
}

// TestPatience ends a wait for a connection that a body holds, but not that body.
func TestPatience(t *testing.T) {
	late := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.NewResponseController(w).Flush()
		<-late
		io.WriteString(w, "late")
	}))
	defer server.Close()
	transport, client := transportTo(t, Options{Concurrency: 1}, server.URL)
	transport.patience = 300 * time.Millisecond
	resp, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := client.Get(server.URL); err == nil || Explain(err) != "time-out: no answer after 300ms: i/o timeout" {
		t.Errorf("%v", err)
	}
	close(late)
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != "late" {
		t.Errorf("%q, %v", body, err)
	}
}

// TestCanPass: what happens on the way can pass; certificates, refusals, names that
// don't exist and our own limits can't.
func TestCanPass(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	passes := []error{
		dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), dial(os.NewSyscallError("connect", syscall.EHOSTUNREACH)),
		&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, io.EOF, io.ErrUnexpectedEOF, os.ErrDeadlineExceeded,
		&net.DNSError{Err: "server misbehaving", Name: "a.test", IsTemporary: true}, &net.DNSError{IsTimeout: true},
		errors.New("http2: server sent GOAWAY and closed the connection"), errors.New("stream error: stream ID 7; INTERNAL_ERROR"),
		bodyErrorf(io.ErrUnexpectedEOF, "body cut"), bodyErrorf(&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "body cut"),
	}
	stays := []error{
		context.Canceled, &RefusedError{Host: "a.test"}, fmt.Errorf("x: %w", &RefusedError{}), &net.DNSError{IsNotFound: true},
		&tls.CertificateVerificationError{UnverifiedCertificates: []*x509.Certificate{{}}, Err: errors.New("x")}, tls.RecordHeaderError{}, http.ErrSchemeMismatch,
		&net.OpError{Op: "remote error", Err: errors.New("tls: handshake failure")}, errors.New("malformed HTTP response"),
		bodyErrorf(nil, "body is over 1 MB"), bodyErrorf(bodyErrorf(nil, "body slower than 1 KB/s"), "slow"), bodyErrorf(errors.New("gzip: invalid checksum"), "damaged"),
	}
	for _, err := range slices.Concat(passes, stays) {
		if want := slices.Contains(passes, err); CanPass(err) != want {
			t.Errorf("%v: can pass %v, want %v", err, !want, want)
		}
	}
}
