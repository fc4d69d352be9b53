package transport

import (
	"context"
	"io"
	"time"
)

const (
	bodyFloor = 1000             // least average speed, in bytes a second
	bodyGrace = 10 * time.Second // how long a body may fall behind bodyFloor
	bodyTime  = 5 * time.Minute  // longest total time that the reads of a body may wait
)

// bodyWatch closes a body that is slower than bodyFloor, takes longer than bodyTime, or whose context ends.
// Only closing the body ends a blocked Read. Time between two reads does not count.
//
// A body has a credit of time, at first bodyGrace. Reading uses the credit up, and each byte adds 1/bodyFloor
// seconds. The credit never exceeds bodyGrace, so a fast beginning does not pay for a long silence.
type bodyWatch struct {
	body     io.ReadCloser
	ctx      context.Context
	cancel   context.CancelCauseFunc
	forget   func() bool   // stops the AfterFunc that closes the body when ctx ends
	credit   time.Duration // time that reads may still wait before the body counts as slow
	timeLeft time.Duration
}

func newBodyWatch(ctx context.Context, body io.ReadCloser) *bodyWatch {
	w := &bodyWatch{body: body, credit: bodyGrace, timeLeft: bodyTime}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.forget = context.AfterFunc(w.ctx, func() { body.Close() })
	return w
}

func (w *bodyWatch) Read(p []byte) (int, error) {
	began, why := time.Now(), "body slower than 1 KB/s"
	if w.timeLeft <= w.credit {
		why = "body not finished after 5 minutes"
	}
	timer := time.AfterFunc(min(w.credit, w.timeLeft), func() { w.cancel(bodyErrorf(nil, "%s", why)) })
	n, err := w.body.Read(p)
	timer.Stop()
	took := time.Since(began)
	w.timeLeft -= took
	w.credit = min(w.credit-took+time.Duration(n)*time.Second/bodyFloor, bodyGrace)
	return n, err
}

func (w *bodyWatch) stop() {
	w.forget()
	w.cancel(nil)
	w.body.Close()
}
