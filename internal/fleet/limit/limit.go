package limit

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/weburl"
)

// markerStays is how long the server remembers that an entry is gone.
const markerStays = time.Minute

// leaveWait bounds how long a site that could not enter may take to leave again.
const leaveWait = 10 * time.Second

// Need is what a site uses: a host or a customer's quota, for people to read, and how many
// sites may use it at a time.
type Need struct {
	Key  string
	Most int
}

// Holder is a site that runs under the lease with a number.
type Holder struct {
	Site   string `json:"site"`
	Number uint64 `json:"number"`
	Most   int    `json:"most"` // sites that its configuration allows
}

// entry is what the bucket holds of a key, whose own name is only letters.
type entry struct {
	Key     string   `json:"key"`
	Holders []Holder `json:"holders"`
}

// FullError says that as many sites as are allowed use a host or a quota.
type FullError struct{ Name string } // of its entry

// Error says so.
func (*FullError) Error() string { return "as many sites as are allowed use a host or a quota" }

// Limiter enters sites into what they use.
type Limiter struct {
	limits jetstream.KeyValue
	ended  func(ctx context.Context, site string, number uint64) (bool, error)
	left   func(name string)
}

// New returns a Limiter on the bucket of limits. ended says that a lease is over for good, as
// lease.Keeper.Ended does; left is told of each entry that a site has left.
func New(limits jetstream.KeyValue, ended func(context.Context, string, uint64) (bool, error), left func(string)) *Limiter {
	return &Limiter{limits, ended, left}
}

// Acquire enters a site into all that it needs, and returns what takes it out again. It errs
// with *FullError where one of them is full, and is then in none. Needs with a Most of 0 have
// no limit and are not counted.
func (l *Limiter) Acquire(ctx context.Context, site string, number uint64, needs []Need) (release func(context.Context) error, err error) {
	needs = slices.SortedFunc(slices.Values(needs), func(a, b Need) int { return cmp.Or(cmp.Compare(a.Key, b.Key), a.Most-b.Most) })
	needs = slices.DeleteFunc(needs, func(n Need) bool { return n.Most <= 0 })
	needs = slices.CompactFunc(needs, func(a, b Need) bool { return a.Key == b.Key })
	release = func(ctx context.Context) (all error) {
		for _, n := range needs {
			was := false
			err := l.change(ctx, n.Key, func(holders []Holder) ([]Holder, error) {
				was = slices.ContainsFunc(holders, func(h Holder) bool { return h.Site == site })
				return without(holders, site, number), nil
			})
			if err == nil && was {
				l.left(nameOf(n.Key))
			}
			all = errors.Join(all, err)
		}
		return all
	}
	for _, n := range needs {
		err := l.change(ctx, n.Key, func(holders []Holder) ([]Holder, error) {
			return l.enter(ctx, n.Key, without(holders, site, number), Holder{site, number, n.Most})
		})
		if err != nil { // also one that may have entered: its answer was lost
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveWait)
			defer cancel()
			_ = release(ctx) // what stays is dropped when the lease has ended
			return nil, err
		}
	}
	return release, nil
}

// without leaves out a site, but not under a later lease than the one with that number.
func without(holders []Holder, site string, number uint64) []Holder {
	return slices.DeleteFunc(holders, func(h Holder) bool { return h.Site == site && h.Number <= number })
}

// enter adds a site; where there is no room, those whose leases have ended make it.
func (l *Limiter) enter(ctx context.Context, key string, holders []Holder, mine Holder) ([]Holder, error) {
	holders = append(holders, mine)
	full := func() bool {
		return len(holders) > slices.MinFunc(holders, func(a, b Holder) int { return a.Most - b.Most }).Most
	}
	if full() {
		holders = slices.DeleteFunc(holders, func(h Holder) bool {
			over, err := l.ended(ctx, h.Site, h.Number) // what can't be told keeps its place
			return h != mine && err == nil && over
		})
	}
	if full() && ctx.Err() == nil {
		return nil, &FullError{nameOf(key)}
	}
	return holders, ctx.Err()
}

func nameOf(key string) string { return base64.RawURLEncoding.EncodeToString([]byte(key)) }

// change writes who uses a key, until nobody else wrote it meanwhile. A key that nobody uses
// has no entry; one that can't be read is made anew.
func (l *Limiter) change(ctx context.Context, key string, to func([]Holder) ([]Holder, error)) error {
	name := nameOf(key)
	for {
		var now entry
		var revision uint64
		got, err := l.limits.Get(ctx, name)
		if err == nil {
			revision = got.Revision()
			_ = json.Unmarshal(got.Value(), &now)
			now.Holders = slices.DeleteFunc(now.Holders, func(h Holder) bool { return h.Most <= 0 || bus.CheckName(h.Site) != nil })
		} else if !errors.Is(err, jetstream.ErrKeyNotFound) {
			return fmt.Errorf("read who uses %s: %w", key, err)
		}
		holders, err := to(slices.Clone(now.Holders))
		if err != nil || revision > 0 && slices.Equal(holders, now.Holders) || revision == 0 && len(holders) == 0 {
			return err
		}
		raw, err := json.Marshal(entry{key, holders})
		switch {
		case err != nil:
		case len(holders) == 0:
			err = l.limits.Purge(ctx, name, jetstream.LastRevision(revision), jetstream.PurgeTTL(markerStays))
		case revision == 0:
			_, err = l.limits.Create(ctx, name, raw)
		default:
			_, err = l.limits.Update(ctx, name, raw, revision)
		}
		if err == nil {
			return nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return fmt.Errorf("write who uses %s: %w", key, err)
		}
	}
}

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
		if origin, err := weburl.ConfiguredOrigin(start); err == nil && cfg.Site.Folder == "" {
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
	if !cfg.Push.Local() {
		needs = append(needs, Need{fmt.Sprintf("customer %d at %s", cfg.Push.CustomerID, cfg.Push.Base()), limits.Customer})
	}
	return needs
}
