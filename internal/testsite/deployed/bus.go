package deployed

import (
	"testing"

	"github.com/nats-io/nats.go"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/dev"
)

// Bus returns a fleet on a server of its own in this process, and the server's address. Both end
// with the test.
func Bus(t testing.TB) (b *bus.Bus, url string) {
	t.Helper()
	b, url, end := BusIn(t, t.TempDir())
	t.Cleanup(end)
	return b, url
}

// BusIn is Bus on a folder that an earlier server may have filled, and returns what ends it.
func BusIn(t testing.TB, dir string) (b *bus.Bus, url string, end func()) {
	t.Helper()
	server, err := dev.Start(dir)
	Must(t, err)
	conn, err := nats.Connect(server.URL())
	Must(t, err)
	Must(t, bus.Setup(t.Context(), conn))
	b, err = bus.Open(t.Context(), conn)
	Must(t, err)
	return b, server.URL(), func() { conn.Close(); server.Close() }
}

// Must ends a test where there is an error.
func Must(t interface {
	Helper()
	Fatal(args ...any)
}, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
