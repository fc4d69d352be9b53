package pace

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// Longest is how long a host is waited for that asks for patience and gives
	// no good answer meanwhile, and how long one page is.
	Longest = 2 * time.Minute

	window    = 16                     // answers over which times are smoothed
	slowTimes = 4                      // a host is slow when it takes so many times what it took at its best
	slowLeast = 250 * time.Millisecond // and longer than this
)

// What ends the waiting for a host's turn.
var (
	ErrOvertime = errors.New("the time that --max-duration gave is over")
	ErrGivenUp  = errors.New("the host was given up")
)

// Pace is the politeness towards one host: when a request may begin and how many
// may be under way. That number halves when the host is overloaded or slow, once
// for what was under way together, and grows by one in the time of a round of good
// answers, up to fetch.concurrency. What is asked does not depend on it, only when.
// It is safe for concurrent use.
type Pace struct {
	most  float64         // requests under way on a healthy host
	Ended <-chan struct{} // closed when the host takes no more requests
	End   func()          // closes it

	mu        sync.Mutex
	delay     time.Duration // between the beginnings of two requests
	next      time.Time     // when the next may begin
	weary     time.Time     // until when a host is waited for; zero while it gives good answers
	left      time.Duration // of the time that the host may cost by being waited for
	charged   time.Time     // until when that time was taken off already
	overdrawn bool          // more was asked for than there is
	allowed   float64
	flying    int
	cut       time.Time     // when allowed was last lowered
	turn      chan struct{} // closed when a request ends; nil while nobody waits for that

	answers      int // that were timed, up to window
	smooth, best time.Duration
}

// New returns the pace of a host that may be asked for so much at once, with a delay
// between the beginnings of two requests. wait (fetch.max_wait) is how long it may be
// waited for in all: see Overdrawn.
func New(concurrency int, delay, wait time.Duration) *Pace {
	most := float64(max(1, concurrency))
	ended := make(chan struct{})
	return &Pace{most: most, allowed: most, delay: delay, left: wait, Ended: ended, End: sync.OnceFunc(func() { close(ended) })}
}

// KeepApart raises the delay, for the requests after the next one.
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

// Acquire waits until a request may begin, and returns when it did, for Release.
// It errs when ctx is done, overtime is closed (ErrOvertime) or the host was given
// up (ErrGivenUp) before that.
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

// begin counts a request in, or says what to wait for.
func (p *Pace) begin(now time.Time) (wait time.Duration, turn <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.flying >= int(p.allowed) {
		if p.turn == nil {
			p.turn = make(chan struct{})
		}
		return 0, p.turn
	}
	wait = p.next.Sub(now)
	if wait <= 0 {
		p.flying++
		p.next = now.Add(p.delay)
	}
	return wait, nil
}

// Await returns nil once event has come, an error when it need not be waited for.
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

// Reply is what a request tells of the state of its host.
type Reply struct {
	Good     bool          // the host did as it should
	Overload bool          // it has too much to do
	Pause    time.Duration // it asks to be left alone for so long
	Took     time.Duration // until the header came; 0: not to be compared with others
}

// Release counts the request out that began at that time. It returns false when the
// host asks for more patience than there is.
func (p *Pace) Release(began time.Time, r Reply) bool {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flying--
	slow := p.learn(r.Took)
	switch {
	case !r.Overload && !slow:
		if r.Good {
			p.allowed = min(p.most, p.allowed+1/p.allowed)
		}
	case !began.Before(p.cut): // what began earlier tells nothing of fewer requests
		p.allowed, p.cut = max(1, p.allowed/2), now
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
	// No request begins for the time that the host asks for, or as much of it as there is
	// patience for.
	if p.weary.IsZero() {
		p.weary = now.Add(Longest)
	}
	until := p.charge(now, now.Add(min(r.Pause, p.weary.Sub(now))))
	if until.After(p.next) {
		p.next = until
	}
	return until.After(now)
}

// learn takes in how long an answer took and reports whether the host is slow. A
// single slow page weighs little. What the host could do at its best is forgotten
// by one part in a hundred with each answer, so that a site is not held back for
// good whose other pages take longer by nature.
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
