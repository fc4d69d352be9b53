package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// noAnswerError is the end of all patience with an exchange whose header does not
// come. net/http bounds the parts of it, but neither the wait for a place on an
// HTTP/2 connection nor the sending of the request.
type noAnswerError struct{ after time.Duration }

func (e noAnswerError) Error() string { return fmt.Sprintf("no answer after %v", e.after) }

// Timeout and Temporary make it a net.Error.
func (noAnswerError) Timeout() bool   { return true }
func (noAnswerError) Temporary() bool { return true }

// head makes an exchange up to the header of the answer, in bounded time. cancel
// is that of out's context; the body calls it when it is closed.
func (t *Transport) head(way *http.Transport, out *http.Request, cancel context.CancelCauseFunc) (*http.Response, error) {
	if t.patience > 0 {
		timer := time.AfterFunc(t.patience, func() { cancel(noAnswerError{t.patience}) })
		defer timer.Stop()
	}
	resp, err := way.RoundTrip(out)
	if err != nil {
		if late, ok := errors.AsType[noAnswerError](context.Cause(out.Context())); ok {
			err = late
		}
		cancel(nil)
		return nil, err
	}
	resp.Body = &boundBody{resp.Body, cancel}
	return resp, nil
}

// boundBody is a body that ends the context of its exchange.
type boundBody struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (b *boundBody) Close() error {
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}
