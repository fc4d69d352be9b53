package snapshot

import (
	"testing"

	"github.com/nats-io/nats.go"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/dev"
)

// rig is a server with a store.
type rig struct {
	bus   *bus.Bus
	store *Store
}

func newRig(t testing.TB) *rig {
	t.Helper()
	server, err := dev.Start(t.Context(), dev.Options{Dir: t.TempDir()})
	must(t, err)
	t.Cleanup(server.Close)
	conn, err := nats.Connect(server.URL())
	must(t, err)
	t.Cleanup(conn.Close)
	must(t, bus.Setup(t.Context(), conn, 1))
	b, err := bus.Open(t.Context(), conn)
	must(t, err)
	return &rig{b, New(b)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
