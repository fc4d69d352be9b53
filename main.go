// Command sitesync keeps a hosted site-search index true to a web site.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // extract.timezone must work on machines without zone files

	"sitesync/internal/cli"
)

// gcPercent trades memory, of which a run needs little, for time. An owner's
// GOGC or GOMEMLIMIT wins.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
