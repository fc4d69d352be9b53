package lease_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
)

// states starts a server and returns the bucket of states.
func states(t *testing.T) jetstream.KeyValue {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server is not ready")
	}
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	if err := bus.Setup(t.Context(), conn, 1); err != nil {
		t.Fatal(err)
	}
	b, err := bus.Open(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	return b.States
}

func keeper(t *testing.T, kv jetstream.KeyValue, name string, length time.Duration, now func() time.Time) *lease.Keeper {
	t.Helper()
	k, err := lease.Watch(t.Context(), kv, lease.Options{Worker: name, Length: length, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Close() })
	return k
}

// takes waits until k has the lease; between its tries time passes.
func takes(t *testing.T, k *lease.Keeper, site string, pass func()) *lease.Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		l, err := k.Take(ctx, site, nil)
		if held := (*lease.HeldError)(nil); err == nil || !errors.As(err, &held) {
			if err != nil {
				t.Fatal(err)
			}
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
	first, err := a.Take(t.Context(), "site", nil)
	if err != nil {
		t.Fatal(err)
	}
	watch, err := kv.Watch(t.Context(), "site")
	if err != nil {
		t.Fatal(err)
	}
	for seen := 0; seen < 8; { // more than the length
		if entry := <-watch.Updates(); entry != nil {
			seen++
		}
		if _, err := b.Take(t.Context(), "site", nil); err == nil {
			t.Fatal("b took a lease that is renewed")
		}
	}
	if first.Left() <= 0 {
		t.Error("the lease is over")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	takes(t, b, "site", func() {})
	if first.Left() > 0 {
		t.Error("two hold the lease")
	}
}
