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

// bodyTimer is the part of *time.Timer that a watch needs.
type bodyTimer interface {
	Reset(time.Duration) bool
	Stop() bool
}

// bodyWatch closes a body that is too slow, takes too long or is no longer
// wanted. A blocked Read looks at no clock: only closing ends it.
//
// The floor is kept as credit. A body starts with bodyGrace of it; time spends
// it, each byte earns 1/bodyFloor seconds, and there is never more of it than at
// the start, so that a fast beginning does not pay for a long silence.
type bodyWatch struct {
	reader *Bodies
	body   io.Closer
	ctx    context.Context
	cancel context.CancelCauseFunc
	forget func() bool // ends the watch on ctx
	timer  bodyTimer
	end    time.Time // when the time in all is over
	due    time.Time // when the credit is spent
}

func (b *Bodies) watch(ctx context.Context, body io.Closer) *bodyWatch {
	now := b.now()
	w := &bodyWatch{reader: b, body: body, end: now.Add(bodyTime), due: now.Add(bodyGrace)}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.forget = context.AfterFunc(w.ctx, func() { body.Close() })
	w.timer = b.afterFunc(bodyGrace, func() {
		if b.now().Before(w.end) {
			w.cancel(bodyErrorf(nil, "body slower than 1 KB/s"))
		} else {
			w.cancel(bodyErrorf(nil, "body not finished after 5 minutes"))
		}
	})
	return w
}

// arrived earns the credit for n bytes.
func (w *bodyWatch) arrived(n int) {
	now := w.reader.now()
	credit := min(w.due.Sub(now)+time.Duration(n)*time.Second/bodyFloor, bodyGrace)
	w.due = now.Add(credit)
	w.timer.Reset(min(credit, w.end.Sub(now)))
}

// pause stops the clock; what it returns starts it again. Waiting for memory is no fault
// of the host.
func (w *bodyWatch) pause() (resume func()) {
	began := w.reader.now()
	w.timer.Stop()
	return func() {
		now := w.reader.now()
		w.due, w.end = w.due.Add(now.Sub(began)), w.end.Add(now.Sub(began))
		w.timer.Reset(min(w.due.Sub(now), w.end.Sub(now)))
	}
}

// stop ends the watch and closes the body.
func (w *bodyWatch) stop() {
	w.timer.Stop()
	w.forget()
	w.cancel(nil)
	w.body.Close()
}
