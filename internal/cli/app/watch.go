package app

import (
	"context"

	"sitesync/crawl"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/push"
)

// Program runs a command of sitesync in this process, as if the owner had typed args. watch may be
// nil. It returns what the command wrote to standard output and standard error, and its exit
// code.
type Program func(ctx context.Context, watch *Watch, args ...string) (out, messages string, exit int)

// Watch is how a fleet's worker or the browser's pages follow a command that they run in this
// process. Every field may be nil.
type Watch struct {
	// Settle sets the paths of the ledger and the work folder before they are used.
	Settle func(*config.Config)
	// Counts are the progress of a crawl.
	Counts *crawl.Progress
	// Tune alters the settings of the client of the service.
	Tune func(*push.Options)
	// Planned is called with the complete plan before any of it is sent. Its error ends the run.
	Planned func(ctx context.Context, plan *planfile.File) error
	// ByID sends deletes by ID in place of a bulk delete.
	ByID bool
	// Ended is called at the end of the run. The summary is nil if the run ended before it had one.
	Ended func(summary *document.Summary, err error)
}
