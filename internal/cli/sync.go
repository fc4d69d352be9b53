package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/apply"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/push"
)

func (a *app) syncCommand() *cobra.Command {
	var o planOptions
	var asJSON, adopt bool
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Crawl, compare, push the difference",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return a.sync(cmd.Context(), o, adopt, asJSON)
		},
	}
	planFlags(cmd, &o)
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "show what would change and send nothing")
	cmd.Flags().BoolVar(&adopt, "adopt-target", false, "take the ledger over to the service that the configuration names")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the result as one JSON object")
	return cmd
}

// planFlags are the flags of everything that makes a plan.
func planFlags(cmd *cobra.Command, o *planOptions) {
	flags := cmd.Flags()
	flags.BoolVar(&o.full, "full", false, "start anew, and read every page whatever hints say")
	flags.StringArrayVar(&o.only, "only", nil, "touch only this `GLOB|URL`; repeatable")
	flags.IntVar(&o.limit, "limit", 0, "look at `N` pages at most")
	flags.BoolVar(&o.allowDeletes, "allow-deletes", false, "release, for this run, the deletes that brakes hold")
	flags.BoolVar(&o.acceptScope, "accept-scope", false, "release, for this run, deletes that the configured scope causes")
	flags.BoolVar(&o.retryParked, "retry-parked", false, "try documents again that were refused three times")
	movesFlag(cmd, &o.moves)
	flags.DurationVar(&o.maxDuration, "max-duration", 0, "ask no more pages after `D`; the run is then incomplete")
}

// check refuses what would quietly mean "no limit".
func (o *planOptions) check() error {
	switch {
	case o.limit < 0:
		return usageError{fmt.Errorf("--limit is %d; it takes a number of pages, 0 for no limit", o.limit)}
	case o.maxDuration < 0:
		return usageError{fmt.Errorf("--max-duration is %s; it takes a time such as 30m, 0 for no limit", o.maxDuration)}
	}
	return nil
}

func (a *app) sync(ctx context.Context, o planOptions, adopt, asJSON bool) (err error) {
	began := time.Now()
	cfg, err := a.load()
	if err != nil {
		return err
	}
	if err := cfg.NeedCrawl(); err != nil {
		return err
	}
	if o.dry {
		return a.dryRun(ctx, cfg, o, began, output{format: format(asJSON), moves: o.moves})
	}
	var s *session
	sent := false
	defer func() {
		if err != nil && !sent {
			a.noteEnd(ctx, cfg, s, err)
		}
	}()
	if err := firstError(liveOnly(cfg, "sync"), cfg.NeedPush()); err != nil {
		return err
	}
	client, closeService, err := a.connect(ctx, cfg)
	if err != nil {
		return err
	}
	defer closeService()
	if err := writable(cfg.Store.Path); err != nil {
		return err
	}
	if err := a.soundLedger(ctx, cfg); err != nil {
		return err
	}
	if adopt {
		if err := a.adoptTarget(cfg); err != nil {
			return err
		}
	}
	var plan *planfile.File
	if s, plan, err = a.makePlan(ctx, cfg, o); err != nil {
		return err
	}
	summary, err := s.apply(ctx, client, plan, false)
	if err != nil && summary.Run == "" {
		return errors.Join(err, s.close())
	}
	sent = true
	shown := s.show(ctx, &report.Run{Summary: summary, Duration: time.Since(began)}, plan, err, output{format: format(asJSON), moves: o.moves})
	return firstError(shown, s.finish(err == nil))
}

// connect returns a client whose credentials were tried with a read, so that a
// wrong key costs no crawl; with "local" it starts the service in this process.
func (a *app) connect(ctx context.Context, cfg *config.Config) (*push.Client, func(), error) {
	base, stop, err := a.serviceBase(cfg)
	if err != nil {
		return nil, nil, err
	}
	client, err := a.newClient(cfg, base)
	if err == nil {
		err = client.CheckCredentials(ctx)
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	return client, func() { client.Close(); stop() }, nil
}

// adoptTarget takes the ledger over to the service that cfg names; where it is
// pinned to nothing, or to that very one, there is nothing to take over.
func (a *app) adoptTarget(cfg *config.Config) error {
	return a.writeLedger(cfg, func(ledger *diffstore.Ledger) error {
		pinned, found, err := ledger.Target()
		if err != nil || !found || sameIndex(pinned, target(cfg, nil)) {
			return err
		}
		return ledger.Adopt(target(cfg, pinned.Origins))
	})
}

// apply sends a plan and records the outcomes.
func (s *session) apply(ctx context.Context, client *push.Client, plan *planfile.File, includeHeld bool) (summary document.Summary, err error) {
	if err := s.roomToApply(plan); err != nil {
		return summary, err
	}
	ledger, err := patiently(ctx, func() (*diffstore.Ledger, error) { return diffstore.Open(s.cfg.Store.Path, s.cfg.Store.KeepText) })
	if err != nil {
		return summary, err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	repair, err := s.askFirst(ctx, ledger, client)
	if err != nil {
		return summary, err
	}
	applier := &apply.Applier{
		Header: plan.Header, Trailer: plan.Trailer, Plan: plan, Book: ledger, Sender: client, Bulk: client,
		IncludeHeld: includeHeld,
	}
	bar := s.progress()
	c := plan.Trailer.Summary.Counts
	bar.counts.Found.Store(int64(c.Put + c.Patch + c.Delete + c.BulkDelete + c.Queue))
	applier.Progress = func(done int) { bar.counts.Looked.Store(int64(done)) }
	bar.start("sending")
	defer bar.stop()
	summary, err = applier.Apply(ctx)
	return summary, errors.Join(err, ledger.MarkFound(repair))
}

// finish ends a run; the work folder of one that went to its end is cleared.
func (s *session) finish(done bool) error {
	var err error
	if done {
		s.compact(s.cfg)
		err = s.work.Finish()
	}
	return errors.Join(err, s.close())
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
