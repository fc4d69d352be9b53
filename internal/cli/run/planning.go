package run

import (
	"time"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan"
	"sitesync/internal/plan/health"
	"sitesync/internal/spool"
)

// planning returns what the configuration, the flags and the ledger say about a plan.
func (s *session) planning(ledger *diffstore.Ledger, o planOptions) (options plan.Options, err error) {
	state, cfg := s.work.State, s.cfg
	lines := map[string]string{} // where what trips a brake is configured, by what the brakes call it
	for _, key := range []string{
		"delete.max", "delete.max_share", "delete.max_absolute", "fetch.max_failed_share",
		"site.start", "site.include", "site.exclude", "site.follow_only", "site.file_hosts",
	} {
		lines[key] = cfg.Line(key)
	}
	for i, r := range cfg.Delete.Retention {
		lines[app.RuleName(r)] = cfg.RetentionLine(i)
	}
	options = plan.Options{
		Run: state.Run, Start: state.Start, Policy: app.Policy(cfg),
		Limits: judge.Limits{
			Max: cfg.Delete.Max, MaxShare: cfg.Delete.MaxShare, MaxAbsolute: cfg.Delete.MaxAbsolute, MaxFailed: cfg.Fetch.MaxFailedShare,
		},
		Recheck: time.Duration(cfg.Fetch.Recheck), RecheckFiles: time.Duration(cfg.Fetch.RecheckFiles),
		AllowDeletes: o.allowDeletes, AcceptScope: o.acceptScope, FileOrigins: s.crawler.Site().FileOrigins(), Only: len(o.only) > 0,
		Full: o.full, Links: cfg.Site.Links, Lines: lines, Queue: cfg.Push.Mode == config.ModeQueue,
		Bulk:     cfg.Delete.Bulk && cfg.Push.SoleWriter && cfg.Push.Mode == config.ModeDocs,
		RulesNow: s.ex.Parts(),
	}
	options.Policy.RetryParked = o.retryParked
	pinned, _, err := ledger.Target()
	if err != nil {
		return options, err
	}
	options.Origins = pinned.Origins
	options.RulesBefore, err = ledger.Rules()
	if err != nil {
		return options, err
	}
	options.Doubt, err = ledger.ModeChange(app.PushMode(cfg))
	if err != nil {
		return options, err
	}
	last, _, err := ledger.Run("")
	if err != nil {
		return options, err
	}
	options.Policy.Generation = state.Generation
	options.HeldBefore, err = heldBefore(ledger, last)
	if err != nil {
		return options, err
	}
	options.Ran, err = ranWhole(ledger)
	if err != nil {
		return options, err
	}
	options.Limits.ClockOff = judge.ClockOff(state.Start.Unix(), last.Start)
	options.Limits.RobotsSince, err = judge.RobotsSince(ledger.Runs())
	if err != nil {
		return options, err
	}
	options.HealthBefore, err = health.Before(ledger.Runs())
	if err != nil {
		return options, err
	}
	options.Retention, err = ledger.Retention()
	return options, err
}

// heldBefore returns what held the changes that the last run held, by their fingerprints.
func heldBefore(ledger *diffstore.Ledger, last document.Summary) (map[uint64]document.Brake, error) {
	held := map[uint64]document.Brake{}
	if last.Counts.Held == 0 {
		return held, nil
	}
	for e, err := range ledger.Entries(last.Run) {
		if err != nil {
			return nil, err
		}
		if e.State == document.Held {
			held[spool.Fingerprint(e.ID)] = e.Brake
		}
	}
	return held, nil
}

// ranWhole reports whether a run looked at the whole site before.
func ranWhole(ledger *diffstore.Ledger) (bool, error) {
	for run, err := range ledger.Runs() {
		if err != nil {
			return false, err
		}
		if run.Complete && !run.Part && run.Stopped == "" {
			return true, nil
		}
	}
	return false, nil
}
