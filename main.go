// Command sitesync keeps the index of a hosted site search in step with a web site.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // extract.timezone must work on machines without zone files

	"sitesync/internal/cli"
)

func main() {
	cli.Tune(os.Getenv)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
