package push

import (
	"context"
	"net"
	"net/http"
	"time"
)

// neverLate returns a copy of t whose connections end once what was sent is not acknowledged for
// as long as a call may take. Else the kernel would deliver a call that was given up, or whose
// process stands still, long after others have sent newer documents.
func neverLate(t *http.Transport, limit time.Duration) *http.Transport {
	t = t.Clone()
	dial := t.DialContext
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		inner := conn
		if outer, ok := conn.(interface{ NetConn() net.Conn }); ok {
			inner = outer.NetConn()
		}
		if tcp, ok := inner.(*net.TCPConn); ok {
			if raw, err := tcp.SyscallConn(); err == nil { // else it is closed, as the call will find
				_ = raw.Control(func(fd uintptr) { giveUpAfter(fd, limit) })
			}
		}
		return conn, err
	}
	return t
}
