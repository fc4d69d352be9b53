package web

import (
	"context"
	"slices"
	"sync"
)

// turns lets few callers work at once. The last who came is the next: where more come
// than can be served, the first give up, and those who come later need not wait for them.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting []chan struct{} // closed when it is their turn
}

// wait returns when it is the caller's turn, or errs with ctx's error. Whoever had a
// turn calls done.
func (t *turns) wait(ctx context.Context) error {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	mine := make(chan struct{})
	t.waiting = append(t.waiting, mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.Index(t.waiting, mine)
	if at < 0 { // it came meanwhile
		return nil
	}
	t.waiting = slices.Delete(t.waiting, at, at+1)
	return ctx.Err()
}

func (t *turns) done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last := len(t.waiting) - 1; last >= 0 {
		close(t.waiting[last])
		t.waiting = t.waiting[:last]
		return
	}
	t.free++
}
