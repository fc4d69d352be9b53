package service

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
)

// kept is a customer's index and what keeps it in step with the store: one goroutine
// that takes up the backlog.
type kept struct {
	s        *Service
	customer int64
	index    *search.Index
	cancel   context.CancelFunc
	ended    chan struct{}
	nudge    chan struct{} // there are notes
	hurry    chan struct{} // somebody waits for them

	mu     sync.Mutex // guards what follows
	found  uint64     // documents of notes up to this one are found
	stored uint64     // and those of notes up to this one are on disk
	moved  chan struct{}
	err    error // why indexing ended
}

// keep begins to keep an index in step.
func keep(s *Service, customer int64, index *search.Index) *kept {
	ctx, cancel := context.WithCancel(context.Background())
	k := &kept{
		s: s, customer: customer, index: index, cancel: cancel,
		ended: make(chan struct{}), nudge: make(chan struct{}, 1), hurry: make(chan struct{}, 1), moved: make(chan struct{}),
	}
	go k.run(ctx)
	return k
}

func (k *kept) wake() { raise(k.nudge) }

func raise(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is on already
	}
}

func (k *kept) failed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err != nil
}

func (k *kept) close() error {
	k.cancel()
	<-k.ended
	return k.index.Close()
}

// due returns until when a note must have been made to be taken up: without the switch all
// are, whatever the clock does.
func (k *kept) due() time.Time {
	delay := time.Duration(k.s.Switches().VisibilityMS) * time.Millisecond
	if delay == 0 {
		return time.UnixMilli(math.MaxInt64)
	}
	return k.s.now().Add(-delay)
}

func (k *kept) run(ctx context.Context) {
	defer close(k.ended)
	for {
		next, err := k.step(ctx)
		if ctx.Err() != nil { // its notes stay
			return
		}
		if err != nil {
			k.s.log.Error("indexing ended", "customer", k.customer, "error", err)
			k.move(func() { k.err = err })
			return
		}
		if !next.full && !k.rest(ctx, next.wait) {
			return
		}
	}
}

// rest waits until there is something to do: at once for who waits, else when some notes
// have gathered, as one large step costs less than many small ones. It returns false when
// the context ends.
func (k *kept) rest(ctx context.Context, wait time.Duration) bool {
	var timer <-chan time.Time
	if wait > 0 {
		timer = time.After(wait)
	}
	select {
	case <-ctx.Done():
		return false
	case <-k.hurry:
		return true
	case <-timer:
		return true
	case <-k.nudge:
	}
	select {
	case <-ctx.Done():
		return false
	case <-k.hurry:
	case <-time.After(gathering):
	}
	return true
}

// step takes up the next notes, and drops those whose documents are on disk.
func (k *kept) step(ctx context.Context) (next step, err error) {
	k.mu.Lock()
	found, stored := k.found, k.stored
	k.stored = 0
	k.mu.Unlock()
	if stored > 0 {
		err = k.s.db.Update(func(tx *bolt.Tx) error { return dropNotes(tx, k.customer, stored) })
	}
	if err == nil {
		err = k.s.db.View(func(tx *bolt.Tx) (err error) {
			next, err = nextStep(tx, k.customer, found, k.due())
			return err
		})
	}
	if err != nil || next.last == 0 {
		return next, err
	}
	err = k.index.Write(ctx, next.puts, next.deletes, next.last, func() {
		k.mu.Lock()
		k.stored = max(k.stored, next.last)
		k.mu.Unlock()
		k.wake()
	})
	if err == nil {
		k.move(func() { k.found = next.last })
	}
	return next, err
}

// move changes how far it is, and tells those who wait.
func (k *kept) move(change func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	change()
	close(k.moved)
	k.moved = make(chan struct{})
}

// catchUp waits until all is found that was due when it was called.
func (k *kept) catchUp(ctx context.Context) error {
	var last uint64
	err := k.s.db.View(func(tx *bolt.Tx) (err error) {
		last, err = lastDue(tx, k.customer, k.due())
		return err
	})
	if err != nil {
		return err
	}
	for {
		raise(k.hurry)
		k.mu.Lock()
		found, moved, err := k.found, k.moved, k.err
		k.mu.Unlock()
		switch {
		case err != nil:
			return fmt.Errorf("index the documents of customer %d: %w", k.customer, err)
		case found >= last:
			return nil
		}
		select {
		case <-moved:
		case <-k.ended:
			return errors.New("the service ends")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
