package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/report"
	"sitesync/internal/work"
	"sitesync/push"
)

// Commands returns the commands of this package, except "queue".
func Commands(a *app.App) []*cobra.Command {
	return []*cobra.Command{syncCommand(a), planCommand(a), applyCommand(a), verifyCommand(a), explainCommand(a)}
}

func syncCommand(a *app.App) *cobra.Command {
	var o planOptions
	var out output
	var adopt bool
	cmd := &cobra.Command{Use: "sync", Short: "Crawl, compare, push the difference", Args: cobra.NoArgs}
	// If the run fails before it sends anything, this function adds the error to the history of runs.
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if err := o.check(); err != nil {
			return err
		}
		ctx, s := cmd.Context(), &session{app: a, began: time.Now(), out: out}
		s.cfg, err = a.Load()
		if err != nil {
			return err
		}
		if !o.dry {
			defer func() { s.tell(ctx, err) }()
		}
		if err := s.cfg.NeedCrawl(); err != nil {
			return err
		}
		if o.dry {
			return s.dryRun(ctx, o)
		}
		sent, err := s.planAndSend(ctx, o, adopt)
		if err != nil && !sent {
			s.noteEnd(ctx, err)
		}
		return err
	}
	o.flags(cmd)
	out.flags(cmd)
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "show what would change and send nothing")
	const usage = "take the ledger over to the service that the configuration names"
	cmd.Flags().BoolVar(&adopt, "adopt-target", false, usage)
	return cmd
}

// planAndSend makes a plan and sends it. sent is true if changes may have been sent. The ledger (the record
// of what the index holds) then has an entry for the run.
func (s *session) planAndSend(ctx context.Context, o planOptions, adopt bool) (sent bool, err error) {
	a, cfg := s.app, s.cfg
	if err := app.NeedLive("sync")(cfg); err != nil {
		return false, err
	}
	if err := cfg.NeedPush(); err != nil {
		return false, err
	}
	client, closeService, err := a.Connect(ctx, cfg)
	if err != nil {
		return false, err
	}
	defer closeService()
	// Check before the crawl, because a later failure would waste the crawl.
	if err := app.CanWrite(cfg.Store.Path); err != nil {
		return false, fmt.Errorf("write the ledger: %w; let this user write there, or name another store.path", err)
	}
	if err := a.SoundLedger(ctx, cfg); err != nil {
		return false, err
	}
	if adopt {
		if err := adoptTarget(a, cfg); err != nil {
			return false, err
		}
	}
	defer func() { err = errors.Join(err, s.close()) }()
	file, err := s.makePlan(ctx, o)
	if err != nil {
		return false, err
	}
	if w := a.Watch; w != nil && w.Planned != nil && file.Trailer.Summary.Counts.Calls() > 0 {
		if err := w.Planned(ctx, file); err != nil {
			return false, err
		}
	}
	return s.send(ctx, client, file, false)
}

// send sends a plan and shows the result. If held is true, it also sends changes that brakes (limits on
// suspicious changes) hold. sent is true if changes may have been sent. The ledger then has an entry for the
// run.
func (s *session) send(
	ctx context.Context, client *push.Client, file *planfile.File, held bool,
) (sent bool, err error) {
	summary, stop := s.apply(ctx, client, file, held)
	if stop != nil && summary.Run == "" {
		return false, stop
	}
	err = s.show(ctx, &report.Run{Summary: summary}, file, stop)
	if stop == nil && s.work != nil {
		err = errors.Join(err, s.details.Close(), s.work.Finish())
	}
	if !s.lost { // the copy of a lost ledger is still needed for a restore
		s.app.KeepCopy(ctx, s.cfg)
	}
	return true, err
}

// adoptTarget reassigns the ledger to the index that cfg names. A ledger that belongs to no index stays as it is.
func adoptTarget(a *app.App, cfg *config.Config) error {
	return a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error {
		pinned, found, err := ledger.Target()
		if err != nil || !found || app.SameIndex(pinned, app.Target(cfg, nil)) {
			return err
		}
		return ledger.Adopt(app.Target(cfg, pinned.Origins))
	})
}

// noteEnd adds to the history a run that ended with err before it sent anything. It does nothing if the
// ledger is missing, locked or damaged.
func (s *session) noteEnd(ctx context.Context, err error) {
	a, cfg := s.app, s.cfg
	_, locked := errors.AsType[*work.LockedError](err)
	unfit := errors.Is(err, diffstore.ErrLocked) || errors.Is(err, diffstore.ErrDamaged)
	if locked || unfit || app.SizeOf(cfg.Store.Path) == 0 {
		return
	}
	cause, exit := document.Short(app.OneLine(err)), app.ExitCode(ctx, err)
	if exit == app.ExitInterrupted {
		cause = "interrupted"
	}
	noteErr := a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error {
		last, _, err := ledger.Run("")
		if err != nil {
			return err
		}
		generation, err := ledger.Generation()
		if err != nil {
			return err
		}
		took := max(1, time.Since(s.began).Milliseconds())
		run := document.Summary{Start: a.Now().Unix(), Stopped: cause, Took: took, Exit: exit}
		run.Run = work.RunID(time.Unix(run.Start, 0), cfg.Fingerprint(), generation)
		if s.work != nil { // a later run may resume this run and must keep its ID
			run.Run, run.Start = s.work.State.Run, s.work.State.Start.Unix()
		}
		run.ClockOff = judge.ClockOff(run.Start, last.Start)
		return ledger.Note(run)
	})
	if noteErr != nil {
		a.Logger().Debug("this run could not be added to the history", "why", noteErr)
	}
}

func planCommand(a *app.App) *cobra.Command {
	o := planOptions{dry: true}
	var out output
	cmd := &cobra.Command{Use: "plan", Short: "Show what sync would send, and send nothing", Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		cfg, err := a.Load(func(*config.Config) error { return o.check() }, (*config.Config).NeedCrawl)
		if err != nil {
			return err
		}
		return (&session{app: a, cfg: cfg, began: time.Now(), out: out}).dryRun(cmd.Context(), o)
	}
	o.flags(cmd)
	out.flags(cmd)
	cmd.Flags().StringVarP(&o.path, "output", "o", "", "write the plan to `PLAN`, for sitesync apply")
	cmd.AddCommand(planShowCommand(a))
	cmd.Flags().BoolVar(&out.detailed, "detailed-exitcode", false, "exit with 10 instead of 0 when there are changes")
	return cmd
}

func (s *session) dryRun(ctx context.Context, o planOptions) (err error) {
	if err := diffstore.CheckApart(ctx, s.cfg.Store.Path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	file, err := s.makePlan(ctx, o)
	if err != nil {
		return err
	}
	if o.path != "" {
		s.out.rest = s.app.Spell("sitesync plan show -v " + document.Command(report.Quote(o.path)))
	}
	return s.show(ctx, &report.Run{Summary: file.Trailer.Summary, Dry: true}, file, nil)
}

func planShowCommand(a *app.App) *cobra.Command {
	var out output
	cmd := &cobra.Command{Use: "show PLAN", Short: "Show a plan that was saved with plan -o", Args: cobra.ExactArgs(1)}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		file, err := planfile.Open(args[0])
		if err != nil {
			return err
		}
		s := &session{app: a, out: out}
		s.cfg, s.unread = a.Load(app.NeedStore) // the ledger has the documents' old text, for the differences
		shown := s.writeReport(&report.Run{Summary: file.Trailer.Summary, Dry: true}, file, planned(file))
		return errors.Join(shown, s.close())
	}
	out.flags(cmd)
	return cmd
}

func applyCommand(a *app.App) *cobra.Command {
	var out output
	var includeHeld bool
	const short = "Push exactly this plan, or refuse if the ledger has changed since"
	cmd := &cobra.Command{Use: "apply PLAN", Short: short, Args: cobra.ExactArgs(1)}
	cmd.RunE = a.Run(func(ctx context.Context, cfg *config.Config, args []string) error {
		return (&session{app: a, cfg: cfg, began: time.Now(), out: out}).applyPlan(ctx, args[0], includeHeld)
	}, app.NeedStore, (*config.Config).NeedPush)
	out.flags(cmd)
	cmd.Flags().BoolVar(&includeHeld, "include-held", false, "also send the changes that brakes hold")
	return cmd
}

// applyPlan sends the plan in the file at path. It errs if the plan does not fit the configuration.
func (s *session) applyPlan(ctx context.Context, path string, includeHeld bool) (err error) {
	a, cfg := s.app, s.cfg
	defer func() { s.tell(ctx, err) }()
	file, err := planfile.Open(path)
	if err != nil {
		return err
	}
	switch header := file.Header; {
	case header.Via:
		return app.Usagef("the plan was made from a staging host (site.via), which must not go into the index; " +
			"plan again without site.via")
	case !app.SameIndex(header.Target, app.Target(cfg, nil)):
		return app.Usagef("the plan was made for another index than the configuration names; plan again")
	case header.Mode != app.PushMode(cfg):
		return app.Usagef("the plan was made for push.mode %s, and the configuration says %s; plan again",
			header.Mode, app.PushMode(cfg))
	}
	release, err := work.Lock(app.WorkDir(cfg), a.Holder())
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	if err := diffstore.CheckApart(ctx, cfg.Store.Path); err != nil {
		return err
	}
	client, closeService, err := a.Connect(ctx, cfg)
	if err != nil {
		return err
	}
	defer closeService()
	s.first = file.Header.Generation == 0
	defer func() { err = errors.Join(err, s.close()) }()
	_, err = s.send(ctx, client, file, includeHeld)
	return err
}
