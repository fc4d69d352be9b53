package limit_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"pgregory.net/rapid"

	"sitesync/internal/fleet/limit"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

func bucket(t *testing.T) jetstream.KeyValue {
	t.Helper()
	b, _ := deployed.Bus(t)
	return b.Limits
}

func keys(t interface{ Fatal(...any) }, kv jetstream.KeyValue) []string {
	all, err := kv.Keys(context.Background())
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		t.Fatal(err)
	}
	return all
}

// gate lets a call of the bucket through when the test says so, and loses its answer when the
// test says that.
type gate struct {
	jetstream.KeyValue
	turn chan chan pass
}

type pass int

const (
	through    pass = iota
	lostBefore      // the call never arrives
	lostAfter       // it is done, and nobody hears of it
)

var errLost = errors.New("the connection is lost")

func ask[T any](g gate, call func() (T, error)) (T, error) {
	turn := make(chan pass)
	g.turn <- turn
	how := <-turn
	var none T
	if how == lostBefore {
		return none, errLost
	}
	v, err := call()
	if how == lostAfter {
		return none, errLost
	}
	return v, err
}

func (g gate) Get(ctx context.Context, key string) (jetstream.KeyValueEntry, error) {
	return ask(g, func() (jetstream.KeyValueEntry, error) { return g.KeyValue.Get(ctx, key) })
}

func (g gate) Create(ctx context.Context, key string, value []byte, o ...jetstream.KVCreateOpt) (uint64, error) {
	return ask(g, func() (uint64, error) { return g.KeyValue.Create(ctx, key, value, o...) })
}

func (g gate) Update(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	return ask(g, func() (uint64, error) { return g.KeyValue.Update(ctx, key, value, revision) })
}

func (g gate) Purge(ctx context.Context, key string, o ...jetstream.KVDeleteOpt) error {
	_, err := ask(g, func() (int, error) { return 0, g.KeyValue.Purge(ctx, key, o...) })
	return err
}

// actor is a worker that runs one site, again and again.
type actor struct {
	site    string
	number  uint64
	limiter *limit.Limiter
	turn    chan chan pass
	done    chan error
	waiting chan pass // of its call; nil: it is not in one

	needs   []limit.Need
	enters  bool // what it does, or did last
	holds   bool
	release func(context.Context) error
	old     []func(context.Context) error // of leases that ended while it slept
}

// begin starts an operation and returns when that is at a call of the bucket, or done.
func (a *actor) begin(do func() error) { go func() { a.done <- do() }() }

func (a *actor) next() (err error, done bool) {
	select {
	case a.waiting = <-a.turn:
		return nil, false
	case err = <-a.done:
		a.waiting = nil
		return err, true
	}
}

// TestNeverMoreThanTheLimit plays workers that enter, leave, die and wake too late, with their
// calls in any order and some answers lost. No host ever has more live sites than the least
// limit of these sites, and in the end nothing is left behind.
func TestNeverMoreThanTheLimit(t *testing.T) {
	kv := bucket(t)
	hosts := []string{"host www.example.com:8443", "customer 7"}
	rapid.Check(t, func(t *rapid.T) {
		current := map[string]uint64{} // the lease of each site that is alive
		ended := func(_ context.Context, site string, number uint64) (bool, error) { return number < current[site], nil }
		var actors []*actor
		for i := range 4 {
			turn := make(chan chan pass)
			site := fmt.Sprint("site-", i)
			current[site] = 1
			actors = append(actors, &actor{site: site, number: 1, limiter: limit.New(gate{kv, turn}, ended, func(string) {}), turn: turn, done: make(chan error, 1)})
		}
		check := func() {
			for _, host := range hosts {
				in, least := 0, 99
				for _, a := range actors {
					if at := slices.IndexFunc(a.needs, func(n limit.Need) bool { return n.Key == host }); a.holds && at >= 0 && a.needs[at].Most > 0 {
						in, least = in+1, min(least, a.needs[at].Most)
					}
				}
				if in > least {
					t.Fatalf("%d sites use %s, and the least limit is %d", in, host, least)
				}
			}
		}
		entered := func(a *actor, err error) {
			a.holds = a.holds || a.enters && err == nil
			if err != nil && !isFull(err) && !errors.Is(err, errLost) {
				t.Fatal(err)
			}
		}
		for range 200 {
			a := rapid.SampledFrom(actors).Draw(t, "actor")
			switch {
			case a.waiting != nil:
				a.waiting <- rapid.SampledFrom([]pass{11: lostBefore, 12: lostAfter}).Draw(t, "pass")
			case len(a.old) > 0 && rapid.Bool().Draw(t, "wakes late"):
				late := a.old[0]
				a.old, a.enters = a.old[1:], false
				a.begin(func() error { return late(t.Context()) })
			case !a.holds:
				a.needs, a.enters = nil, true
				for _, host := range hosts {
					a.needs = append(a.needs, limit.Need{Key: host, Most: rapid.SampledFrom([]int{0, 1, 2, 2, 3}).Draw(t, "most")})
				}
				a.begin(func() (err error) {
					a.release, err = a.limiter.Acquire(t.Context(), a.site, a.number, a.needs)
					return err
				})
			case rapid.Bool().Draw(t, "dies"):
				a.old, a.holds = append(a.old, a.release), false
				a.number++
				current[a.site] = a.number
				continue
			default:
				a.holds, a.enters = false, false
				a.begin(func() error { return a.release(t.Context()) })
			}
			if err, done := a.next(); done {
				entered(a, err)
			}
			check()
		}
		for _, a := range actors { // let all come to an end
			for a.waiting != nil {
				a.waiting <- through
				if err, done := a.next(); done {
					entered(a, err)
				}
			}
		}
		check()
		for site := range current {
			current[site] = 99 // all leases end
		}
		last := limit.New(kv, ended, func(string) {})
		for _, host := range hosts {
			release, err := last.Acquire(t.Context(), "last", 1, []limit.Need{{Key: host, Most: 1}})
			must(t, err)
			must(t, release(t.Context()))
		}
		if left := keys(t, kv); len(left) > 0 {
			t.Fatalf("left behind: %v", left)
		}
	})
}

func TestAllOrNothing(t *testing.T) {
	ctx, kv := t.Context(), bucket(t)
	alive := func(context.Context, string, uint64) (bool, error) { return false, nil }
	var left []string
	told := func(name string) {
		key, err := base64.RawURLEncoding.DecodeString(name)
		must(t, err)
		left = append(left, string(key))
	}
	one, other := limit.New(kv, alive, told), limit.New(kv, alive, told)
	release, err := one.Acquire(ctx, "town", 3, []limit.Need{{Key: "host b.example", Most: 1}})
	must(t, err)
	_, err = other.Acquire(ctx, "harbour", 1, []limit.Need{{Key: "host b.example", Most: 2}, {Key: "host a.example", Most: 1}, {Key: "customer 1", Most: 0}})
	if !isFull(err) {
		t.Fatalf("got %v", err)
	}
	if left := keys(t, kv); len(left) != 1 {
		t.Errorf("entries %v, want that of host b.example alone", left)
	}
	must(t, release(ctx))
	if left := keys(t, kv); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if !slices.Equal(left, []string{"host a.example", "host b.example"}) { // what it was never in, nobody leaves
		t.Errorf("those who wait were told of %q", left)
	}
}

func TestDamagedEntryIsMadeAnew(t *testing.T) {
	ctx, kv := t.Context(), bucket(t)
	l := limit.New(kv, func(context.Context, string, uint64) (bool, error) { return false, errors.New("nobody knows") }, func(string) {})
	needs := []limit.Need{{Key: "host a.example", Most: 1}}
	for _, damage := range []string{"{", `{"holders":[{"site":"a.>","number":1,"most":1}]}`, `{"holders":[{"site":"town","number":1,"most":-1}]}`} {
		release, err := l.Acquire(ctx, "town", 1, needs)
		must(t, err)
		_, err = kv.Put(ctx, keys(t, kv)[0], []byte(damage))
		must(t, err)
		again, err := l.Acquire(ctx, "harbour", 1, needs)
		if err != nil {
			t.Fatalf("after %s: %v", damage, err)
		}
		must(t, errors.Join(again(ctx), release(ctx)))
	}
}

func isFull(err error) bool {
	_, is := errors.AsType[*limit.FullError](err)
	return is
}
