package transport

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// servingConn is a connection that knows when a part of an answer came last.
type servingConn struct {
	net.Conn
	answered atomic.Int64 // in Unix nanoseconds
}

// serves notes that a part of an answer came.
func (c *servingConn) serves() {
	if c != nil {
		c.answered.Store(time.Now().UnixNano())
	}
}

// NetConn returns the connection below, as that of tls.Conn does: its socket may be tuned.
func (c *servingConn) NetConn() net.Conn { return c.Conn }

// withConn returns a context in which a request stores its connection in conn.
func withConn(ctx context.Context, conn *atomic.Pointer[servingConn]) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		got := info.Conn
		if secured, ok := got.(*tls.Conn); ok {
			got = secured.NetConn()
		}
		serving, _ := got.(*servingConn)
		conn.Store(serving)
	}})
}
