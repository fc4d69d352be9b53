package web

import (
	"cmp"
	"context"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sync/semaphore"
)

// Bounds are how much of the machine callers can take together. A zero field stands for
// its default.
type Bounds struct {
	Connections int           // open at once, 2,048; more wait until one ends
	Searches    int           // made at once, two for each processor; more wait
	Held        int64         // bytes of long answers that are not sent yet, 64 MiB; and a quarter of it of long bodies
	Work        time.Duration // that a search takes, 10 s; then it is answered 503
	Wait        time.Duration // for a turn, 5 s; then the answer is 503
	Send        time.Duration // that a client takes an answer in, 30 s; then the connection ends
	EventBytes  int64         // of all events on disk, 100 MB; then the oldest leave
	EventRate   float64       // events a second, 50; after four seconds' worth at once the answer is 429
}

// OrDefaults returns the bounds with what stands for their zero fields.
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

// shortBytes is how long bodies and answers are that count in no bound but that of connections.
const shortBytes = 64 << 10

// shares are what callers wait for.
type shares struct {
	bounds                    Bounds
	searches, bodies, answers *semaphore.Weighted
}

// inTime waits for n of a share. It errs with 503 when they don't come in time, and with
// ctx's error when ctx ends.
func (s shares) inTime(ctx context.Context, of *semaphore.Weighted, n int64) error {
	limited, cancel := context.WithTimeout(ctx, s.bounds.Wait)
	defer cancel()
	if of.Acquire(limited, n) != nil {
		return cmp.Or(ctx.Err(), error(busy()))
	}
	return nil
}

// holdBody waits for room for a body of n bytes, -1 when it does not say, limit at most.
// It returns what gives the room back.
func (s shares) holdBody(ctx context.Context, n, limit int64) (func(), error) {
	if n < 0 || n > limit {
		n = limit
	}
	if n <= shortBytes {
		return func() {}, nil
	}
	n = min(n, s.bounds.Held/4)
	err := s.inTime(ctx, s.bodies, n)
	return func() { s.bodies.Release(n) }, err
}

// holdAnswer takes a share for an answer, until it is sent. Where there is no room, a call
// that can be made again is answered 503. Other calls wait: they have changed something.
func (s shares) holdAnswer(ctx context.Context, answer *Reply, again bool) error {
	n := int64(len(answer.Body))
	if n <= shortBytes {
		return nil
	}
	n = min(n, s.bounds.Held)
	if !s.answers.TryAcquire(n) {
		if again {
			return busy()
		}
		if err := s.answers.Acquire(ctx, n); err != nil {
			return err
		}
	}
	answer.sent = func() { s.answers.Release(n) }
	return nil
}

// busy is the Problem of a call that got no turn.
func busy() Problem {
	return Problem{Status: http.StatusServiceUnavailable, Message: "the service is busy: try again", RetryAfter: time.Second}
}
