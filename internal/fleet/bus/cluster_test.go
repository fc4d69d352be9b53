package bus_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/testsite/deployed"
)

var must = deployed.Must

// cluster is what runs with the files of deploy/nats.
type cluster struct{ *deployed.Cluster }

func start(t *testing.T, nodes int) cluster {
	t.Helper()
	c, err := deployed.Start("../../../deploy/nats/nats.conf", t.TempDir(), nodes)
	must(t, err)
	t.Cleanup(c.Close)
	return cluster{c}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	must(t, os.WriteFile(name, data, 0o600))
}

// dial connects as a role; a worker trusts the operator alone.
func (h cluster) dial(t *testing.T, role string) *nats.Conn {
	t.Helper()
	conn, err := bus.Dial(h.options(role))
	must(t, err)
	t.Cleanup(conn.Close)
	return conn
}

func (h cluster) options(role string) bus.Options {
	o := bus.Options{Servers: h.Servers, Nkey: filepath.Join(h.Dir, role+".nk"), TLS: h.TLS}
	if role == "worker" {
		o.Worker = "here"
	}
	return o
}

func (h cluster) open(t *testing.T, role string) *bus.Bus {
	t.Helper()
	b, err := bus.Open(t.Context(), h.dial(t, role))
	must(t, err)
	b.Seal, err = bus.NewSeal(h.options(role), []string{h.Public["operator"]})
	must(t, err)
	return b
}
