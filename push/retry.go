package push

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	maxRetries    = 5
	maxRetryAfter = 5 * time.Minute
)

// retryAdvice says whether a failed call is worth another try, and how long the
// service asked to be left alone.
type retryAdvice struct {
	again bool
	after time.Duration
}

// call makes the request and repeats it while that may help: five times at most.
// Where ctx ends it, the failure is that of the last try.
func (c *Client) call(ctx context.Context, r request) (answer, *Error) {
	waits := c.backoff()
	waits.Reset()
	doubt := false
	for try := 1; ; try++ {
		got, failure := c.attempt(ctx, r)
		if failure == nil {
			got.repeated = doubt
			return got, nil
		}
		doubt = doubt || failure.mayHaveRun()
		failure.doubt = doubt
		if !failure.retry.again || try > maxRetries || ctx.Err() != nil {
			return answer{}, failure
		}
		pause := waits.NextBackOff()
		if pause == backoff.Stop {
			return answer{}, failure
		}
		pause = max(pause, failure.retry.after)
		c.log.Warn("the call is tried again", "op", r.op, "url", r.url, "try", try, "wait", pause, "why", failure.reason())
		if c.wait(ctx, pause) != nil {
			return answer{}, failure
		}
	}
}

// mayHaveRun reports whether the service may have carried out the call although
// it failed.
func (e *Error) mayHaveRun() bool {
	return e.Kind == KindNetwork || e.Kind == KindServer || e.Kind == KindUnknown && isSuccess(e.Status)
}

// wait returns after d, or at once with ctx's error when ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retryAfter returns the wait that a Retry-After field asks for, in seconds or
// as a date (RFC 9110, section 10.2.3): 0 when it is absent, past or unreadable,
// five minutes at most.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 32)
		if err != nil { // more digits than any honest wait has
			return maxRetryAfter
		}
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(now), 0), maxRetryAfter)
}
