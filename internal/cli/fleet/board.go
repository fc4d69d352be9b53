package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
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
		b, end, err := f.open(ctx, "", f.replicas)
		if err != nil {
			return err
		}
		defer end()
		if named >= 0 {
			names = args[:min(named, len(args))]
		}
		d := &board{Bus: b, sites: map[string]site.Site{}, states: map[string]state{}}
		d.watch, err = b.States.WatchAll(ctx)
		if err != nil {
			return fmt.Errorf("read the states of the fleet: %w", err)
		}
		wait, cancel := context.WithTimeout(ctx, readWait)
		defer cancel()
		g, wait := errgroup.WithContext(wait)
		g.Go(func() error {
			all, err := site.New(b).List(wait)
			if err == nil && len(names) > 0 {
				all, err = namedSites(all, names)
			}
			for _, s := range all {
				d.sites[s.Name] = s
			}
			return err
		})
		g.Go(func() error {
			newest, err := bus.Newest(wait, b.StateLog)
			for seen, told := uint64(0), false; err == nil && (!told || seen < newest); {
				var revision uint64
				revision, err = d.next(wait)
				seen, told = max(seen, revision), told || revision == 0
			}
			return err
		})
		if err := g.Wait(); err != nil {
			return err
		}
		return fn(ctx, d, args)
	}
}

// names returns the sites in the order of their names.
func (d *board) names() []string { return slices.Sorted(maps.Keys(d.sites)) }

// next waits for the next change of a state, and returns its revision: 0 once, after the states
// that there were at the beginning.
func (d *board) next(ctx context.Context) (revision uint64, err error) {
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case e, open := <-d.watch.Updates():
		switch {
		case !open:
			return 0, errors.New("the connection to the fleet was closed")
		case e == nil:
			return 0, nil
		}
		delete(d.states, e.Key())
		if e.Operation() == jetstream.KeyValuePut {
			s := state{at: e.Created()}
			s.fault = json.Unmarshal(e.Value(), &s.State)
			d.states[e.Key()] = s
		}
		return e.Revision(), nil
	}
}

// now returns the time as the server has it.
func (d *board) now() time.Time { return time.Now().Add(d.Skew) }
