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

// Need is a host that a site crawls, or the quota of a customer, and how many sites may use it at a time.
type Need struct {
	Key  string // such as "host www.example.com" or "customer 7 at https://search.example.com"
	Most int    // largest number of sites that may use it at a time; 0: no limit
}

// FullError says that as many sites as allowed use a host or a quota. Name is that host or quota in base64.
type FullError struct{ Name string }

func (*FullError) Error() string { return "as many sites as are allowed use a host or a quota" }

// Acquire takes one of the Most places of each host or quota in needs. A place is an exclusive lease. Acquire
// errs with *FullError if a host or quota has no free place. onLost runs if a lease ends before release is
// called. release gives up all places taken, and calls onFree with the base64 name of each host or quota.
// release is never nil, even after an error.
func Acquire(
	ctx context.Context, keeper *lease.Keeper, needs []Need, onLost func(), onFree func(name string),
) (release func(context.Context) error, err error) {
	needs = slices.SortedFunc(slices.Values(needs), func(a, b Need) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), a.Most-b.Most)
	})
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
		place, err := acquire(ctx, keeper, name, n.Most)
		if err != nil {
			return release, err
		}
		stop := context.AfterFunc(place.Over(), onLost)
		ends = append(ends, func(ctx context.Context) error {
			stop()
			defer onFree(name)
			defer place.Drop()
			err := place.Release(ctx, func(*lease.State) {})
			if errors.Is(err, lease.ErrLost) {
				return nil
			}
			return err
		})
	}
	return release, nil
}

func acquire(ctx context.Context, keeper *lease.Keeper, name string, most int) (*lease.Lease, error) {
	for i := range most {
		place, err := keeper.Take(ctx, bus.Place(name, i))
		if !errors.Is(err, lease.ErrHeld) {
			return place, err
		}
	}
	return nil, &FullError{name}
}

// Needs returns the hosts of a site and the quota of its customer. With the option "same_address", it also
// returns the hosts' IP addresses, which resolve finds. Errors of resolve are ignored.
func Needs(
	ctx context.Context, cfg *config.Config, resolve func(ctx context.Context, host string) ([]string, error),
) (needs []Need) {
	limits := cfg.Fleet.Limits
	hosts := slices.Clone(cfg.Site.FileHosts)
	for _, start := range cfg.Site.Start {
		if origin, err := weburl.ConfiguredOrigin(start); err == nil {
			hosts = append(hosts, weburl.Host(origin))
		}
	}
	for _, host := range hosts {
		host = strings.ToLower(host)
		needs = append(needs, Need{"host " + host, limits.Host})
		if !limits.SameAddress {
			continue
		}
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			name = host
		}
		addresses, _ := resolve(ctx, strings.Trim(name, "[]"))
		for _, address := range addresses[:min(len(addresses), 16)] { // some hosts have thousands of addresses
			needs = append(needs, Need{"address " + address, limits.Host})
		}
	}
	quota := fmt.Sprintf("customer %d at %s", cfg.Push.CustomerID, cfg.Push.Base())
	return append(needs, Need{quota, limits.Customer})
}
