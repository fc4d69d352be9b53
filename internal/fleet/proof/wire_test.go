//go:build linux

package proof

import (
	"io"
	"math/rand/v2"
	"net"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// wire leads the connections of one worker to any of the nodes, and can be cut: then bytes
// get lost without a word, as in a network that drops them.
type wire struct {
	listener net.Listener
	nodes    []string
	acks     *acks // that came by

	mu    sync.Mutex
	cut   bool
	deaf  bool // what the nodes say is lost, what they are told arrives
	conns map[net.Conn]bool
}

func newWire(t testing.TB, nodes []string, seen *acks) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	w := &wire{listener: l, nodes: nodes, acks: seen, conns: map[net.Conn]bool{}}
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
		_, _ = io.Copy(dropping{from, w}, &listening{Reader: to, wire: w})
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

// deafen has a worker hear nothing of the nodes any more, until its connection ends.
func (w *wire) deafen(deaf bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deaf = deaf
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

// acks is what the servers have acknowledged: the last message of each stream.
type acks struct {
	mu   sync.Mutex
	last map[string]uint64
}

var ackForm = regexp.MustCompile(`"stream":\s*"([^"]+)",\s*"seq":\s*(\d+)[,}]`)

func (a *acks) take(text []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, found := range ackForm.FindAllSubmatch(text, -1) {
		seq, _ := strconv.ParseUint(string(found[2]), 10, 64)
		a.last[string(found[1])] = max(seq, a.last[string(found[1])])
	}
}

func (a *acks) of(stream string) uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last[stream]
}

// listening notes the acknowledgements in what is read.
type listening struct {
	io.Reader
	wire *wire
	tail []byte // of what was read: an acknowledgement may come in two pieces
}

func (l *listening) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	l.wire.mu.Lock()
	defer l.wire.mu.Unlock()
	if l.wire.deaf {
		return 0, err
	}
	if n > 0 {
		l.tail = append(l.tail, b[:n]...)
		l.wire.acks.take(l.tail)
		l.tail = append(l.tail[:0], l.tail[max(0, len(l.tail)-256):]...)
	}
	return n, err
}
