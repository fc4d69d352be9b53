package app

import (
	"context"

	"sitesync/crawl"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/push"
)

// Program runs a command of sitesync in this process, as if the owner had typed args, with a
// watch on it or nil. It returns what the command wrote to standard output and standard error,
// and its exit code.
type Program func(ctx context.Context, watch *Watch, args ...string) (out, messages string, exit int)

// Watch takes part in a command that is run for somebody else in this process: by a fleet's
// worker, or the pages. Every field may be nil.
type Watch struct {
	// Settle says where the ledger and the work folder are, before anything is checked.
	Settle func(*config.Config)
	// Counts, of a command that crawls, are how far it is.
	Counts *crawl.Progress
	// Tune alters the settings of the client of the service.
	Tune func(*push.Options)
	// Planned is told of a whole plan of which something is to be sent, before it is; an
	// error of it ends the run.
	Planned func(ctx context.Context, plan *planfile.File) error
	// ByID has bulk deletes go by ID.
	ByID bool
	// Ended is told of the run; the summary is nil where it ended before there was one.
	Ended func(summary *document.Summary, err error)
}
