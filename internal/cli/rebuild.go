package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/config"
)

func (a *app) rebuildCommand() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Make a ledger again of what can be read of a damaged one; deletes nothing",
		Long: "Make a ledger again of what can be read of a damaged one: the one that was set aside last, or FILE. Every document of it is in doubt, so that\n" +
			"the next sync sends it again whole. A sound ledger is never replaced: it gets what it does not know. Neither files nor documents are deleted.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.underLock(func(cfg *config.Config) error { return a.rebuild(cmd.Context(), cfg, from) })
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "read this `FILE` in place of the ledger that was set aside")
	return cmd
}

func (a *app) rebuild(ctx context.Context, cfg *config.Config, from string) error {
	path := cfg.Store.Path
	if _, err := os.Stat(from); from != "" && err != nil {
		return usageError{err}
	}
	damaged, err := a.makeWay(ctx, path)
	if err != nil {
		return err
	}
	if damaged != "" && (from == "" || from == path) {
		from = damaged
	} else if from == "" {
		from = newestAside(path, asideDamaged)
	}
	if from == "" {
		if _, err := os.Stat(path); err == nil {
			return usageError{fmt.Errorf("the ledger %s is sound, and none was set aside: there is nothing to rebuild", path)}
		}
		a.print("no ledger was set aside, so that sync begins with an empty one. That deletes nothing; sitesync adopt takes over IDs that the index holds")
		return nil
	}
	if err := a.fits(cfg, from); err != nil {
		return err
	}
	done, err := salvage(cfg, path, from, a.generationNow(), "the ledger was damaged")
	if err != nil {
		return err
	}
	a.print("%s: %d records of %s, %d documents of them in doubt; the next sync sends those again", path, done.Records, from, done.Documents)
	if done.Lost > 0 {
		a.print("%d parts of it could not be read. What is lost with them, the site will say again; documents of pages that are gone sitesync adopt takes over", done.Lost)
	}
	if rest, ok := strings.CutPrefix(from, path+asideDamaged); ok {
		return os.Rename(from, path+asideSalvaged+rest)
	}
	return nil
}

// makeWay sets a damaged ledger aside and returns its new name; a sound one
// stays.
func (a *app) makeWay(ctx context.Context, path string) (aside string, err error) {
	fault := diffstore.CheckApart(ctx, path)
	if !errors.Is(fault, diffstore.ErrDamaged) {
		return "", fault
	}
	if aside, err = a.setAside(path); err != nil {
		return "", errors.Join(fault, err)
	}
	a.print("%s; it was set aside as %s", fault, aside)
	return aside, nil
}
