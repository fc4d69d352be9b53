package push

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
)

const (
	maxRetries    = 5
	maxRetryAfter = 5 * time.Minute
	maxAnswer     = 16 << 20 // most bytes to read of an answer; after a large request the limit is higher
)

type request struct {
	op     string
	method string
	url    string
	body   []byte
	once   bool              // never retry after a try that may have been carried out
	final  func(answer) bool // reports whether an answer is a valid result of the endpoint; may be nil
}

// call makes the request, and retries it at most maxRetries times if a retry may succeed. If ctx ends, call
// returns the failure of the last try.
func (c *conn) call(ctx context.Context, r request) (answer, *Error) {
	if ctx.Err() != nil {
		return answer{}, c.fail(r, answer{}, KindNetwork, "it was not sent")
	}
	waits := c.o.Backoff()
	waits.Reset()
	doubt := false
	for try := 1; ; try++ {
		got, failure := c.attempt(ctx, r)
		if failure != nil {
			doubt = doubt || failure.ran
			failure.ran = doubt
		}
		got.mayHaveRun = doubt
		if failure == nil || !failure.retryable || doubt && r.once || try > maxRetries || ctx.Err() != nil {
			return got, failure
		}
		pause := waits.NextBackOff()
		if pause == backoff.Stop {
			return got, failure
		}
		after := document.RetryAfter(got.header, time.Now())
		if after > maxRetryAfter { // too long to wait, and an earlier retry would be refused
			return got, failure
		}
		pause = max(pause, after)
		c.o.Logger.Warn("the call is tried again", "op", r.op, "url", r.url,
			"try", try, "wait", pause, "why", failure.reason())
		select {
		case <-ctx.Done():
			return got, failure
		case <-c.o.After(pause):
		}
	}
}

func (c *conn) attempt(ctx context.Context, r request) (answer, *Error) {
	limited, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	got, err := c.exchange(limited, r)
	var failure *Error
	switch {
	case err == nil:
		failure = classify(got, r.final)
	case limited.Err() != nil && ctx.Err() == nil:
		message := fmt.Sprintf("no whole answer within %s", c.o.Timeout)
		failure = &Error{Kind: KindNetwork, Message: message, retryable: true, ran: true}
	default:
		failure = broken(err)
	}
	return got, c.dress(failure, r)
}

// fail returns the failure of a call that was not made, or whose answer breaks a rule of its endpoint.
func (c *conn) fail(r request, got answer, kind Kind, message string) *Error {
	ran := got.mayHaveRun || kind == KindUnknown || kind == KindServer
	return c.dress(&Error{Status: got.status, Kind: kind, Message: message, ran: ran}, r)
}

// dress adds the call's operation and URL to e, and removes secrets from its message. A nil e stays nil.
func (c *conn) dress(e *Error, r request) *Error {
	if e == nil {
		return nil
	}
	e.Op, e.URL, e.keyless, e.Message = r.op, r.url, c.keyless, c.clean(e.Message)
	return e
}

// exchange sends the request and reads the answer. If the body breaks off, exchange errs only if the status
// says success. For any other status, the status alone identifies the failure.
func (c *conn) exchange(ctx context.Context, r request) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return answer{}, err
	}
	c.authorise(req)
	req.Header.Set("User-Agent", c.o.UserAgent)
	req.Header.Set("Accept", "application/json")
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	// The limit grows with the request, because an answer may repeat every document.
	body, err := io.ReadAll(io.LimitReader(res.Body, int64(max(maxAnswer, 8*len(r.body)))))
	if err != nil && isSuccess(res.StatusCode) {
		return answer{}, fmt.Errorf("read the answer: %w", err)
	}
	got := newAnswer(res.StatusCode, body)
	got.header = res.Header
	return got, nil
}

// broken returns the failure of a call that got no answer. The call had no effect if no connection was made,
// or if the certificate of the service is wrong. A wrong certificate is not retried.
func broken(err error) *Error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	_, wrong := errors.AsType[*tls.CertificateVerificationError](err)
	op, ok := errors.AsType[*net.OpError](err)
	undialled := ok && (op.Op == "dial" || op.Op == "proxyconnect")
	return &Error{Kind: KindNetwork, Message: err.Error(), retryable: !wrong, ran: !wrong && !undialled}
}
