package pace

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// Longest is the longest wait for one page. It also bounds how long Retry-After is obeyed for a host that
	// gives no good answer.
	Longest = 2 * time.Minute

	window    = 16                     // answers over which response times are averaged
	slowTimes = 4                      // a host is slow if its average is this many times its lowest average
	slowLeast = 250 * time.Millisecond // no host is slow while its average time is at most this
)

// Acquire and Await return these errors, or an error of their context.
var (
	ErrOvertime = errors.New("the time that --max-duration gave is over")
	ErrGivenUp  = errors.New("the host was given up")
)

// Pace limits the load on one host: when a request may begin, and how many requests may run at the same time.
// This number is halved when the host is overloaded or slow. A request that began before the last halving
// does not halve the number again. The number grows by one for each full round of good answers, up to
// fetch.concurrency. A Pace is safe for concurrent use.
type Pace struct {
	most  float64         // the most requests at the same time, on a healthy host
	Ended <-chan struct{} // closed when the host takes no more requests
	End   func()          // closes Ended

	mu        sync.Mutex
	delay     time.Duration // least time between the beginnings of two requests
	nextStart time.Time
	weary     time.Time     // time until which Retry-After is obeyed; zero after a good answer
	left      time.Duration // remaining time that sitesync may wait for this host
	charged   time.Time     // waits before this time are already subtracted from the field left
	overdrawn bool
	allowed   float64 // requests that may run at the same time
	running   int
	lastCut   time.Time
	turn      chan struct{} // closed when a request ends; nil while nobody waits for a turn

	answers int           // number of measured response times, counted up to window
	smooth  time.Duration // average response time of the last answers
	best    time.Duration // lowest average so far; grows by 1 % with each answer
}

// New returns the pace of a host: concurrency requests at the same time, and delay between the beginnings of
// two requests. wait (fetch.max_wait) bounds the total time of waiting for the host.
func New(concurrency int, delay, wait time.Duration) *Pace {
	most := float64(max(1, concurrency))
	ended := make(chan struct{})
	end := sync.OnceFunc(func() { close(ended) })
	return &Pace{most: most, allowed: most, delay: delay, left: wait, Ended: ended, End: end}
}

// KeepApart raises the delay between requests to at least the given delay. The delay before the next request
// does not change.
func (p *Pace) KeepApart(delay time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = max(p.delay, delay)
}

// Apart returns the delay between two requests.
func (p *Pace) Apart() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.delay
}

// Acquire waits until a request may begin. It returns the time at which the request began, for Release. It
// errs when ctx is done, overtime is closed (ErrOvertime) or the host is given up (ErrGivenUp).
func (p *Pace) Acquire(ctx context.Context, overtime <-chan struct{}) (time.Time, error) {
	for {
		if err := ctx.Err(); err != nil {
			return time.Time{}, err
		}
		now := time.Now()
		wait, turn := p.begin(now)
		var err error
		switch {
		case turn != nil:
			err = Await(ctx, overtime, p.Ended, turn)
		case wait > 0:
			err = Await(ctx, overtime, p.Ended, time.After(wait))
		default:
			return now, nil
		}
		if err != nil {
			return time.Time{}, err
		}
	}
}

// begin starts a request if it may run now. Otherwise it returns a wait above 0, or a channel to wait for.
func (p *Pace) begin(now time.Time) (wait time.Duration, turn <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running >= int(p.allowed) {
		if p.turn == nil {
			p.turn = make(chan struct{})
		}
		return 0, p.turn
	}
	wait = p.nextStart.Sub(now)
	if wait <= 0 {
		p.running++
		p.nextStart = now.Add(p.delay)
	}
	return wait, nil
}

// Await waits until event delivers a value or is closed. It errs when ctx is done, overtime is closed
// (ErrOvertime) or ended is closed (ErrGivenUp).
func Await[T any](ctx context.Context, overtime, ended <-chan struct{}, event <-chan T) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-overtime:
		return ErrOvertime
	case <-ended:
		return ErrGivenUp
	case <-event:
		return nil
	}
}

// Reply holds the facts about a host that one request shows.
type Reply struct {
	Good     bool          // the host answered without a fault
	Overload bool          // the host is overloaded
	Pause    time.Duration // how long the host asks to wait (Retry-After)
	Took     time.Duration // time until the header arrived; 0: not measured
}

// Release ends a request that began at the given time. It returns false when the host asks for a longer wait
// than sitesync grants.
func (p *Pace) Release(began time.Time, r Reply) bool {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	slow := p.learn(r.Took)
	switch {
	case !r.Overload && !slow:
		if r.Good {
			p.allowed = min(p.most, p.allowed+1/p.allowed)
		}
	case !began.Before(p.lastCut): // requests that began before the last halving don't show its effect
		p.allowed, p.lastCut = max(1, p.allowed/2), now
	}
	if r.Good {
		p.weary = time.Time{}
	}
	if p.turn != nil {
		close(p.turn)
		p.turn = nil
	}
	if r.Pause <= 0 {
		return true
	}
	if p.weary.IsZero() {
		p.weary = now.Add(Longest)
	}
	until := p.charge(now, now.Add(min(r.Pause, p.weary.Sub(now))))
	if until.After(p.nextStart) {
		p.nextStart = until
	}
	return until.After(now)
}

// learn records a response time and reports whether the host is slow. A very long time is capped. The field
// best grows by 1 % with each answer. So a host whose later pages take longer does not stay slow.
func (p *Pace) learn(took time.Duration) bool {
	if took <= 0 {
		return false
	}
	weight := took
	if p.answers == window {
		weight = min(took, max(slowTimes*p.smooth, slowLeast))
	} else {
		p.answers++
	}
	p.smooth += (weight - p.smooth) / time.Duration(p.answers)
	if p.answers < window {
		return false
	}
	p.best += p.best / 100
	if p.best == 0 || p.smooth < p.best {
		p.best = p.smooth
	}
	limit := max(slowTimes*p.best, slowLeast)
	return took > limit && p.smooth > limit
}
