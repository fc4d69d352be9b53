package web

import (
	"cmp"
	"context"
	"net/http"
	"runtime"
	"slices"
	"sync"
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
	Send        time.Duration // that a client takes an answer in, or 64 KiB of a list, 30 s; then the connection ends
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

const (
	shortBytes = 64 << 10 // bodies and answers that count in no bound but that of connections
	listBytes  = 4 << 20  // that a list under way counts as
)

// shares are what callers wait for.
type shares struct {
	bounds          Bounds
	searches        *turns
	bodies, answers *semaphore.Weighted
}

func newShares(b Bounds) shares {
	return shares{b, &turns{free: b.Searches}, semaphore.NewWeighted(b.Held / 4), semaphore.NewWeighted(b.Held)}
}

// inTime runs a wait for a turn. It errs with 503 when none comes in time, and with ctx's
// error when ctx ends.
func (s shares) inTime(ctx context.Context, wait func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, s.bounds.Wait)
	defer cancel()
	if wait(limited) != nil {
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
	err := s.inTime(ctx, func(ctx context.Context) error { return s.bodies.Acquire(ctx, n) })
	return func() { s.bodies.Release(n) }, err
}

// holdAnswer takes a share for an answer, until it is sent. Where there is no room, a call
// that can be made again is answered 503. Other calls wait: they have changed something.
func (s shares) holdAnswer(ctx context.Context, answer *Reply, again bool) error {
	n := int64(len(answer.Body))
	if answer.rows != nil {
		n = listBytes
	}
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

// sender writes to a client that must take each write in time, or the connection ends.
type sender struct {
	w    http.ResponseWriter
	time time.Duration
}

func (s sender) Write(p []byte) (int, error) {
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(s.time)) // only a test's recorder has none
	return s.w.Write(p)
}

// turns lets few callers work at once. The last who came is the next: where more come
// than can be served, the first give up, and those who come later need not wait for them.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting []chan struct{} // closed when it is their turn
}

// wait returns when it is the caller's turn, or errs with ctx's error. Whoever had a
// turn calls done.
func (t *turns) wait(ctx context.Context) error {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	mine := make(chan struct{})
	t.waiting = append(t.waiting, mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(t.waiting, mine)
	if at < 0 { // it came meanwhile
		return nil
	}
	t.waiting = slices.Delete(t.waiting, at, at+1)
	return ctx.Err()
}

func (t *turns) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last := len(t.waiting) - 1; last >= 0 {
		close(t.waiting[last])
		t.waiting = t.waiting[:last]
		return
	}
	t.free++
}
