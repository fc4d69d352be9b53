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

// An answer within these limits takes nothing from the time that the host may make us wait (fetch.max_wait).
const (
	ordinaryTime = 10 * time.Second
	ordinaryRate = 20_000 // least bytes per second of an answer after ordinaryTime

	slowStep = time.Second // slower answers use up fetch.max_wait in steps of this length
)

// charge subtracts the time between from and until from p.left, the remaining time for waits. It subtracts
// overlapping waits once. It returns until, or an earlier time if p.left is too short. p.mu must be held.
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

// grant subtracts a wait that begins now from p.left. It returns the part of the wait for which p.left
// suffices. ok is false if no time is left.
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

// Overdrawn reports whether the host needed more waiting than fetch.max_wait allows. Such waits are
// Retry-After, retries and slow answers. From then on each page is requested once, and slow answers are cut.
func (p *Pace) Overdrawn() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.overdrawn
}

// Tries limits the requests for one page.
type Tries struct {
	More    int           // retries after the first request
	Wait    time.Duration // wait before the first retry; doubled before each further retry
	Longest time.Duration // most time for one page, waits included
}

// Try is the outcome of one request.
type Try struct {
	Final bool          // a retry would not change the outcome
	Took  time.Duration // time until the header arrived
	After time.Duration // the wait that the host asks for; 0: none
}

// Retry calls send until the outcome is final, or until t or fetch.max_wait forbids a retry. It returns an
// error of send or of a wait. But if the host is given up (gets no more requests) after the first call, Retry
// returns nil.
func (p *Pace) Retry(ctx context.Context, overtime <-chan struct{}, t Tries, send func() (Try, error)) error {
	waits := backoff.ExponentialBackOff{
		InitialInterval: t.Wait, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: Longest,
	}
	waits.Reset()
	var spent time.Duration
	for try := 0; ; try++ {
		got, err := send()
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
			return nil
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

var errSlow = fmt.Errorf("the answer was slow, and fetch.max_wait is used up: %w", os.ErrDeadlineExceeded)

// Exchange makes the request req with the transport next. An answer is slow after 10 seconds, plus 1 second
// for each 20 KB of its body. Only time in which the caller waits for the answer counts. Each further second
// is subtracted from the time that fetch.max_wait gives the host. When that time is used up, the answer is
// cut off. The error then wraps a net.Error that is a time-out.
func (p *Pace) Exchange(next http.RoundTripper, req *http.Request) (resp *http.Response, err error) {
	a := &answer{pace: p, freeTime: ordinaryTime}
	a.ctx, a.cancel = context.WithCancelCause(req.Context())
	_, err = a.wait(func() (int, error) {
		resp, err = next.RoundTrip(req.WithContext(a.ctx)) //nolint:bodyclose // the caller closes the body
		return 0, err
	})
	if err != nil {
		a.cancel(nil)
		return nil, err
	}
	a.ReadCloser, resp.Body = resp.Body, a
	return resp, nil
}

type answer struct {
	io.ReadCloser
	pace     *Pace
	ctx      context.Context
	cancel   context.CancelCauseFunc
	freeTime time.Duration
}

// wait calls read for a part of the answer. Time beyond a.freeTime counts against fetch.max_wait.
func (a *answer) wait(read func() (bytes int, err error)) (int, error) {
	began, done, charged := time.Now(), make(chan struct{}), make(chan struct{})
	timer := time.AfterFunc(a.freeTime, func() {
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
	a.freeTime = max(0, a.freeTime-time.Since(began)) + time.Duration(n)*time.Second/ordinaryRate
	if context.Cause(a.ctx) == errSlow && err != nil && err != io.EOF {
		err = errSlow
	}
	return n, err
}

func (a *answer) Read(p []byte) (int, error) {
	return a.wait(func() (int, error) { return a.ReadCloser.Read(p) })
}

func (a *answer) Close() error {
	defer a.cancel(nil)
	return a.ReadCloser.Close()
}
