package pace

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// An answer that takes no longer than this costs its host none of the time that it may be
// waited for.
const (
	ordinaryTime = 10 * time.Second
	ordinaryRate = 20_000 // bytes a second beyond that time

	slowStep = time.Second // in which a slower answer is charged
)

// charge takes the time between from and until off what the host may be waited for, once
// where several wait together. It returns until, or when the host's time ends before that.
// p.mu must be held.
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

// grant returns how much of a wait that begins now there is time for; ok is false when no
// time is left at all.
func (p *Pace) grant(wait time.Duration) (granted time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.left == 0 && !p.charged.After(now) {
		p.overdrawn = true
		return 0, false
	}
	return p.charge(now, now.Add(wait)).Sub(now), true
}

// Overdrawn reports whether the host needed more waiting than fetch.max_wait allows: for
// what it asked for by Retry-After, before and during retries, and for what was slow about
// its answers. From then on each page is asked once and a slow answer is cut.
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
		wait, ok := p.grant(min(max(waits.NextBackOff(), got.After), t.Longest-spent))
		if !ok {
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

// errSlow ends an answer that is slower than the host has time left for. It is a time-out.
var errSlow = fmt.Errorf("the answer was slow, and fetch.max_wait is used up: %w", os.ErrDeadlineExceeded)

// Exchange makes a request by way of next. What its answer takes beyond 10 seconds and
// 1 second for each 20 KB, up to the end of the body, is charged to the host; the time in
// which nobody reads the body is not. Once the host has no time left, such an answer is cut:
// the error is a net.Error that is a time-out.
func (p *Pace) Exchange(next http.RoundTripper, req *http.Request) (resp *http.Response, err error) {
	a := &answer{pace: p, credit: ordinaryTime}
	a.ctx, a.cancel = context.WithCancelCause(req.Context())
	_, err = a.wait(func() (int, error) {
		resp, err = next.RoundTrip(req.WithContext(a.ctx)) //nolint:bodyclose // the caller does
		return 0, err
	})
	if err != nil {
		a.cancel(nil)
		return nil, err
	}
	a.ReadCloser, resp.Body = resp.Body, a
	return resp, nil
}

// answer is an answer on its way, and its body.
type answer struct {
	io.ReadCloser
	pace   *Pace
	ctx    context.Context
	cancel context.CancelCauseFunc
	credit time.Duration // that an ordinary answer may still be waited for
}

// wait waits for a part of the answer, which read returns, and charges what goes beyond the
// credit to the host.
func (a *answer) wait(read func() (bytes int, err error)) (int, error) {
	began, done, charged := time.Now(), make(chan struct{}), make(chan struct{})
	timer := time.AfterFunc(a.credit, func() {
		defer close(charged)
		for {
			granted, ok := a.pace.grant(slowStep)
			if !ok {
				a.cancel(errSlow)
				return
			}
			select {
			case <-time.After(granted):
			case <-done:
				return
			}
		}
	})
	n, err := read()
	close(done)
	if !timer.Stop() {
		<-charged
	}
	a.credit = max(0, a.credit-time.Since(began)) + time.Duration(n)*time.Second/ordinaryRate
	if context.Cause(a.ctx) == errSlow && err != nil && err != io.EOF {
		err = errSlow
	}
	return n, err
}

// Read reads the body.
func (a *answer) Read(p []byte) (int, error) {
	return a.wait(func() (int, error) { return a.ReadCloser.Read(p) })
}

// Close closes the body.
func (a *answer) Close() error {
	defer a.cancel(nil)
	return a.ReadCloser.Close()
}
