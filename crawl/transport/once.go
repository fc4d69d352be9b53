package transport

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"
	"time"
)

// once returns a context in which a request reaches the server at most once. Without it net/http silently
// repeats a GET on each idle connection that turns out to be broken, up to 20 times for 20 connections. A
// request that was never written may still be repeated: the server had only closed an idle connection. For
// HTTP/2 nothing is restricted, because net/http repeats nothing that a server began to answer. once stores
// the connection in on, and cancels the context to prevent a repetition.
func once(ctx context.Context, cancel context.CancelCauseFunc, on *atomic.Pointer[noticingConn]) context.Context {
	var http1, wrote, repeats atomic.Bool
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) {
			if http1.Load() && wrote.Load() {
				repeats.Store(true)
				cancel(errBroken)
			}
		},
		GotConn: func(info httptrace.GotConnInfo) {
			if repeats.Load() { // net/http may notice the cancelled context too late
				_ = info.Conn.Close()
				return
			}
			conn, shared := info.Conn, false
			if secured, ok := conn.(*tls.Conn); ok {
				conn, shared = secured.NetConn(), secured.ConnectionState().NegotiatedProtocol == "h2"
			}
			plain, _ := conn.(*noticingConn)
			on.Store(plain)
			http1.Store(!shared)
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) { wrote.Store(info.Err == nil) },
	})
}

// errBroken is the error of an exchange whose connection broke before the first byte of the response.
var errBroken = fmt.Errorf("the server broke the connection: %w", syscall.ECONNRESET)

// noticingConn is a connection that knows when the server last answered a request on it.
type noticingConn struct {
	net.Conn
	answered atomic.Int64 // when a part of a response last arrived, in Unix nanoseconds
}

// serves records that a part of a response has arrived now; c may be nil.
func (c *noticingConn) serves() {
	if c != nil {
		c.answered.Store(time.Now().UnixNano())
	}
}

// NetConn returns the underlying connection, like tls.Conn.NetConn, so that callers can tune its socket.
func (c *noticingConn) NetConn() net.Conn { return c.Conn }
