package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/apply"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/report"
	"sitesync/internal/weburl"
	"sitesync/push"
)

// Commands returns the commands of this package, which work on a.
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{syncCommand(a), planCommand(a), applyCommand(a), queueCommand(a), verifyCommand(a)}
}

func syncCommand(a *app.App) *cobra.Command {
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
			return sync(cmd.Context(), a, o, adopt, asJSON)
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
		return app.Usagef("--limit is %d; it takes a number of pages, 0 for no limit", o.limit)
	case o.maxDuration < 0:
		return app.Usagef("--max-duration is %s; it takes a time such as 30m, 0 for no limit", o.maxDuration)
	}
	return nil
}

func sync(ctx context.Context, a *app.App, o planOptions, adopt, asJSON bool) (err error) {
	began := time.Now()
	cfg, err := a.Load()
	if err != nil {
		return err
	}
	if err := cfg.NeedCrawl(); err != nil {
		return err
	}
	if o.dry {
		return dryRun(ctx, a, cfg, o, began, output{format: format(asJSON), moves: o.moves})
	}
	var s *session
	sent := false
	defer func() {
		if err != nil && !sent {
			noteEnd(ctx, a, cfg, s, err)
		}
	}()
	if err := app.FirstError(app.LiveOnly(cfg, "sync"), cfg.NeedPush()); err != nil {
		return err
	}
	client, closeService, err := a.Connect(ctx, cfg)
	if err != nil {
		return err
	}
	defer closeService()
	if err := app.CanWrite(cfg.Store.Path); err != nil { // known now, it costs no crawl
		return fmt.Errorf("write the ledger: %w; let this user write there, or name another store.path", err)
	}
	if err := a.SoundLedger(ctx, cfg); err != nil {
		return err
	}
	if adopt {
		if err := adoptTarget(a, cfg); err != nil {
			return err
		}
	}
	var plan *planfile.File
	if s, plan, err = makePlan(ctx, a, cfg, o); err != nil {
		return err
	}
	summary, err := s.apply(ctx, client, plan, false)
	if err != nil && summary.Run == "" {
		return errors.Join(err, s.close())
	}
	sent = true
	shown := s.show(ctx, &report.Run{Summary: summary, Duration: time.Since(began)}, plan, err, output{format: format(asJSON), moves: o.moves})
	return app.FirstError(shown, s.finish(err == nil))
}

// adoptTarget takes the ledger over to the service that cfg names; where it is
// pinned to nothing, or to that very one, there is nothing to take over.
func adoptTarget(a *app.App, cfg *config.Config) error {
	return a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error {
		pinned, found, err := ledger.Target()
		if err != nil || !found || app.SameIndex(pinned, app.Target(cfg, nil)) {
			return err
		}
		return ledger.Adopt(app.Target(cfg, pinned.Origins))
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
	bar := s.app.Progress()
	c := plan.Trailer.Summary.Counts
	bar.Counts.Found.Store(int64(c.Put + c.Patch + c.Delete + c.BulkDelete + c.Queue))
	applier.Progress = func(done int) { bar.Counts.Looked.Store(int64(done)) }
	bar.Start("sending")
	defer bar.Stop()
	summary, err = applier.Apply(ctx)
	return summary, errors.Join(err, ledger.MarkFound(repair))
}

// finish ends a run; the work folder of one that went to its end is cleared.
func (s *session) finish(done bool) error {
	var err error
	if done {
		s.app.Compact(s.cfg)
		err = s.work.Finish()
	}
	return errors.Join(err, s.close())
}

// maxFailedShare is the share of unread pages above which a run does not count as
// done, new failures or not.
const maxFailedShare = 0.01

// runCode returns the exit code of a run that went to its end.
func runCode(s document.Summary) int {
	switch {
	case s.Counts.Held > 0:
		return app.ExitHeld
	case s.New > 0, hostsBad(s.Hosts), float64(s.Counts.Failed) > maxFailedShare*float64(s.Counts.Discovered):
		return app.ExitNewFailures
	}
	return app.ExitDone
}

func hostsBad(hosts []document.Host) bool {
	for _, h := range hosts {
		if h.State != document.HostOK {
			return true
		}
	}
	return false
}

// readersTries is how often a run opens its ledger while somebody else has it, about a
// second each: a backup may be under way, and the crawl is done already.
const readersTries = 60

// patiently opens a ledger as soon as who reads it is done.
func patiently(ctx context.Context, open func() (*diffstore.Ledger, error)) (ledger *diffstore.Ledger, err error) {
	for range readersTries {
		if ledger, err = open(); !errors.Is(err, diffstore.ErrLocked) {
			return ledger, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, err
}

// roomToApply errs where the ledger would not have room for the plan: its documents
// are kept once more, and as much as a transaction writes anew of what is there.
func (s *session) roomToApply(plan *planfile.File) error {
	path := s.cfg.Store.Path
	return s.app.Room(filepath.Dir(path), app.RoomFloor+2*plan.Size()+min(app.RoomToWrite, app.SizeOf(path)/2), "store.path")
}

func limits(cfg *config.Config) judge.Limits {
	return judge.Limits{
		Max: cfg.Delete.Max, MaxShare: cfg.Delete.MaxShare, MaxAbsolute: cfg.Delete.MaxAbsolute,
		MaxFailed: cfg.Fetch.MaxFailedShare,
	}
}

// onlyFilter returns whether a URL is named by --only, and the names that are URLs
// themselves.
func onlyFilter(only []string) (match func(string) bool, urls []string, err error) {
	if len(only) == 0 {
		return nil, nil, nil
	}
	var globs []string
	named := map[string]bool{}
	canon := weburl.NewCanonicalizer(nil)
	for _, name := range only {
		if !strings.Contains(name, "://") {
			globs = append(globs, name)
			continue
		}
		url, err := canon.URL(name)
		if err != nil {
			return nil, nil, app.Usage(err)
		}
		urls, named[url] = append(urls, url), true
	}
	matches, err := weburl.ReadPatterns("pattern", globs)
	if err != nil {
		return nil, nil, app.Usage(err)
	}
	return func(url string) bool { return named[url] || matches.Match(url) }, urls, nil
}

// brakeLines returns where the keys stand that can be what trips a brake, and the
// retention rules, by what the brakes call them.
func brakeLines(cfg *config.Config) map[string]string {
	lines := map[string]string{}
	for _, key := range []string{
		"delete.max", "delete.max_share", "delete.max_absolute", "fetch.max_failed_share",
		"site.start", "site.include", "site.exclude", "site.follow_only", "site.file_hosts",
	} {
		lines[key] = cfg.Line(key)
	}
	for i, r := range cfg.Delete.Retention {
		lines[app.RuleName(r)] = cfg.RetentionLine(i)
	}
	return lines
}
