package cli_test

import (
	"context"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"sitesync/internal/fleet/dev"
)

// natsCommand starts a server for a fleet, which ends with the script.
func natsCommand(ts *testscript.TestScript, _ bool, _ []string) {
	dir, err := os.MkdirTemp("", "nats")
	ts.Check(err)
	s, err := dev.Start(context.Background(), dev.Options{Dir: dir})
	ts.Check(err)
	ts.Defer(func() { s.Close(); ts.Check(os.RemoveAll(dir)) })
	ts.Setenv("SITESYNC_NATS", s.URL())
}
