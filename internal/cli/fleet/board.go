package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/site"
)

// board holds what a fleet says of its sites, or of those that were named.
type board struct {
	*bus.Bus
	sites  map[string]site.Site
	states map[string]state // also of sites that were removed
	watch  jetstream.KeyWatcher
	seen   uint64 // the newest revision of a state
}

// state is the entry of a site's state.
type state struct {
	lease.State
	at    time.Time // when it was written, on the server's clock
	fault error     // why it can't be read
}

// readWait bounds how long a server may take to tell of all sites.
const readWait = time.Minute

// onBoard returns what a command runs: fn with what the fleet says of the sites that the first
// arguments name, so many at most (less than 0: all are names), or of every site.
func (f *fleet) onBoard(named int, fn func(context.Context, *board, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		ctx, names := cmd.Context(), args
		b, end, err := f.connect(ctx)
		if err != nil {
			return err
		}
		defer end()
		if named >= 0 {
			names = args[:min(named, len(args))]
		}
		d := &board{Bus: b, states: map[string]state{}}
		d.watch, err = b.States.WatchAll(ctx)
		if err != nil {
			return fmt.Errorf("read the states of the fleet: %w", err)
		}
		wait, cancel := context.WithTimeout(ctx, readWait)
		defer cancel()
		g, wait := errgroup.WithContext(wait)
		g.Go(func() error { return d.list(wait, names) })
		g.Go(func() error {
			newest, err := bus.Newest(wait, b.StateLog)
			for told := false; err == nil && (!told || d.seen < newest); {
				var more bool
				more, err = d.next(wait, nil)
				told = told || !more
			}
			return err
		})
		if err := g.Wait(); err != nil {
			return err
		}
		return fn(ctx, d, args)
	}
}

// list reads what the operators say of the sites.
func (d *board) list(ctx context.Context, names []string) error {
	all, err := site.New(d.Bus).List(ctx)
	if err == nil && len(names) > 0 {
		all, err = named(all, names)
	}
	d.sites = make(map[string]site.Site, len(all))
	for _, s := range all {
		d.sites[s.Name] = s
	}
	return err
}

// next takes the next change of a state, if one comes before the tick. more is false after a
// tick, and once after the states that there were at the beginning.
func (d *board) next(ctx context.Context, tick <-chan time.Time) (more bool, err error) {
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-tick:
		return false, nil
	case e, open := <-d.watch.Updates():
		switch {
		case !open:
			return false, errors.New("the connection to the fleet was closed")
		case e == nil:
			return false, nil
		}
		d.seen = e.Revision()
		delete(d.states, e.Key())
		if e.Operation() == jetstream.KeyValuePut {
			s := state{at: e.Created()}
			s.fault = json.Unmarshal(e.Value(), &s.State)
			d.states[e.Key()] = s
		}
		return true, nil
	}
}

// now returns the time as the server has it.
func (d *board) now() time.Time { return time.Now().Add(d.Skew) }

// follow draws the board at once and then, at a tick, where a state has changed; at every second
// tick anyway, for times go on. At every tenth it reads anew what the operators say.
func (d *board) follow(ctx context.Context, names []string, tick <-chan time.Time, draw func() error) (err error) {
	changed := true
	for n := 1; err == nil; n++ {
		if changed || n%2 == 0 {
			err = draw()
		}
		changed = false
		for more := err == nil; more && err == nil; changed = changed || more {
			more, err = d.next(ctx, tick)
		}
		if n%10 == 0 && err == nil {
			err = d.list(ctx, names)
		}
	}
	if ctx.Err() != nil { // Ctrl-C is how it ends
		return nil
	}
	return err
}
