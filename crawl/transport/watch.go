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
// wanted. A blocked Read looks at no clock: only closing ends it.
//
// The floor is kept as credit. A body starts with bodyGrace of it; time spends
// it, each byte earns 1/bodyFloor seconds, and there is never more of it than at
// the start, so that a fast beginning does not pay for a long silence.
type bodyWatch struct {
	body   io.Closer
	ctx    context.Context
	cancel context.CancelCauseFunc
	forget func() bool // ends the watch on ctx
	timer  *time.Timer
	end    time.Time // when the time in all is over
	due    time.Time // when the credit is spent
}

func newBodyWatch(ctx context.Context, body io.Closer) *bodyWatch {
	now := time.Now()
	w := &bodyWatch{body: body, end: now.Add(bodyTime), due: now.Add(bodyGrace)}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.forget = context.AfterFunc(w.ctx, func() { body.Close() })
	w.timer = time.AfterFunc(bodyGrace, func() {
		why := "body slower than 1 KB/s"
		if !time.Now().Before(w.end) {
			why = "body not finished after 5 minutes"
		}
		w.cancel(bodyErrorf(nil, "%s", why))
	})
	return w
}

// arrived earns the credit for n bytes.
func (w *bodyWatch) arrived(n int) {
	now := time.Now()
	credit := min(w.due.Sub(now)+time.Duration(n)*time.Second/bodyFloor, bodyGrace)
	w.due = now.Add(credit)
	w.timer.Reset(min(credit, w.end.Sub(now)))
}

// pause stops the clock; what it returns starts it again. Waiting for memory is no fault
// of the host.
func (w *bodyWatch) pause() (resume func()) {
	began := time.Now()
	w.timer.Stop()
	return func() {
		waited := time.Since(began)
		w.due, w.end = w.due.Add(waited), w.end.Add(waited)
		w.timer.Reset(min(time.Until(w.due), time.Until(w.end)))
	}
}

// stop ends the watch and closes the body.
func (w *bodyWatch) stop() {
	w.timer.Stop()
	w.forget()
	w.cancel(nil)
	w.body.Close()
}
