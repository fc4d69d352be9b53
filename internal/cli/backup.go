package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/config"
)

func (a *app) backupCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the ledger, also while a run looks at the site",
		Long:  "Copy the ledger as it stands to FILE, also while a run looks at the site. FILE - is standard output.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := a.load()
			if err == nil {
				err = cfg.Require("store")
			}
			if err != nil {
				return err
			}
			return a.backup(cmd.Context(), cfg, args[0], force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE where there is one")
	return cmd
}

func (a *app) backup(ctx context.Context, cfg *config.Config, name string, force bool) error {
	path := cfg.Store.Path
	if err := a.mayWrite(name, path, force); err != nil {
		return err
	}
	if err := diffstore.CheckApart(ctx, path); err != nil {
		return err
	}
	copyTo := func(out io.Writer) error { return diffstore.Backup(path, out) }
	if name == "-" {
		return copyTo(a.stdout)
	}
	if err := diffstore.WriteFile(name, copyTo); err != nil {
		return fmt.Errorf("write the backup %s: %w", name, err)
	}
	a.print("%s: %s; sitesync restore takes it back", name, size(sizeOf(name)))
	return nil
}

// mayWrite errs where a backup would replace what the user did not name for that.
func (a *app) mayWrite(name, path string, force bool) error {
	if name == "-" {
		if terminal(a.stdout) {
			return usageError{errors.New("a ledger is nothing for a terminal: sitesync backup - > FILE")}
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
		return usageError{fmt.Errorf("%s is the ledger itself", name)}
	}
	if !force || !info.Mode().IsRegular() {
		return usageError{fmt.Errorf("%s exists; name another file, or replace it with --force", name)}
	}
	return nil
}
