package run

import (
	"time"

	"sitesync/diffstore"
	"sitesync/diffstore/pages"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/judge"
	"sitesync/internal/plan"
	"sitesync/internal/plan/past"
	"sitesync/internal/weburl"
)

func (s *session) planning(ledger *diffstore.Ledger, o planOptions) (options plan.Options, err error) {
	state, cfg := s.work.State, s.cfg
	volatile, err := weburl.ReadPatterns("site.volatile", cfg.Site.Volatile)
	if err != nil {
		return options, err
	}
	options = plan.Options{
		Run: state.Run, Start: state.Start,
		Policy: judge.Policy{
			Confirm: cfg.Delete.Confirm, OutOfScope: cfg.Delete.OutOfScope == config.ActDelete,
			Orphans: cfg.Delete.Orphans == config.ActDelete, MovedAway: cfg.Delete.MovedAway == config.ActDelete,
			RetryParked: o.retryParked, Generation: state.Generation,
		},
		Limits: judge.Limits{
			Max: cfg.Delete.Max, MaxShare: cfg.Delete.MaxShare, MaxAbsolute: cfg.Delete.MaxAbsolute,
			MaxFailed: cfg.Fetch.MaxFailedShare,
		},
		Past: past.Options{
			Recheck: time.Duration(cfg.Fetch.Recheck), RecheckFiles: time.Duration(cfg.Fetch.RecheckFiles),
			Full: o.full,
		},
		AllowDeletes: o.allowDeletes, AcceptScope: o.acceptScope,
		FileOrigins: s.crawler.Site().FileOrigins(), Only: len(o.only) > 0,
		Links: cfg.Site.Links, Volatile: volatile, Queue: cfg.Push.Mode == config.ModeQueue,
		Bulk:     app.BulkCutoff(cfg, state.Start),
		RulesNow: s.ex.Parts(), StartPages: s.crawler.Site().Start,
		LeftOut: pages.LeftOut(pages.Path(cfg.Store.Path)),
		Facts:   pages.All(pages.Path(cfg.Store.Path)),
	}
	err = s.remember(ledger, &options)
	return options, err
}

func (s *session) remember(ledger *diffstore.Ledger, options *plan.Options) error {
	pinned, _, err := ledger.Target()
	if err != nil {
		return err
	}
	options.Origins = pinned.Origins
	options.RulesBefore, err = ledger.Rules()
	if err != nil {
		return err
	}
	if err := ledger.ReadAs(app.PushMode(s.cfg)); err != nil {
		return err
	}
	options.Retention, err = ledger.Retention()
	if err != nil {
		return err
	}
	known, err := ledger.HasDocuments()
	if err != nil {
		return err
	}
	err = s.earlierRuns(ledger, options)
	s.first = s.first || !known
	return err
}

// earlierRuns adds to options the changes that brakes (limits on suspicious changes) held in earlier runs. It
// sets s.first to true if no run of the whole site has ended.
func (s *session) earlierRuns(ledger *diffstore.Ledger, options *plan.Options) error {
	holding, err := app.HoldingRuns(ledger)
	if err != nil {
		return err
	}
	if len(holding) > 0 {
		options.Past.HeldBefore = app.Held(ledger)
		for _, run := range holding {
			options.Held = append(options.Held, run.Brakes...)
		}
		options.Limits.ClockOff = judge.ClockOff(options.Start.Unix(), holding[0].Start)
	}
	s.first = true
	for run, err := range ledger.Runs() {
		if err != nil {
			return err
		}
		ended := !run.Part && run.Stopped == ""
		s.first, options.Ran = s.first && !ended, options.Ran || ended && run.Complete
		if options.Ran {
			break
		}
	}
	return nil
}
