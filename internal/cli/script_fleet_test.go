package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/nats-io/nats.go"
	"github.com/rogpeppe/go-internal/testscript"

	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/dev"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/testsite/deployed"
)

// natsCommand starts a server for a fleet, which ends with the script; with an argument, one with
// the file of deploy/nats.
func natsCommand(ts *testscript.TestScript, _ bool, args []string) {
	dir, err := os.MkdirTemp("", "nats")
	ts.Check(err)
	if len(args) > 0 {
		c, err := deployed.Start("../../deploy/nats/nats.conf", dir, 1)
		ts.Check(err)
		ts.Defer(func() { c.Close(); ts.Check(os.RemoveAll(dir)) })
		for name, value := range map[string]string{"": c.Servers[0], "_CA": filepath.Join(dir, "ca.pem"), "_TRUST": c.Public["operator"]} {
			ts.Setenv("SITESYNC_NATS"+name, value)
		}
		ts.Setenv("KEYS", dir)
		return
	}
	s, err := dev.Start(dir)
	ts.Check(err)
	ts.Defer(func() { s.Close(); ts.Check(os.RemoveAll(dir)) })
	ts.Setenv("SITESYNC_NATS", s.URL())
}

func fleetLedgerCommand(ts *testscript.TestScript, _ bool, args []string) {
	ctx := context.Background()
	conn, err := nats.Connect(ts.Getenv("SITESYNC_NATS"))
	ts.Check(err)
	defer conn.Close()
	b, err := bus.Open(ctx, conn)
	ts.Check(err)
	e, err := b.States.Get(ctx, args[0])
	ts.Check(err)
	var s lease.State
	ts.Check(json.Unmarshal(e.Value(), &s))
	if s.Holder != "" || s.Tries != 0 {
		ts.Fatalf("the lease of %s is not given back: %+v", args[0], s)
	}
	ts.Check(snapshot.New(b).Get(ctx, "ledger", args[0], *s.Ledger, ts.MkAbs(args[1])))
}
