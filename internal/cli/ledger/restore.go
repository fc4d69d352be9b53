package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
)

func restoreCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the ledger's place; the next sync sends every document again",
		Long: "Put a backup in the ledger's place. Today's ledger stays beside it under another name. Every document is in doubt afterwards, so that\n" +
			"the next sync sends it again whole. What was pushed since the backup and is gone from the site now, the ledger does not know: see sitesync adopt.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.UnderLock(func(cfg *config.Config) error { return restore(cmd.Context(), a, cfg, args[0]) })
		},
	}
}

func restore(ctx context.Context, a *app.App, cfg *config.Config, file string) error {
	path := cfg.Store.Path
	part := path + ".restore"
	if err := restorable(file, part); err != nil {
		return app.Usage(err)
	}
	backup, err := diffstore.Examine(ctx, file)
	if err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	if err := app.Fits(cfg, file, backup); err != nil {
		return err
	}
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a restore that was killed
		return fmt.Errorf("restore the ledger: %w", err)
	}
	today, _ := diffstore.Examine(ctx, path) // it may be damaged
	done, err := salvage(ctx, cfg, part, file, max(a.GenerationNow(), today.Generation+1), "the ledger was restored from a backup")
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	aside, err := keepToday(a, path)
	if err == nil {
		err = diffstore.Replace(path, part)
	}
	if err != nil {
		return fmt.Errorf("restore the ledger: %w", err)
	}
	a.Print("%s: %d records, %d documents in doubt; the next sync sends those again", path, done.Records, done.Documents)
	if aside != "" {
		a.Print("the ledger until now: %s", aside)
	}
	return nil
}

// restorable errs where the file can be no backup, or has the name that a restore
// works under and would lose it.
func restorable(file, part string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if own, err := os.Stat(part); err == nil && os.SameFile(info, own) {
		return fmt.Errorf("%s is the name of a restore that was not finished; give the backup another name", file)
	}
	if info.Mode().IsRegular() && info.Size() == 0 {
		return fmt.Errorf("%s is empty; nothing was changed", file)
	}
	return nil
}

// salvage adds to the ledger at path what the file holds.
func salvage(ctx context.Context, cfg *config.Config, path, file string, generation uint64, reason string) (done diffstore.Salvaged, err error) {
	ledger, err := diffstore.Open(path, cfg.Store.KeepText)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	return ledger.Salvage(ctx, file, generation, reason)
}

// keepToday gives today's ledger a second name, and returns it; the first one is
// taken away only where the disk knows no second names.
func keepToday(a *app.App, path string) (aside string, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	aside = a.AsideName(path, app.AsideRestored)
	if os.Link(path, aside) == nil {
		return aside, nil
	}
	return aside, os.Rename(path, aside)
}
