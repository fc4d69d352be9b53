package lease_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/fleet/lease"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

// states starts a server and returns the bucket of states.
func states(t *testing.T) jetstream.KeyValue {
	t.Helper()
	b, _ := deployed.Bus(t)
	return b.States
}

func keeper(t *testing.T, kv jetstream.KeyValue, name string, length time.Duration, now func() time.Time) *lease.Keeper {
	t.Helper()
	k, err := lease.Watch(t.Context(), kv, lease.Options{Worker: name, Length: length, Now: now})
	must(t, err)
	t.Cleanup(k.Close)
	return k
}

// takes waits until k has the lease; between its tries time passes.
func takes(t *testing.T, k *lease.Keeper, site string, pass func()) *lease.Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		l, err := k.Take(ctx, site)
		if !errors.Is(err, lease.ErrHeld) {
			must(t, err)
			return l
		}
		pass()
	}
}

// A lease that is renewed stays, and one that a machine slept through does not: its monotonic
// clock stood still, the wall clock went on.
func TestRenewedLeaseStays(t *testing.T) {
	t.Parallel()
	kv := states(t)
	a, b := keeper(t, kv, "a", time.Second, nil), keeper(t, kv, "b", time.Second, nil)
	first, err := a.Take(t.Context(), "site")
	must(t, err)
	watch, err := kv.Watch(t.Context(), "site")
	must(t, err)
	for seen := 0; seen < 8; { // more than the length
		if entry := <-watch.Updates(); entry != nil {
			seen++
		}
		if _, err := b.Take(t.Context(), "site"); err == nil {
			t.Fatal("b took a lease that is renewed")
		}
	}
	if first.Left() <= 0 {
		t.Error("the lease is over")
	}
	a.Close()
	takes(t, b, "site", func() {})
	if first.Left() > 0 {
		t.Error("two hold the lease")
	}
}
