package crawl

import (
	"context"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"

	"sitesync/internal/testsite/inmemory"
)

// pipes is a network of its own, in which time is that of a bubble.
type pipes struct {
	net.Listener
	conns chan net.Conn
	done  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error { return nil }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.done: // a dial that nobody waits for any more
		return nil, net.ErrClosed
	}
}

// bubble runs test in a bubble, in which the rig's crawler reaches its site.
func (r *rig) bubble(test func(t *testing.T)) {
	outer := r.t
	defer func() { r.t, r.transport = outer, nil }()
	synctest.Test(outer, func(t *testing.T) {
		network := pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		server := &http.Server{Handler: r.Site}
		go func() { _ = server.Serve(network) }()
		r.t, r.transport = t, &http.Transport{DialContext: network.dial, DisableCompression: true}
		test(t)
		close(network.done)
		_ = server.Close()
	})
}

func TestMain(m *testing.M) {
	inmemory.Folders()
	os.Exit(m.Run())
}
