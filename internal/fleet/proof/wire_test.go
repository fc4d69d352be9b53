//go:build linux

package proof

import (
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// wire leads the connections of one worker to any of the nodes, and can be cut: then bytes
// get lost without a word, as in a network that drops them.
type wire struct {
	listener net.Listener
	nodes    []string

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]bool
}

func newWire(t testing.TB, nodes []string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	w := &wire{listener: l, nodes: nodes, conns: map[net.Conn]bool{}}
	t.Cleanup(w.close)
	go w.serve()
	return w
}

func (w *wire) url() string { return "nats://" + w.listener.Addr().String() }

func (w *wire) close() {
	_ = w.listener.Close()
	w.hangUp()
}

func (w *wire) serve() {
	for {
		from, err := w.listener.Accept()
		if err != nil {
			return
		}
		go w.lead(from)
	}
}

// lead joins a connection with the first node that answers.
func (w *wire) lead(from net.Conn) {
	defer w.forget(from)
	w.keep(from)
	for _, i := range rand.Perm(len(w.nodes)) {
		to, err := net.DialTimeout("tcp", w.nodes[i], time.Second)
		if err != nil {
			continue
		}
		w.keep(to)
		defer w.forget(to)
		go func() {
			defer from.Close()
			defer to.Close()
			_, _ = io.Copy(dropping{to, w}, from)
		}()
		_, _ = io.Copy(dropping{from, w}, to)
		return
	}
}

func (w *wire) keep(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns[c] = true
}

func (w *wire) forget(c net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, c)
	_ = c.Close()
}

// set cuts the wire, or mends it. What was lost stays lost: connections that were up end.
func (w *wire) set(cut bool) {
	w.mu.Lock()
	w.cut = cut
	w.mu.Unlock()
	if !cut {
		w.hangUp()
	}
}

func (w *wire) hangUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.conns {
		_ = c.Close()
	}
}

// dropping writes to a connection unless the wire is cut.
type dropping struct {
	net.Conn
	wire *wire
}

func (d dropping) Write(b []byte) (int, error) {
	d.wire.mu.Lock()
	cut := d.wire.cut
	d.wire.mu.Unlock()
	if cut {
		return len(b), nil
	}
	return d.Conn.Write(b)
}
