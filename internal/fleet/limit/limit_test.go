package limit_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/limit"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

func keeper(t *testing.T, b *bus.Bus, name string, now func() time.Time) *lease.Keeper {
	t.Helper()
	k, err := lease.Watch(t.Context(), b.States, lease.Options{Worker: name, Length: time.Hour, Now: now})
	must(t, err)
	t.Cleanup(k.Close)
	return k
}

func isFull(err error) bool {
	_, is := errors.AsType[*limit.FullError](err)
	return is
}

func unheard(string) {}
func kept()          {}

// Workers that enter and leave at the same time never are more than a host allows, and each of them
// finds room in the end.
func TestNeverMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	var inside atomic.Int64
	var workers sync.WaitGroup
	for i := range 4 {
		k := keeper(t, b, fmt.Sprint("worker-", i), nil)
		workers.Go(func() {
			for entered := 0; entered < 10; {
				release, err := limit.Acquire(t.Context(), k, []limit.Need{{Key: "host www.example.com", Most: 2}}, kept, unheard)
				if isFull(err) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n > 2 {
					t.Errorf("%d sites use a host that allows 2", n)
				}
				entered++
				inside.Add(-1)
				if err := release(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	workers.Wait()
}

// A site that finds one host full gives up its place at another, and those who wait hear of each place
// that is free again.
func TestAcquireTakesAllPlacesOrNone(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	var left []string
	told := func(name string) {
		key, err := base64.RawURLEncoding.DecodeString(name)
		must(t, err)
		left = append(left, string(key))
	}
	one, other := keeper(t, b, "one", nil), keeper(t, b, "other", nil)
	release, err := limit.Acquire(t.Context(), one, []limit.Need{{Key: "host b.example", Most: 1}}, kept, told)
	must(t, err)
	needs := []limit.Need{{Key: "host b.example", Most: 2}, {Key: "host b.example", Most: 1}, {Key: "host a.example", Most: 1}, {Key: "customer 1", Most: 0}}
	none, err := limit.Acquire(t.Context(), other, needs, kept, told)
	if !isFull(err) {
		t.Fatalf("got %v", err)
	}
	must(t, none(t.Context()))
	again, err := limit.Acquire(t.Context(), one, []limit.Need{{Key: "host a.example", Most: 1}}, kept, told)
	must(t, err)
	must(t, again(t.Context()))
	must(t, release(t.Context()))
	if !slices.Equal(left, []string{"host a.example", "host a.example", "host b.example"}) {
		t.Errorf("those who wait were told of %q", left)
	}
}

// The place of a worker that died is free when its lease has run out; where it lives after all, it
// hears that it has lost the place.
func TestPlaceOfADeadWorkerIsFree(t *testing.T) {
	t.Parallel()
	b, _ := deployed.Bus(t)
	var later atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	needs := []limit.Need{{Key: "host www.example.com", Most: 1}}
	lost := make(chan struct{})
	dead := keeper(t, b, "dead", now)
	release, err := limit.Acquire(t.Context(), dead, needs, func() { close(lost) }, unheard)
	must(t, err)
	next := keeper(t, b, "next", now)
	if _, err := limit.Acquire(t.Context(), next, needs, kept, unheard); !isFull(err) {
		t.Fatalf("the place of a worker that is alive: %v", err)
	}
	dead.Close()
	<-lost
	later.Store(int64(2 * time.Hour))
	ends, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		_, err := limit.Acquire(ends, next, needs, kept, unheard)
		if !isFull(err) {
			must(t, err)
			break
		}
	}
	must(t, release(t.Context()))
	if _, err := limit.Acquire(t.Context(), keeper(t, b, "third", now), needs, kept, unheard); !isFull(err) {
		t.Errorf("the dead gave up the place of another: %v", err)
	}
}
