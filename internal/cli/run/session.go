package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"sitesync/crawl"
	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan"
	"sitesync/internal/work"
)

// planOptions are what sync and plan let the user say about one run.
type planOptions struct {
	dry          bool
	full         bool
	only         []string
	limit        int
	allowDeletes bool
	acceptScope  bool
	retryParked  bool
	maxDuration  time.Duration
	path         string // where the plan goes; empty: the work folder
	moves        string // where the addresses that moved go; empty: nowhere
}

// session is one run under way.
type session struct {
	app     *app.App
	cfg     *config.Config
	start   time.Time
	work    *work.Folder
	crawler *crawl.Crawler
	ex      *extract.Extractor
	bar     *app.Progress
	warned  []document.Warning // since the plan was made
}

// makePlan makes the plan of one run and returns it, opened and checked. When it errs,
// the session is closed.
func makePlan(ctx context.Context, a *app.App, cfg *config.Config, o planOptions) (s *session, plan *planfile.File, err error) {
	s = &session{app: a, cfg: cfg, start: a.Now(), bar: a.Progress()}
	if err := s.app.RoomToCrawl(cfg); err != nil {
		return nil, nil, err
	}
	ledger, err := diffstore.OpenRead(cfg.Store.Path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	if err := s.open(ctx, ledger, o); err != nil {
		return s, nil, errors.Join(err, s.close())
	}
	path := o.path
	if path == "" {
		path = filepath.Join(s.work.Dir, "plan.jsonl.zst")
	}
	if err := s.plan(ctx, ledger, path, o); err != nil {
		return s, nil, errors.Join(err, s.close())
	}
	plan, err = planfile.Open(path)
	return s, plan, err
}

// open takes the run lock and prepares the stages.
func (s *session) open(ctx context.Context, ledger *diffstore.Ledger, o planOptions) (err error) {
	if s.ex, err = s.app.NewExtractor(ctx, s.cfg); err != nil {
		return app.Usage(err)
	}
	generation, err := ledger.Generation()
	if err != nil {
		return err
	}
	config := fmt.Sprintf("%s-%d-%s", s.cfg.Fingerprint(), extract.Revision, app.PushMode(s.cfg))
	if len(o.only) > 0 {
		config += "-part" // no whole run goes on with what a part of one looked at
	}
	state := work.State{Run: work.RunID(s.start, config, generation), Start: s.start, Config: config, Generation: generation}
	if o.dry {
		s.work, err = work.Temporary(app.WorkDir(s.cfg), state)
	} else {
		s.work, err = work.Open(app.WorkDir(s.cfg), state, s.resume(o))
	}
	if err != nil {
		return err
	}
	options := app.WithFiles(app.CrawlOptions(s.cfg, s.work), s.cfg, s.ex)
	options.MaxDuration, options.Progress = o.maxDuration, s.bar.Counts
	if o.limit > 0 {
		options.MaxPages = o.limit
	}
	if options.Only, options.OnlyURLs, err = onlyFilter(o.only); err != nil {
		return err
	}
	if s.crawler, err = crawl.New(options); err != nil {
		return app.Usage(err)
	}
	return app.SameTarget(ledger, s.cfg)
}

// resume returns how old an interrupted crawl may be to be gone on with. A run of
// a part of the site never goes on with another one.
func (s *session) resume(o planOptions) time.Duration {
	if o.full || len(o.only) > 0 || o.limit > 0 {
		return 0
	}
	return time.Duration(s.cfg.Fetch.Resume)
}

// plan crawls, judges and writes the plan to path.
func (s *session) plan(ctx context.Context, ledger *diffstore.Ledger, path string, o planOptions) error {
	options, header, err := s.planning(ledger, o)
	if err != nil {
		return err
	}
	out, err := planfile.Create(path, header)
	if err != nil {
		return err
	}
	s.bar.Start("looking")
	steps := app.Stages(s.cfg, s.crawler, s.ex, s.work.State.Start)
	if len(o.only) > 0 || o.limit > 0 || header.Via { // a part of the site, or a staging host, teaches nothing
		steps.Learner = nil
	}
	steps.Crawl = app.Telling(steps.Crawl, app.Overlaps(s.cfg, ledger))
	planner := plan.NewPlanner(options, steps, ledger, s.work)
	trailer, err := planner.Plan(ctx, out)
	s.bar.Stop()
	if err != nil {
		return errors.Join(err, out.Abandon())
	}
	return out.Close(trailer)
}

func (s *session) planning(ledger *diffstore.Ledger, o planOptions) (plan.Options, document.PlanHeader, error) {
	pinned, _, err := ledger.Target()
	state := s.work.State
	options := plan.Options{
		Run: state.Run, Start: state.Start, Policy: app.Policy(s.cfg), Limits: limits(s.cfg),
		Recheck: time.Duration(s.cfg.Fetch.Recheck), RecheckFiles: time.Duration(s.cfg.Fetch.RecheckFiles),
		AllowDeletes: o.allowDeletes, AcceptScope: o.acceptScope, Origins: pinned.Origins, FileOrigins: s.crawler.FileOrigins(), Only: len(o.only) > 0,
		Full: o.full, Links: s.cfg.Site.Links, Lines: brakeLines(s.cfg), Queue: s.cfg.Push.Mode == config.ModeQueue,
		Bulk: s.cfg.Delete.Bulk && s.cfg.Push.SoleWriter && s.cfg.Push.Mode == config.ModeDocs,
	}
	options.RulesNow = s.ex.Parts()
	var modeErr, partsErr error
	options.RulesBefore, partsErr = ledger.Rules()
	options.Doubt, modeErr = ledger.ModeChange(app.PushMode(s.cfg))
	options.Policy.RetryParked = o.retryParked
	last, _, lastErr := ledger.Run("")
	var healthErr error
	options.HealthBefore, healthErr = plan.HealthBefore(ledger.Runs())
	var rulesErr error
	options.Retention, rulesErr = ledger.Retention()
	options.Limits.ClockOff = judge.ClockOff(state.Start.Unix(), last.Start)
	header := document.PlanHeader{
		Run: state.Run, Start: state.Start.Unix(), Config: state.Config, Generation: state.Generation,
		Target: app.Target(s.cfg, s.crawler.Origins()), Via: len(s.cfg.Site.Via) > 0, Mode: app.PushMode(s.cfg),
	}
	return options, header, errors.Join(err, lastErr, healthErr, rulesErr, modeErr, partsErr)
}

func (s *session) close() error {
	var errs []error
	if s.crawler != nil {
		errs = append(errs, s.crawler.Close())
	}
	if s.ex != nil {
		errs = append(errs, s.ex.Close())
	}
	if s.work != nil {
		errs = append(errs, s.work.Close())
	}
	return errors.Join(errs...)
}
