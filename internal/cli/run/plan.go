package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
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
			cfg, err := a.Load(func(*config.Config) error { return o.check() }, (*config.Config).NeedCrawl)
			if err != nil {
				return err
			}
			return dryRun(cmd.Context(), a, cfg, o, time.Now(), out)
		},
	}
	o.flags(cmd)
	out.flags(cmd)
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
	s, file, err := makePlan(ctx, a, cfg, o)
	if err != nil {
		return err
	}
	shown := s.show(ctx, &report.Run{Summary: file.Trailer.Summary, Dry: true, Duration: time.Since(began)}, file, nil, out)
	return errors.Join(shown, s.close())
}

func applyCommand(a *app.App) *cobra.Command {
	var out output
	var includeHeld bool
	cmd := &cobra.Command{
		Use:   "apply PLAN",
		Short: "Push exactly that plan, or refuse if the ledger moved on",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return applyPlan(cmd.Context(), a, args[0], includeHeld, out)
		},
	}
	out.flags(cmd)
	app.JSONFlag(cmd, &out.json)
	cmd.Flags().BoolVar(&includeHeld, "include-held", false, "send what the brakes hold as well")
	return cmd
}

func applyPlan(ctx context.Context, a *app.App, path string, includeHeld bool, out output) error {
	began := time.Now()
	cfg, err := a.Load(app.NeedStore, (*config.Config).NeedPush)
	if err != nil {
		return err
	}
	file, err := planfile.Open(path)
	if err != nil {
		return err
	}
	if err := planFits(file, cfg); err != nil {
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
	summary, err := s.apply(ctx, client, file, includeHeld)
	if err != nil && summary.Run == "" {
		return err
	}
	if err == nil {
		a.Compact(cfg)
	}
	return s.show(ctx, &report.Run{Summary: summary, Duration: time.Since(began)}, file, err, out)
}

// planFits refuses a plan that was made for another index, or shows a staging host.
func planFits(file *planfile.File, cfg *config.Config) error {
	if file.Header.Via {
		return app.Usagef("the plan shows a staging host (site.via), which the index must not hold; plan again without site.via")
	}
	if !app.SameIndex(file.Header.Target, app.Target(cfg, nil)) {
		return app.Usagef("the plan was made for another index than the configuration names; plan again")
	}
	if file.Header.Mode != app.PushMode(cfg) {
		return app.Usagef("the plan was made for push.mode %s, and the configuration says %s; plan again", file.Header.Mode, app.PushMode(cfg))
	}
	return nil
}
