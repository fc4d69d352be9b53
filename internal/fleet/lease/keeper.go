package lease

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// DefaultLength is how long a lease lasts without being renewed. A lease is the right of one worker (a
// process that crawls sites) to run a site.
const DefaultLength = 2 * time.Minute

// Options say who takes leases, and for how long.
type Options struct {
	Worker string           // name of the worker; no other process may ever use it
	Length time.Duration    // a lease that is not renewed ends after Length; 0: DefaultLength
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // gets a warning about each lost lease; default: none
}

// Keeper takes leases for one worker. It watches the states of all sites, to know which leases have run out.
type Keeper struct {
	o      Options
	states jetstream.KeyValue
	group  sync.WaitGroup
	stop   context.CancelFunc
	ctx    context.Context //nolint:containedctx // for the renewals, which continue after Take returns

	mu   sync.Mutex
	seen map[string]observed
}

type observed struct {
	revision  uint64
	length    time.Duration
	firstSeen time.Time
}

// Watch returns a Keeper that has read all entries of the bucket states. It errs if ctx ends earlier.
func Watch(ctx context.Context, states jetstream.KeyValue, o Options) (*Keeper, error) {
	o.Length, o.Log = cmp.Or(o.Length, DefaultLength), cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	k := &Keeper{o: o, states: states, seen: map[string]observed{}}
	k.ctx, k.stop = context.WithCancel(context.WithoutCancel(ctx))
	watcher, err := states.WatchAll(k.ctx)
	if err != nil {
		k.stop()
		return nil, fmt.Errorf("watch the sites of the fleet: %w", err)
	}
	caughtUp := make(chan struct{})
	k.group.Go(func() { k.follow(watcher, caughtUp) })
	select {
	case <-caughtUp:
		return k, nil
	case <-ctx.Done():
		k.Close()
		return nil, fmt.Errorf("read the states of the fleet: %w", ctx.Err())
	}
}

// Close stops the watch and the renewal of all leases. Others may take a lease when its length has passed.
func (k *Keeper) Close() {
	k.stop()
	k.group.Wait()
}

func (k *Keeper) follow(watcher jetstream.KeyWatcher, caughtUp chan struct{}) {
	for entry := range watcher.Updates() {
		if entry == nil {
			close(caughtUp)
			continue
		}
		var s State
		_ = json.Unmarshal(entry.Value(), &s)
		k.mu.Lock()
		k.seen[entry.Key()] = observed{entry.Revision(), time.Duration(s.Length) * time.Millisecond, k.o.Now()}
		if entry.Operation() != jetstream.KeyValuePut {
			delete(k.seen, entry.Key())
		}
		k.mu.Unlock()
	}
}

// alive reports whether a site's lease may still have a holder. It is false if the Keeper has seen revision,
// the revision of the site's entry, for longer than the length of the lease.
func (k *Keeper) alive(site string, revision uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	seen, known := k.seen[site]
	return !known || seen.revision != revision || k.o.Now().Sub(seen.firstSeen) <= seen.length
}

// Look returns the state of a site and the revision of its entry. If there is no entry, both are zero.
func (k *Keeper) Look(ctx context.Context, site string) (s State, revision uint64, err error) {
	entry, err := k.states.Get(ctx, site)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return State{}, 0, nil
	}
	if err != nil {
		return State{}, 0, fmt.Errorf("read the state of %s: %w", site, err)
	}
	if err := json.Unmarshal(entry.Value(), &s); err != nil {
		return State{}, 0, fmt.Errorf("read the state of %s: its entry is damaged (%w); "+
			"sitesync fleet remove --purge and add it again", site, err)
	}
	return s, entry.Revision(), nil
}

// ErrHeld says that another worker has the lease.
var ErrHeld = errors.New("wait for it to end")

// Take takes the lease of a site. It errs with ErrHeld while another worker has it.
func (k *Keeper) Take(ctx context.Context, site string) (*Lease, error) {
	s, revision, err := k.Look(ctx, site)
	if err != nil {
		return nil, err
	}
	if s.Holder != "" && k.alive(site, revision) {
		return nil, fmt.Errorf("%s runs %s since %s; %w", s.Holder, site, s.Since.Format(time.RFC3339), ErrHeld)
	}
	began := k.o.Now()
	s.Number, s.Holder, s.Length, s.Since = s.Number+1, k.o.Worker, k.o.Length.Milliseconds(), began.UTC().Round(0)
	s.Tries++
	// Each write of an entry has a different Beat. The random start tells writes of this lease from those of
	// the worker's earlier leases.
	beat := rand.Uint64() >> 12 //nolint:gosec // a beat is no secret
	l := &Lease{keeper: k, site: site, state: s, revision: revision, beat: beat}
	l.over, l.end = context.WithCancel(context.Background())
	if err := l.writeState(ctx, s, began); err != nil {
		if errors.Is(err, ErrLost) {
			return nil, fmt.Errorf("another worker has just taken %s; %w", site, ErrHeld)
		}
		return nil, err
	}
	k.group.Go(func() { l.renew(k.ctx) })
	return l, nil
}
