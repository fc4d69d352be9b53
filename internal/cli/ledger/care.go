package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/spool"
)

func restoreCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "restore [FILE]",
		Short: "Replace the ledger by a backup; the next sync sends every document again",
		Long: "Replace the ledger by a backup, damaged or not.\n" +
			"Without FILE it is the copy that the last run left beside the ledger.\n" +
			"The present ledger is kept beside it under another name.\n" +
			"Every document is in doubt afterwards, so the next sync sends it again.\n" +
			"The ledger does not know documents pushed since the backup whose pages are gone now: see sitesync adopt.",
		Args: cobra.MaximumNArgs(1),
		RunE: a.Run(func(ctx context.Context, cfg *config.Config, args []string) error {
			file := append(args, diffstore.CopyPath(cfg.Store.Path))[0]
			return a.Locked(cfg, func() error { return restore(ctx, a, cfg, file) })
		}, func(cfg *config.Config) error { // checks only these keys: a restore needs no API key
			return cfg.Require("store", "push.base_url", "push.customer_id", "push.crawler_id")
		}),
	}
}

func restore(ctx context.Context, a *app.App, cfg *config.Config, file string) error {
	path := cfg.Store.Path
	info, err := os.Stat(file)
	if err != nil {
		return app.Usagef("read the backup: %w; name a file that sitesync backup wrote", err)
	}
	if info.Mode().IsRegular() && info.Size() == 0 {
		return app.Usagef("%s is empty; nothing was changed", file)
	}
	if err := diffstore.CheckApart(ctx, file); err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	part, err := diffstore.Copy(ctx, file, path)
	if err != nil {
		return fmt.Errorf("restore the ledger: %w", err)
	}
	done, err := renew(cfg, part, file)
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
	a.Print("%s: %s; the next sync sends those again", path, done)
	if aside != "" {
		a.Print("the previous ledger: %s", aside)
	}
	return nil
}

// renew turns the ledger (the record of what the index holds) at path, a copy of the backup file, into a new
// one. done is "N documents in doubt". renew errs if the configuration names another index than the backup.
func renew(cfg *config.Config, path, file string) (done string, err error) {
	err = app.WithLedger(cfg, path, func(ledger *diffstore.Ledger) error {
		was, pinned, err := ledger.Target()
		if err == nil && pinned {
			err = app.CheckTarget(file, was, cfg, "nothing was changed")
		}
		if err != nil {
			return err
		}
		if err := ledger.Renew("the ledger was restored from a backup"); err != nil {
			return err
		}
		counts, err := ledger.Count()
		done = document.Count(counts[document.PushDoubt], "document") + " in doubt"
		return err
	})
	return done, err
}

// keepToday keeps the ledger at path under a new name beside it, and returns that name. It makes a hard
// link, so that path always exists. On a disk without hard links, it renames the ledger.
func keepToday(a *app.App, path string) (aside string, err error) {
	isFree := func(name string) bool { _, err := os.Lstat(name); return errors.Is(err, fs.ErrNotExist) }
	if isFree(path) {
		return "", nil
	}
	name := path + ".before-restore-" + a.Now().UTC().Format("20060102T150405Z")
	aside = name
	for n := 2; !isFree(aside); n++ {
		aside = fmt.Sprintf("%s-%d", name, n)
	}
	if os.Link(path, aside) == nil {
		return aside, nil
	}
	return aside, os.Rename(path, aside)
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

// mayWrite errs if name is no place for a backup: the ledger at path, an existing file (unless it is regular
// and force is true), or "-" (standard output) if that is a terminal.
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
