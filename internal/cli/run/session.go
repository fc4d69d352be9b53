package run

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/plan"
	"sitesync/internal/plan/past"
	"sitesync/internal/report"
	"sitesync/internal/spool"
	"sitesync/internal/work"
)

type planOptions struct {
	dry          bool
	full         bool
	only         []string // globs and URLs that limit the run; empty: the whole site
	limit        int
	allowDeletes bool
	acceptScope  bool
	retryParked  bool
	maxDuration  time.Duration
	path         string // file for the plan; empty: in the work folder (temporary files)
}

func (o *planOptions) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&o.full, "full", false, "start over, and read every page in full")
	flags.StringArrayVar(&o.only, "only", nil, "limit the run to this `GLOB|URL` (repeatable)")
	flags.IntVar(&o.limit, "limit", 0, "request at most `N` pages")
	flags.BoolVar(&o.allowDeletes, "allow-deletes", false, "send the deletes that brakes hold, in this run only")
	flags.BoolVar(&o.acceptScope, "accept-scope", false,
		"send the deletes that the configured scope causes, in this run only")
	flags.BoolVar(&o.retryParked, "retry-parked", false, "retry documents that were refused three times")
	flags.DurationVar(&o.maxDuration, "max-duration", 0, "request no more pages after `D`; the run is then incomplete")
}

func (o *planOptions) check() error {
	switch {
	case o.limit < 0:
		return app.Usagef("--limit is %d; it takes a number of pages, 0 for no limit", o.limit)
	case o.maxDuration < 0:
		return app.Usagef("--max-duration is %s; it takes a time such as 30m, 0 for no limit", o.maxDuration)
	}
	return nil
}

type session struct {
	app      *app.App
	cfg      *config.Config
	began    time.Time
	out      output
	work     *work.Folder
	crawler  *crawl.Crawler
	ex       *extract.Extractor
	opened   []io.Closer
	counts   *crawl.Progress
	only     parts
	warned   []document.Warning // warnings to add to those of the planner
	unread   error              // error of reading the configuration; "plan show" works in spite of it
	details  *details           // text changes; nil: the result does not show them
	first    bool               // true if no earlier run covered the whole site; all failures are then new
	lost     bool               // true if the ledger (record of the index) is empty, but its copy is not
	told     *report.Run        // the result of the run; nil until the run has ended
	mailText bytes.Buffer
	mailHTML mailPage
}

func (s *session) makePlan(ctx context.Context, o planOptions) (file *planfile.File, err error) {
	err = app.ReadLedger(s.cfg, func(ledger *diffstore.Ledger) error {
		if err := s.missLedger(ctx, ledger); err != nil {
			return err
		}
		if err := s.open(ctx, ledger, o); err != nil {
			return err
		}
		if err := app.SameTarget(ledger, s.cfg); err != nil {
			return err
		}
		if o.dry { // use a copy: a dry run may take hours, and "sync" must be able to write the ledger
			if err := ledger.Detach(filepath.Join(s.work.Dir, "ledger.db")); err != nil {
				return err
			}
		}
		if o.path == "" {
			o.path = filepath.Join(s.work.Dir, "plan.jsonl.zst")
		}
		if err := s.plan(ctx, ledger, o); err != nil {
			return err
		}
		file, err = planfile.Open(o.path)
		return err
	})
	if err != nil && s.work != nil && app.ExitCode(ctx, err) == app.ExitFailed {
		s.work.Fail(err)
		if errors.Is(err, spool.ErrCorrupt) {
			err = fmt.Errorf("%w; the next run starts over", err)
		}
	}
	return file, err
}

func (s *session) open(ctx context.Context, ledger *diffstore.Ledger, o planOptions) (err error) {
	start := s.app.Now()
	s.ex, err = s.app.NewExtractor(ctx, s.cfg)
	if err != nil {
		return app.Usage(err)
	}
	s.opened = append(s.opened, s.ex)
	s.work, err = s.openWork(ledger, o, start)
	if err != nil {
		return err
	}
	s.opened = append(s.opened, s.work)
	s.counts = &crawl.Progress{}
	if w := s.app.Watch; w != nil && w.Counts != nil {
		s.counts = w.Counts
		s.counts.Looked.Store(0)
	}
	options := app.CrawlOptions(s.cfg, s.work)
	if s.cfg.Site.FileLinks {
		options.ReadFile = s.ex.ReadFile
	}
	options.Began, options.MaxDuration, options.Progress = start, o.maxDuration, s.counts
	options.MaxPages = cmp.Or(o.limit, options.MaxPages)
	s.only, options.OnlyURLs, err = readOnly(o.only)
	if err != nil {
		return err
	}
	if len(s.only) > 0 {
		options.Only = s.only.cover
	}
	s.crawler, err = crawl.New(options)
	if err != nil {
		return app.Usage(err)
	}
	s.opened = append(s.opened, s.crawler)
	return s.only.check(s.crawler.Site().Origins(), s.crawler.Site().FileOrigins())
}

// openWork opens the work folder, or a temporary one for a dry run. It may resume an interrupted crawl.
func (s *session) openWork(ledger *diffstore.Ledger, o planOptions, start time.Time) (*work.Folder, error) {
	generation, err := ledger.Generation()
	if err != nil {
		return nil, err
	}
	identity, err := ledger.Identity()
	if err != nil {
		return nil, err
	}
	config := fmt.Sprintf("%s-%d-%s", s.cfg.Fingerprint(), extract.Revision, app.PushMode(s.cfg))
	if len(o.only) > 0 {
		config += "-part" // a run of the whole site must not resume a run of a part
	}
	state := work.State{
		Command: s.app.Command, Run: work.RunID(start, config, generation), Start: start,
		Config: config, Ledger: identity, Generation: generation,
	}
	if o.dry {
		return work.Temporary(app.WorkDir(s.cfg), state)
	}
	resume := time.Duration(s.cfg.Fetch.Resume) // greatest age of a crawl to resume
	if o.full || len(o.only) > 0 || o.limit > 0 {
		resume = 0
	}
	return work.Open(app.WorkDir(s.cfg), state, resume)
}

func (s *session) plan(ctx context.Context, ledger *diffstore.Ledger, o planOptions) error {
	options, err := s.planning(ledger, o)
	if err != nil {
		return err
	}
	state := s.work.State
	header := document.PlanHeader{
		Run: state.Run, Start: state.Start.Unix(),
		Ledger: state.Ledger, File: filepath.Base(s.cfg.Store.Path), Generation: state.Generation,
		Target: app.Target(s.cfg, s.crawler.Site().Origins()), Via: len(s.cfg.Site.Via) > 0,
		Mode: app.PushMode(s.cfg),
	}
	out, err := planfile.Create(o.path, header)
	if err != nil {
		return err
	}
	steps := app.Stages(s.cfg, s.crawler, s.ex, state.Start)
	// The profile is the text that pages of the whole site repeat. A run of a part must not change it.
	if len(o.only) > 0 || o.limit > 0 || header.Via {
		steps.Learner = nil
	}
	stop := s.app.ShowProgress("looking", "page", s.counts)
	look := steps.Crawl
	steps.Crawl = func(ctx context.Context, earlier *past.Past, sink plan.Sink) (document.Survey, error) {
		survey, err := look(ctx, earlier, sink)
		stop()
		stop = s.app.ShowProgress("comparing", "", nil)
		return survey, err
	}
	trailer, err := plan.NewPlanner(options, steps, ledger, s.work).Plan(ctx, out)
	stop()
	if err != nil {
		return errors.Join(err, out.Abandon())
	}
	for _, p := range s.only {
		if !p.met.Load() {
			text := "--only " + p.name + " names no page that is known or was found"
			s.warned = append(s.warned, document.Warning{Kind: "only", Text: text})
		}
	}
	for _, w := range s.warned {
		if err := out.Warning(w); err != nil {
			return errors.Join(err, out.Abandon())
		}
	}
	return out.Close(trailer)
}

func (s *session) close() error {
	var errs []error
	for _, c := range slices.Backward(s.opened) {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
