package run

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/work"
)

func planCommand(a *app.App) *cobra.Command {
	o := planOptions{dry: true}
	var out output
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Show what sync would send, and send nothing",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !slices.Contains([]string{"text", "json", "html", "csv"}, out.format) {
				return app.Usagef("--format is %q; it takes text, json, html or csv", out.format)
			}
			cfg, err := a.Load()
			if err == nil {
				err = app.FirstError(o.check(), cfg.NeedCrawl())
			}
			if err != nil {
				return err
			}
			out.moves = o.moves
			return dryRun(cmd.Context(), a, cfg, o, time.Now(), out)
		},
	}
	planFlags(cmd, &o)
	cmd.Flags().StringVarP(&o.path, "output", "o", "", "write the plan to `PLAN`, for sitesync apply")
	cmd.Flags().StringVar(&out.format, "format", "text", "`FORMAT`: text, json, html or csv")
	cmd.Flags().BoolVar(&out.detailed, "detailed-exitcode", false, "exit with 10 in place of 0 when there are changes")
	return cmd
}

// dryRun makes a plan and shows it. It is handed neither a client nor a ledger that
// can be written.
func dryRun(ctx context.Context, a *app.App, cfg *config.Config, o planOptions, began time.Time, out output) error {
	if err := diffstore.CheckApart(ctx, cfg.Store.Path); err != nil {
		return err
	}
	s, plan, err := makePlan(ctx, a, cfg, o)
	if err != nil {
		return err
	}
	shown := s.show(ctx, &report.Run{Summary: plan.Trailer.Summary, Dry: true, Duration: time.Since(began)}, plan, nil, out)
	return app.FirstError(shown, s.close())
}

// planned yields the changes of a plan as results show them.
func planned(plan *planfile.File) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		for c, err := range plan.Heads() {
			if !yield(c.Entry(c.State, ""), err) || err != nil {
				return
			}
		}
	}
}

func applyCommand(a *app.App) *cobra.Command {
	var includeHeld, asJSON bool
	var moves string
	cmd := &cobra.Command{
		Use:   "apply PLAN",
		Short: "Push exactly that plan, or refuse if the ledger moved on",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return applyPlan(cmd.Context(), a, args[0], includeHeld, output{format: format(asJSON), moves: moves})
		},
	}
	movesFlag(cmd, &moves)
	cmd.Flags().BoolVar(&includeHeld, "include-held", false, "send what the brakes hold as well")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the result as one JSON object")
	return cmd
}

func applyPlan(ctx context.Context, a *app.App, path string, includeHeld bool, out output) error {
	began := time.Now()
	cfg, err := a.Load()
	if err == nil {
		err = app.FirstError(cfg.Require("store"), cfg.NeedPush())
	}
	if err != nil {
		return err
	}
	plan, err := planfile.Open(path)
	if err != nil {
		return err
	}
	if err := planFits(plan, cfg); err != nil {
		return err
	}
	release, err := work.Lock(app.WorkDir(cfg), a.Now())
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
	s := &session{app: a, cfg: cfg}
	summary, err := s.apply(ctx, client, plan, includeHeld)
	if err != nil && summary.Run == "" {
		return err
	}
	if err == nil {
		a.Compact(cfg)
	}
	return s.show(ctx, &report.Run{Summary: summary, Duration: time.Since(began)}, plan, err, out)
}

// planFits refuses a plan that was made for another index, or shows a staging host.
func planFits(plan *planfile.File, cfg *config.Config) error {
	if plan.Header.Via {
		return app.Usagef("the plan shows a staging host (site.via), which the index must not hold; plan again without site.via")
	}
	if !app.SameIndex(plan.Header.Target, app.Target(cfg, nil)) {
		return app.Usagef("the plan was made for another index than the configuration names; plan again")
	}
	if plan.Header.Mode != app.PushMode(cfg) {
		return app.Usagef("the plan was made for push.mode %s, and the configuration says %s; plan again", plan.Header.Mode, app.PushMode(cfg))
	}
	return nil
}
