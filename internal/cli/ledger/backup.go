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
)

func backupCommand(a *app.App) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the ledger, also while a run looks at the site",
		Long:  "Copy the ledger as it stands to FILE, also while a run looks at the site. FILE - is standard output.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := a.Load()
			if err == nil {
				err = cfg.Require("store")
			}
			if err != nil {
				return err
			}
			return backup(cmd.Context(), a, cfg, args[0], force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE where there is one")
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
		return copyTo(a.Stdout)
	}
	if err := diffstore.WriteFile(name, copyTo); err != nil {
		return fmt.Errorf("write the backup %s: %w", name, err)
	}
	a.Print("%s: %s; sitesync restore takes it back", name, app.Size(app.SizeOf(name)))
	return nil
}

// mayWrite errs where a backup would replace what the user did not name for that.
func mayWrite(a *app.App, name, path string, force bool) error {
	if name == "-" {
		if app.Terminal(a.Stdout) {
			return app.Usagef("a ledger is nothing for a terminal: sitesync backup - > FILE")
		}
		return nil
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	if ledger, err := os.Stat(path); err == nil && os.SameFile(info, ledger) {
		return app.Usagef("%s is the ledger itself", name)
	}
	if !force || !info.Mode().IsRegular() {
		return app.Usagef("%s exists; name another file, or replace it with --force", name)
	}
	return nil
}
