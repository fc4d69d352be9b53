package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// What is behind the ledger's name, and before the time, in the name of a file that
// was put aside, beside app.AsideDamaged.
const (
	asideSalvaged = ".salvaged-" // a damaged one after its rebuild
	asideRestored = ".before-restore-"
)

// generationNow is beyond the generation of any ledger that was not salvaged
// since: it counts runs, and this seconds.
func generationNow(a *app.App) uint64 { return uint64(max(0, a.Now().Unix())) }

// fits errs where the file of a ledger says that it describes another index than
// the configuration names.
func fits(cfg *config.Config, path string, glimpse diffstore.Glimpse) error {
	if !glimpse.Pinned {
		return nil
	}
	return app.CheckTarget(path, glimpse.Target, cfg, "nothing was changed")
}

// underLock returns what a command runs: fn under the run lock.
func underLock(a *app.App, fn func(context.Context, *config.Config, []string) error) func(*cobra.Command, []string) error {
	return a.Run(func(ctx context.Context, cfg *config.Config, args []string) error {
		return a.Locked(cfg, func() error { return fn(ctx, cfg, args) })
	}, func(cfg *config.Config) error {
		return cfg.Require("store", "push.base_url", "push.customer_id", "push.crawler_id") // the key is not asked for
	})
}

func restoreCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Replace the ledger by a backup; the next sync sends every document again",
		Long: "Replace the ledger by a backup. The present ledger is kept beside it under another name. Every document is in doubt afterwards, so\n" +
			"the next sync sends it again. The ledger does not know documents pushed since the backup whose pages are gone now: see sitesync adopt.",
		Args: cobra.ExactArgs(1),
		RunE: underLock(a, func(ctx context.Context, cfg *config.Config, args []string) error {
			return restore(ctx, a, cfg, args[0])
		}),
	}
}

func restore(ctx context.Context, a *app.App, cfg *config.Config, file string) error {
	path := cfg.Store.Path
	if err := restorable(file); err != nil {
		return app.Usage(err)
	}
	backup, err := diffstore.Examine(ctx, file)
	if err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	if err := fits(cfg, file, backup); err != nil {
		return err
	}
	part, err := spool.Beside(path)
	if err != nil {
		return fmt.Errorf("restore the ledger: %w", err)
	}
	today, _ := diffstore.Examine(ctx, path) // it may be damaged
	done, err := salvage(ctx, cfg, part, file, max(generationNow(a), today.Generation+1), "the ledger was restored from a backup")
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	aside, err := keepToday(a, path)
	if err == nil {
		err = spool.Replace(path, part)
	}
	if err != nil {
		return fmt.Errorf("restore the ledger: %w", err)
	}
	a.Print("%s: %s, %s in doubt; the next sync sends those again", path, document.Count(done.Records, "record"), document.Count(done.Documents, "document"))
	if aside != "" {
		a.Print("the previous ledger: %s", aside)
	}
	return nil
}

// restorable errs where the file can be no backup.
func restorable(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("read the backup: %w; name a file that sitesync backup wrote", err)
	}
	if info.Mode().IsRegular() && info.Size() == 0 {
		return fmt.Errorf("%s is empty; nothing was changed", file)
	}
	return nil
}

// salvage adds to the ledger at path what the file holds.
func salvage(ctx context.Context, cfg *config.Config, path, file string, generation uint64, reason string) (done diffstore.Salvaged, err error) {
	err = app.WithLedger(cfg, path, func(ledger *diffstore.Ledger) error {
		done, err = ledger.Salvage(ctx, file, generation, reason)
		return err
	})
	return done, err
}

// keepToday gives today's ledger a second name, and returns it; the first one is
// taken away only where the disk knows no second names.
func keepToday(a *app.App, path string) (aside string, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	aside = a.AsideName(path, asideRestored)
	if os.Link(path, aside) == nil {
		return aside, nil
	}
	return aside, os.Rename(path, aside)
}

func rebuildCommand(a *app.App) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Recover what can be read of a damaged ledger; deletes nothing",
		Long: "Make a new ledger from what can be read of a damaged one: the one that was set aside last, or FILE. Every document of it is in doubt:\n" +
			"the next sync sends it again. A sound ledger is never replaced; records that it lacks are added to it. Neither files nor documents are deleted.",
		Args: cobra.NoArgs,
		RunE: underLock(a, func(ctx context.Context, cfg *config.Config, _ []string) error {
			return rebuild(ctx, a, cfg, from)
		}),
	}
	cmd.Flags().StringVar(&from, "from", "", "read this `FILE` instead of the ledger that was set aside")
	return cmd
}

func rebuild(ctx context.Context, a *app.App, cfg *config.Config, from string) error {
	path := cfg.Store.Path
	if _, err := os.Stat(from); from != "" && err != nil {
		return app.Usage(err)
	}
	damaged, err := a.SetAside(ctx, path)
	switch {
	case damaged != "":
		a.Print("%s; it was set aside as %s", err, damaged)
		if from == "" || from == path {
			from = damaged
		}
	case err != nil:
		return err
	case from == "":
		from = app.NewestAside(path, app.AsideDamaged)
	}
	if from == "" {
		if _, err := os.Stat(path); err == nil {
			return app.Usagef("the ledger %s is sound, and none was set aside: there is nothing to rebuild", path)
		}
		a.Print("no ledger was set aside: the next sync begins with an empty one. That deletes nothing; sitesync adopt takes over IDs that the index holds")
		return nil
	}
	glimpse, _ := diffstore.Examine(ctx, from) // it is damaged
	if err := fits(cfg, from, glimpse); err != nil {
		return err
	}
	done, err := salvage(ctx, cfg, path, from, generationNow(a), "the ledger was damaged")
	if err != nil {
		return err
	}
	a.Print("%s: %s of %s, %s of them in doubt; the next sync sends those again", path, document.Count(done.Records, "record"), from, document.Count(done.Documents, "document"))
	if done.Lost > 0 {
		a.Print("%s of it could not be read. The next sync finds again what the site still has; sitesync adopt takes over documents of pages that are gone", document.Count(done.Lost, "part"))
	}
	if rest, ok := strings.CutPrefix(from, path+app.AsideDamaged); ok {
		return os.Rename(from, path+asideSalvaged+rest)
	}
	return nil
}

func backupCommand(a *app.App) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the ledger, even while a run crawls",
		Long:  "Copy the ledger as it stands to FILE, even while a run crawls. FILE - is standard output.",
		Args:  cobra.ExactArgs(1),
		RunE: a.Run(func(ctx context.Context, cfg *config.Config, args []string) error {
			return backup(ctx, a, cfg, args[0], force)
		}, app.NeedStore),
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE if it exists")
	return cmd
}

func backup(ctx context.Context, a *app.App, cfg *config.Config, name string, force bool) error {
	path := cfg.Store.Path
	if err := mayWrite(a, name, path, force); err != nil {
		return err
	}
	if err := diffstore.CheckApart(ctx, path); err != nil {
		return err
	}
	copyTo := func(out io.Writer) error { return diffstore.Backup(path, out) }
	if name == "-" {
		return copyTo(a.Whole())
	}
	if err := spool.WriteFile(name, 0o600, copyTo); err != nil {
		return fmt.Errorf("write the backup %s: %w", name, err)
	}
	a.Print("%s: %s; %s takes it back", name, document.FormatBytes(app.SizeOf(name)), a.Spell("sitesync restore"))
	return nil
}

// mayWrite errs where a backup would replace what the user did not name for that.
func mayWrite(a *app.App, name, path string, force bool) error {
	info, err := os.Stat(name)
	ledger, _ := os.Stat(path)
	switch {
	case name == "-" && app.Terminal(a.Stdout):
		return app.Usagef("a ledger can't be shown on a terminal; write it to a file: sitesync backup - > FILE")
	case name == "-", errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("write the backup: %w", err)
	case os.SameFile(info, ledger):
		return app.Usagef("%s is the ledger itself", name)
	case !force || !info.Mode().IsRegular():
		return app.Usagef("%s exists; name another file, or replace it with --force", name)
	}
	return nil
}
