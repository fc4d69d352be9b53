package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrLost is returned for what a lease no longer allows: another worker has the site, or may
// take it.
var ErrLost = errors.New("the lease is lost: another worker may run the site")

// Lease is the right to run a site. It renews itself until it is released or lost.
type Lease struct {
	keeper *Keeper
	site   string
	until  atomic.Pointer[time.Time]

	mu       sync.Mutex // of everything below; it is held while the entry is written
	state    State
	revision uint64
	beat     uint64 // of the last write that was tried: no two have the same

	over context.Context //nolint:containedctx // ended when it is lost, released or dropped
	end  context.CancelFunc
}

// Site returns the name of the site.
func (l *Lease) Site() string { return l.site }

// Number returns the fencing number, which no other lease of the site has.
func (l *Lease) Number() uint64 { return l.State().Number }

// State returns the entry as this holder last wrote it.
func (l *Lease) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

// Left returns how long nobody else can take the site; 0 or less when somebody may. Both the
// monotonic and the wall clock must agree: the one stands still while a machine sleeps, the
// other can be set back.
func (l *Lease) Left() time.Duration {
	if l.over.Err() != nil {
		return 0
	}
	until, now := *l.until.Load(), l.keeper.o.Now()
	return min(until.Sub(now), until.Round(0).Sub(now.Round(0)))
}

// Length returns how long the lease lasts without being renewed.
func (l *Lease) Length() time.Duration { return l.keeper.o.Length }

// Over returns a context that ends when the lease is lost, released or dropped.
func (l *Lease) Over() context.Context { return l.over }

// Drop stops renewing a lease that could not be released: others take it over when it has run
// out.
func (l *Lease) Drop() { l.end() }

// Change alters the entry. It errs with ErrLost where the lease is no longer this holder's.
func (l *Lease) Change(ctx context.Context, change func(*State)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	began := l.keeper.o.Now()
	if l.Left() <= 0 {
		l.end()
		return ErrLost
	}
	s := l.state
	change(&s)
	return l.write(ctx, s, began)
}

// Release gives the lease up; change may alter the entry in the same step.
func (l *Lease) Release(ctx context.Context, change func(*State)) error {
	err := l.Change(ctx, func(s *State) {
		if change != nil {
			change(s)
		}
		s.Holder, s.Length = "", 0
	})
	if err == nil {
		l.end()
	}
	return err
}

// write writes the entry where it still is at the revision that this holder knows; began is
// from when on the lease lasts. A write whose answer was lost may stand nevertheless: nobody
// else writes under this number and holder, so an entry with both is ours.
func (l *Lease) write(ctx context.Context, s State, began time.Time) error {
	l.beat++
	s.Beat = l.beat
	raw, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the state of %s: %w", l.site, err)
	}
	for {
		var revision uint64
		if l.revision == 0 { // also where an entry was deleted
			revision, err = l.keeper.states.Create(ctx, l.site, raw)
		} else {
			revision, err = l.keeper.states.Update(ctx, l.site, raw, l.revision)
		}
		switch {
		case err == nil:
			l.stands(s, revision, began)
			return nil
		case !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch): // which a replicated bucket says
			return fmt.Errorf("write the state of %s: %w", l.site, err)
		}
		now, revision, err := l.keeper.Look(ctx, l.site)
		switch {
		case err != nil:
			return err
		case now.Number == s.Number && now.Beat == s.Beat && now.Holder == s.Holder: // it stands: the answer was lost
			l.stands(s, revision, began)
			return nil
		case l.until.Load() != nil && revision > l.revision && now.Number == s.Number && now.Holder == l.keeper.o.Worker: // an earlier one of ours stands
			l.revision = revision
		default:
			l.end()
			return ErrLost
		}
	}
}

func (l *Lease) stands(s State, revision uint64, began time.Time) {
	until := began.Add(l.keeper.o.Length)
	l.until.Store(&until)
	l.state, l.revision = s, revision
}

// renew writes the entry several times within its length, until the lease is over.
func (l *Lease) renew(ctx context.Context) {
	pause := l.keeper.o.Length / renewals
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done(): // the entry stays until others see that it is over
			l.end()
			return
		case <-l.over.Done():
			return
		case <-ticker.C:
		}
		try, cancel := context.WithTimeout(ctx, pause)
		err := l.Change(try, func(*State) {})
		cancel()
		if err != nil && ctx.Err() == nil && l.Left() <= 0 {
			l.end()
			l.keeper.o.Log.Warn("the lease of a site is lost", "site", l.site, "why", err)
			return
		}
	}
}
