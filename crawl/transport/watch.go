package transport

import (
	"context"
	"io"
	"time"
)

const (
	bodyFloor = 1000             // bytes a second, on average
	bodyGrace = 10 * time.Second // how long a body may fall behind that
	bodyTime  = 5 * time.Minute  // in all
)

// bodyWatch closes a body that is too slow, takes too long or is no longer
// wanted. A blocked Read looks at no clock: only closing ends it. Time counts
// while a read waits: what we do between two reads is no fault of the host.
//
// The floor is kept as credit. A body starts with bodyGrace of it; time spends
// it, each byte earns 1/bodyFloor seconds, and there is never more of it than at
// the start, so that a fast beginning does not pay for a long silence.
type bodyWatch struct {
	body   io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	forget func() bool   // ends the watch on ctx
	credit time.Duration // that a read may wait
	left   time.Duration // of the time in all
}

func newBodyWatch(ctx context.Context, body io.ReadCloser) *bodyWatch {
	w := &bodyWatch{body: body, credit: bodyGrace, left: bodyTime}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.forget = context.AfterFunc(w.ctx, func() { body.Close() })
	return w
}

// Read reads the body.
func (w *bodyWatch) Read(p []byte) (int, error) {
	began, why := time.Now(), "body slower than 1 KB/s"
	if w.left <= w.credit {
		why = "body not finished after 5 minutes"
	}
	timer := time.AfterFunc(min(w.credit, w.left), func() { w.cancel(bodyErrorf(nil, "%s", why)) })
	n, err := w.body.Read(p)
	timer.Stop()
	took := time.Since(began)
	w.left -= took
	w.credit = min(w.credit-took+time.Duration(n)*time.Second/bodyFloor, bodyGrace)
	return n, err
}

func (w *bodyWatch) stop() {
	w.forget()
	w.cancel(nil)
	w.body.Close()
}
