package worker

import (
	"context"
	"net/http"
	"time"

	"sitesync/internal/apply"
	"sitesync/internal/document"
)

// Pipeline runs the commands of one site in this process.
type Pipeline interface {
	// Sync is sitesync sync.
	Sync(ctx context.Context, job Job) Outcome
	// Apply is sitesync apply of a plan that an earlier lease stored.
	Apply(ctx context.Context, job Job, plan string) Outcome
	// Doubt sets every document of the ledger to doubt.
	Doubt(ctx context.Context, job Job, reason string) error
}

// Job is a site as its pipeline is to run it.
type Job struct {
	Dir    string // of ledger and work folder
	Config string // the configuration's file, in Dir

	Call    time.Duration                                     // the longest that a call of the service may take
	Guard   func(http.RoundTripper) http.RoundTripper         // before each call of the service
	Planned func(ctx context.Context, path, run string) error // is told of a whole plan, before anything of it is sent
	Through func(apply.Sender) apply.Sender                   // before what sends
}

// Outcome is how a command ended.
type Outcome struct {
	Summary      *document.Summary // nil: it ended before there was one
	Err          error
	Exit         int
	Report, Log  string // what it wrote to standard output and standard error
	Documents    int    // acknowledged ones of the ledger, after it
	Doubt        int    // records in doubt, after it
	MachineFault bool   // what ended it is wrong with this machine, such as a full disk
	UnfitPlan    bool   // the plan can't be applied by this sitesync, or to this ledger
}
