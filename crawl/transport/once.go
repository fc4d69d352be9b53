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

// once returns a context with which net/http writes a request at most once over HTTP/1. By default, net/http
// repeats a GET silently whenever an idle connection turns out to be broken: 20 times for 20 connections.
// Before net/http repeats a written request, the context calls cancel. HTTP/2 needs no such limit, because
// net/http then repeats no request that a server began to answer. used receives the request's connection.
func once(ctx context.Context, cancel context.CancelCauseFunc, used *atomic.Pointer[noticingConn]) context.Context {
	var http1, wrote, repeats atomic.Bool
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) {
			if http1.Load() && wrote.Load() {
				repeats.Store(true)
				cancel(errBroken)
			}
		},
		GotConn: func(info httptrace.GotConnInfo) {
			if repeats.Load() { // net/http may see too late that the context is cancelled
				_ = info.Conn.Close()
				return
			}
			conn, shared := info.Conn, false
			if secured, ok := conn.(*tls.Conn); ok {
				conn, shared = secured.NetConn(), secured.ConnectionState().NegotiatedProtocol == "h2"
			}
			plain, _ := conn.(*noticingConn)
			used.Store(plain)
			http1.Store(!shared)
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) { wrote.Store(info.Err == nil) },
	})
}

// errBroken is the error of an exchange whose connection broke before the first byte of the response.
var errBroken = fmt.Errorf("the server broke the connection: %w", syscall.ECONNRESET)

// noticingConn is a connection that records when a part of a response last arrived.
type noticingConn struct {
	net.Conn
	answered atomic.Int64 // Unix nanoseconds
}

func (c *noticingConn) serves() {
	if c != nil {
		c.answered.Store(time.Now().UnixNano())
	}
}

// NetConn returns the underlying connection, like tls.Conn.NetConn, so that callers can tune its socket.
func (c *noticingConn) NetConn() net.Conn { return c.Conn }
