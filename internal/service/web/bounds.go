package web

import (
	"cmp"
	"context"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"
)

// Bounds limit the resources that all callers together may use. A zero field stands for its default.
type Bounds struct {
	Connections int           // open connections, default 2,048; further clients wait
	Searches    int           // concurrent searches, default two per processor; further searches wait
	Held        int64         // unsent bytes of responses longer than 64 KiB, default 64 MiB
	Work        time.Duration // maximum duration of a search, default 10 s; beyond it the response is 503
	Wait        time.Duration // maximum wait because of Searches or Held, default 5 s; then the response is 503
	Send        time.Duration // maximum time to send a response, default 30 s; then the connection closes
	EventBytes  int64         // bytes of all events on disk, default 100 MB; beyond it the oldest are deleted
	EventRate   float64       // events per second, default 50; a burst may have 4 times as many; more get 429
}

// OrDefaults returns the bounds with zero fields replaced by their defaults.
func (b Bounds) OrDefaults() Bounds {
	return Bounds{
		Connections: cmp.Or(b.Connections, 2048),
		Searches:    cmp.Or(b.Searches, 2*runtime.GOMAXPROCS(0)),
		Held:        cmp.Or(b.Held, 64<<20),
		Work:        cmp.Or(b.Work, 10*time.Second),
		Wait:        cmp.Or(b.Wait, 5*time.Second),
		Send:        cmp.Or(b.Send, 30*time.Second),
		EventBytes:  cmp.Or(b.EventBytes, 100e6),
		EventRate:   cmp.Or(b.EventRate, 50),
	}
}

// shortBytes is the size up to which a response does not count against Bounds.Held.
const shortBytes = 64 << 10

// hold acquires n units of a semaphore; the caller must call release. After Bounds.Wait it returns an error
// with status 503. If ctx ends first, it returns ctx's error.
func (s *Server) hold(ctx context.Context, of *semaphore.Weighted, n int64) (release func(), err error) {
	limited, cancel := context.WithTimeout(ctx, s.options.Bounds.Wait)
	defer cancel()
	if of.Acquire(limited, n) != nil {
		return nil, cmp.Or[error](ctx.Err(), Refused(http.StatusServiceUnavailable, "the service is busy: try again"))
	}
	return func() { of.Release(n) }, nil
}
