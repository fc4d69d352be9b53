package snapshot

import (
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/dev"
	"sitesync/internal/fleet/lease"
)

// TestServerThatReturns: what is under way when the server goes away goes on when it is back.
func TestServerThatReturns(t *testing.T) {
	dir := t.TempDir()
	server, err := dev.Start(t.Context(), dev.Options{Dir: dir})
	must(t, err)
	at, err := url.Parse(server.URL())
	must(t, err)
	port, err := strconv.Atoi(at.Port())
	must(t, err)
	down := make(chan struct{}, 1)
	conn, err := nats.Connect(server.URL(), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond), nats.ReconnectJitter(0, 0), nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(*nats.Conn, error) {
			select {
			case down <- struct{}{}:
			default:
			}
		}))
	must(t, err)
	defer conn.Close()
	must(t, bus.Setup(t.Context(), conn, 1))
	b, err := bus.Open(t.Context(), conn)
	must(t, err)
	r := &rig{b, New(b)}
	raw := bytesOf(rand.New(rand.NewPCG(3, 1)), 3*partSize)
	first := r.put(t, 1, raw, nil)
	server.Close()
	<-down
	path := filepath.Join(t.TempDir(), "file")
	raw[0]++
	write(t, path, raw)
	stored := make(chan lease.File)
	go func() {
		defer close(stored)
		f, err := r.store.Put(t.Context(), "ledger", "town", 2, path, &first)
		if err != nil {
			t.Error(err)
		}
		stored <- f
	}()
	server, err = dev.Start(t.Context(), dev.Options{Dir: dir, Port: port})
	must(t, err)
	defer server.Close()
	r.get(t, <-stored, raw)
}
