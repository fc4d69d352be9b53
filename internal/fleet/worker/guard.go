package worker

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// errGuard is returned in place of an answer of the service, where the lease does not allow
// the call.
var errGuard = errors.New("nothing more is sent: the lease has too little time left")

// guard lets a call of the service through while the lease has more time left than the call
// may take.
type guard struct {
	base http.RoundTripper
	left func() time.Duration
	call time.Duration
	lost func(error)
}

func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if g.left() <= g.call {
		g.lost(errGuard)
		return nil, errGuard
	}
	if r.Body != nil {
		body := r.Body
		r = r.Clone(r.Context())
		r.Body, r.GetBody = &guarded{body, g}, nil
	}
	return g.base.RoundTrip(r)
}

// CloseIdleConnections is what a client at its end asks for.
func (g *guard) CloseIdleConnections() { (&http.Client{Transport: g.base}).CloseIdleConnections() }

// guarded is the body of a call. A worker that was stopped in the middle of it, and wakes after
// its lease, must not send the rest.
type guarded struct {
	body  io.ReadCloser
	guard *guard
}

func (b *guarded) Read(p []byte) (int, error) {
	if b.guard.left() <= 0 {
		b.guard.lost(errGuard)
		return 0, errGuard
	}
	return b.body.Read(p)
}

func (b *guarded) Close() error { return b.body.Close() }
