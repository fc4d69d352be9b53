package limit

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/weburl"
)

// Need is a host or a customer's quota, in words for people, and how many sites may use it at a time.
type Need struct {
	Key  string
	Most int
}

// FullError says that a host or a quota has no place left.
type FullError struct{ Name string } // the name that New's left is called with

// Error says so.
func (*FullError) Error() string { return "as many sites as are allowed use a host or a quota" }

// Limiter takes places for the sites of one worker.
type Limiter struct {
	keeper *lease.Keeper
	left   func(name string)
}

// New returns a Limiter that takes places with keeper. It calls left with the name of each host or
// quota at which a place has become free.
func New(keeper *lease.Keeper, left func(name string)) *Limiter { return &Limiter{keeper, left} }

// Acquire takes a place at all that a site needs, and returns what gives up those it has, also where it
// errs. It errs with *FullError where no place is left. A need with a Most of 0 has no limit. If another
// worker may take one of the places meanwhile, Acquire calls lost.
func (l *Limiter) Acquire(ctx context.Context, needs []Need, lost func()) (release func(context.Context) error, err error) {
	needs = slices.SortedFunc(slices.Values(needs), func(a, b Need) int { return cmp.Or(cmp.Compare(a.Key, b.Key), a.Most-b.Most) })
	needs = slices.DeleteFunc(needs, func(n Need) bool { return n.Most <= 0 })
	needs = slices.CompactFunc(needs, func(a, b Need) bool { return a.Key == b.Key })
	var ends []func(context.Context) error
	release = func(ctx context.Context) (all error) {
		for _, end := range ends {
			all = errors.Join(all, end(ctx))
		}
		return all
	}
	for _, n := range needs {
		name := base64.RawURLEncoding.EncodeToString([]byte(n.Key))
		place, err := l.take(ctx, name, n.Most)
		if err != nil {
			return release, err
		}
		stop := context.AfterFunc(place.Over(), lost)
		ends = append(ends, func(ctx context.Context) error {
			stop()
			defer l.left(name)
			defer place.Drop()
			err := place.Release(ctx, func(*lease.State) {})
			if errors.Is(err, lease.ErrLost) { // a lost lease leaves the place free
				return nil
			}
			return err
		})
	}
	return release, nil
}

// take takes one of the places of a host or a quota.
func (l *Limiter) take(ctx context.Context, name string, most int) (*lease.Lease, error) {
	for i := range most {
		place, err := l.keeper.Take(ctx, bus.Place(name, i))
		if !errors.Is(err, lease.ErrHeld) {
			return place, err
		}
	}
	return nil, &FullError{name}
}

// maxAddresses bounds how many addresses of one host count.
const maxAddresses = 16

// Needs returns what a run of a site uses: the hosts that it reads, with same_address their
// addresses too, and the quota of its customer. resolve looks a host up, as
// net.Resolver.LookupHost does; one that it does not find counts by its name alone.
func Needs(ctx context.Context, cfg *config.Config, resolve func(ctx context.Context, host string) ([]string, error)) (needs []Need) {
	limits := cfg.Fleet.Limits
	var hosts []string
	for _, host := range cfg.Site.FileHosts {
		hosts = append(hosts, strings.ToLower(host))
	}
	for _, start := range cfg.Site.Start {
		if origin, err := weburl.ConfiguredOrigin(start); err == nil {
			hosts = append(hosts, weburl.Host(origin))
		}
	}
	for _, host := range hosts {
		needs = append(needs, Need{"host " + host, limits.Host})
		if !limits.SameAddress {
			continue
		}
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			name = host
		}
		addresses, _ := resolve(ctx, strings.Trim(name, "[]"))
		for _, address := range addresses[:min(len(addresses), maxAddresses)] {
			needs = append(needs, Need{"address " + address, limits.Host})
		}
	}
	return append(needs, Need{fmt.Sprintf("customer %d at %s", cfg.Push.CustomerID, cfg.Push.Base()), limits.Customer})
}
