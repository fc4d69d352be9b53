package ledger

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
)

func rebuildCommand(a *app.App) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Make a ledger again of what can be read of a damaged one; deletes nothing",
		Long: "Make a ledger again of what can be read of a damaged one: the one that was set aside last, or FILE. Every document of it is in doubt, so that\n" +
			"the next sync sends it again whole. A sound ledger is never replaced: it gets what it does not know. Neither files nor documents are deleted.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.UnderLock(func(cfg *config.Config) error { return rebuild(cmd.Context(), a, cfg, from) })
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "read this `FILE` in place of the ledger that was set aside")
	return cmd
}

func rebuild(ctx context.Context, a *app.App, cfg *config.Config, from string) error {
	path := cfg.Store.Path
	if _, err := os.Stat(from); from != "" && err != nil {
		return app.Usage(err)
	}
	damaged, err := a.SetAside(ctx, path)
	if err != nil && damaged == "" {
		return err
	}
	if damaged != "" {
		a.Print("%s; it was set aside as %s", err, damaged)
	}
	if damaged != "" && (from == "" || from == path) {
		from = damaged
	} else if from == "" {
		from = app.NewestAside(path, app.AsideDamaged)
	}
	if from == "" {
		if _, err := os.Stat(path); err == nil {
			return app.Usagef("the ledger %s is sound, and none was set aside: there is nothing to rebuild", path)
		}
		a.Print("no ledger was set aside, so that sync begins with an empty one. That deletes nothing; sitesync adopt takes over IDs that the index holds")
		return nil
	}
	glimpse, _ := diffstore.Examine(ctx, from) // it is damaged
	if err := app.Fits(cfg, from, glimpse); err != nil {
		return err
	}
	done, err := salvage(ctx, cfg, path, from, a.GenerationNow(), "the ledger was damaged")
	if err != nil {
		return err
	}
	a.Print("%s: %d records of %s, %d documents of them in doubt; the next sync sends those again", path, done.Records, from, done.Documents)
	if done.Lost > 0 {
		a.Print("%d parts of it could not be read. What is lost with them, the site will say again; documents of pages that are gone sitesync adopt takes over", done.Lost)
	}
	if rest, ok := strings.CutPrefix(from, path+app.AsideDamaged); ok {
		return os.Rename(from, path+app.AsideSalvaged+rest)
	}
	return nil
}
