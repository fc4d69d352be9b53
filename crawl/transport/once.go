package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// once returns a context in which a request reaches the server once. net/http repeats a
// GET on each idle connection that turns out to be broken, 20 times where 20 are idle,
// and tells nobody. A repetition of what was never written stays allowed: the server had
// only closed an idle connection. HTTP/2 repeats nothing that a server began to answer.
// Its connection stands in on then.
func once(ctx context.Context, cancel context.CancelCauseFunc, on *atomic.Pointer[noticingConn]) context.Context {
	var asked atomic.Pointer[noticingConn] // nil for HTTP/2
	var wrote, repeats atomic.Bool
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) {
			if conn := asked.Load(); conn != nil && wrote.Load() {
				repeats.Store(true)
				cancel(brokenError{conn.fault()})
			}
		},
		GotConn: func(info httptrace.GotConnInfo) {
			if repeats.Load() { // the end of ctx may be seen too late
				_ = info.Conn.Close()
				return
			}
			conn, shared := info.Conn, false
			if secured, ok := conn.(*tls.Conn); ok {
				conn, shared = secured.NetConn(), secured.ConnectionState().NegotiatedProtocol == "h2"
			}
			plain, _ := conn.(*noticingConn)
			on.Store(plain)
			if shared {
				plain = nil
			}
			asked.Store(plain)
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) { wrote.Store(info.Err == nil) },
	})
}

// brokenError is the end of an exchange on a connection that broke before the first
// byte of the answer.
type brokenError struct{ cause error }

func (e brokenError) Error() string { return e.cause.Error() }
func (e brokenError) Unwrap() error { return e.cause }

// noticingConn is a connection that keeps the first error of reading. net/http forgets
// it when it repeats a request.
type noticingConn struct {
	net.Conn
	first    atomic.Pointer[error]
	answered atomic.Int64 // when a part of an answer came last, in Unix nanoseconds
}

// serves notes that a part of an answer came.
func (c *noticingConn) serves() {
	if c != nil {
		c.answered.Store(time.Now().UnixNano())
	}
}

// NetConn returns the connection below, as that of tls.Conn does: its socket may be tuned.
func (c *noticingConn) NetConn() net.Conn { return c.Conn }

func (c *noticingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.first.CompareAndSwap(nil, &err)
	}
	return n, err
}

// fault returns why reading ended.
func (c *noticingConn) fault() error {
	if err := c.first.Load(); err != nil && !errors.Is(*err, net.ErrClosed) { // which we did
		return *err
	}
	return io.ErrUnexpectedEOF
}
