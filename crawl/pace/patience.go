package pace

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// charge takes the time between from and until off what the host may be waited for, once
// where several wait together. It returns until, or when the host's time ends before that.
// The lock p.mu must be held.
func (p *Pace) charge(from, until time.Time) time.Time {
	if p.charged.After(from) {
		from = p.charged
	}
	if !until.After(from) {
		return until
	}
	p.charged = from.Add(min(p.left, until.Sub(from)))
	p.left -= p.charged.Sub(from)
	p.overdrawn = p.overdrawn || p.charged.Before(until)
	return p.charged
}

// grant returns how much of a wait that begins now there is time for, and false when no time
// is left at all.
func (p *Pace) grant(wait time.Duration) (granted time.Duration, more bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	granted = p.charge(now, now.Add(wait)).Sub(now)
	return granted, granted > 0 || wait == 0
}

// Overdrawn reports whether the host needed more waiting than fetch.max_wait allows: for
// what it asked for by Retry-After, before and during retries. From then on each page is
// asked once.
func (p *Pace) Overdrawn() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.overdrawn
}

// Tries says how often, and for how long, one page is asked.
type Tries struct {
	More    int           // requests after the first one
	Wait    time.Duration // before the first of these; doubled before each further one
	Longest time.Duration // that one page may take
}

// Try is the outcome of one request.
type Try struct {
	Final bool          // no further request would change it
	Took  time.Duration // until the header came
	After time.Duration // which the host asks to wait; 0: it does not say
}

// Retry calls once until its outcome is final or nothing is left of the tries or of the
// host's time. A wait holds no place in the host's pace. The errors are those of once and
// of the waiting; a host that is given up meanwhile only ends it.
func (p *Pace) Retry(ctx context.Context, overtime <-chan struct{}, t Tries, once func() (Try, error)) error {
	waits := backoff.ExponentialBackOff{InitialInterval: t.Wait, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: Longest}
	waits.Reset()
	var spent time.Duration
	for try := 0; ; try++ {
		got, err := once()
		if err == ErrGivenUp && try > 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if try > 0 {
			now := time.Now()
			p.mu.Lock()
			p.charge(now.Add(-got.Took), now)
			p.mu.Unlock()
		}
		spent += got.Took
		if got.Final || try == t.More || spent >= t.Longest || got.After > t.Longest-spent || ctx.Err() != nil {
			return nil // also where less would be waited than the host asks for: it would refuse again
		}
		wait, more := p.grant(min(max(waits.NextBackOff(), got.After), t.Longest-spent))
		if !more {
			return nil
		}
		spent += wait
		err = Await(ctx, overtime, p.Ended, time.After(wait))
		if err == ErrGivenUp {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
