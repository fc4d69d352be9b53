package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/nats-io/nuid"
	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/spool"
)

type storing struct {
	add          bool
	name, ledger string
}

func storeCommand(f *fleet, add bool) *cobra.Command {
	o := storing{add: add}
	cmd := &cobra.Command{
		Use: "set FILE...", Short: "Change sites of the fleet: each FILE is the new sitesync.toml of a site",
		Args: cobra.MinimumNArgs(1),
	}
	if add {
		cmd.Use, cmd.Short = "add FILE...", "Add sites to the fleet: each FILE is the sitesync.toml of a site"
	}
	cmd.Long = cmd.Short + ".\n\nThe site of town-hall.toml is town-hall; that of town-hall/sitesync.toml too.\n" +
		"All files are checked before the first is stored."
	cmd.Flags().StringVar(&o.name, "name", "", "`NAME` of the site, for one file")
	cmd.Flags().StringVar(&o.ledger, "ledger", "",
		"`FILE` of the ledger that the site has so far, for one site; first stop what runs the site elsewhere")
	cmd.RunE = func(cmd *cobra.Command, files []string) error {
		sites, err := o.sitesOf(f.a, files)
		if err != nil {
			return err
		}
		f.makes = add
		store := func(ctx context.Context, d *board, _ []string) error { return o.store(ctx, d, sites) }
		return f.onBoard(0, store)(cmd, files)
	}
	return cmd
}

// sitesOf returns the sites whose configurations are in files. It checks all files, and asks no server.
func (o *storing) sitesOf(a *app.App, files []string) (sites []site.Site, err error) {
	if (o.name != "" || o.ledger != "") && len(files) > 1 {
		return nil, app.Usagef("--name and --ledger are for one file, but %d are given", len(files))
	}
	var faults error
	from := map[string]string{}
	for _, file := range files {
		path, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		if filepath.Base(path) == "sitesync.toml" {
			path = filepath.Dir(path)
		}
		name := cmp.Or(o.name, strings.TrimSuffix(filepath.Base(path), ".toml"))
		raw, err := a.Input(file)
		if err != nil {
			return nil, err
		}
		s, err := site.Read(name, file, raw)
		if bus.CheckName(name) != nil {
			err = fmt.Errorf("%w; name it with --name", err)
		}
		if err == nil && from[name] != "" {
			err = fmt.Errorf("%s: the site %s is given twice: %s is named after it too", file, name, from[name])
		}
		faults = errors.Join(faults, err)
		sites, from[name] = append(sites, s), file
	}
	if faults != nil {
		return nil, app.Usage(faults)
	}
	return sites, nil
}

func (o *storing) store(ctx context.Context, d *board, given []site.Site) error {
	for i := range given {
		s := &given[i]
		is, known := d.sites[s.Name]
		switch {
		case o.add && known:
			return app.Usagef("%s: %w", s.Name, site.ErrKnown)
		case !o.add && !known:
			return app.Usagef("%s: %w", s.Name, site.ErrUnknown)
		}
		s.Revision, s.Paused = is.Revision, is.Paused
	}
	err := d.apart(given...)
	if err != nil {
		return app.Usage(err)
	}
	if o.ledger != "" {
		err = d.bring(ctx, d.Bus, &given[0], o.ledger)
		if err != nil {
			return err
		}
	}
	done, why := "changed", "set"
	if o.add {
		done, why = "added", "add"
	}
	return d.changeEach(given, done, func(s *site.Site) error { return site.New(d.Bus).Put(ctx, s, why, d.who()) })
}

// bring stores the file at path as the site's ledger, the database of what its index holds. Meanwhile it has
// the site's lease (the right to run it), so that no worker runs the site.
func (f *fleet) bring(ctx context.Context, b *bus.Bus, s *site.Site, path string) (err error) {
	dir, err := os.MkdirTemp("", "sitesync-ledger-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ledger := filepath.Join(dir, snapshot.LedgerFile)
	err = copyLedger(ctx, s, path, ledger)
	if err != nil {
		return err
	}
	store, stored := snapshot.New(b), lease.File{}
	err = f.lead(ctx, b, s.Name, func(l *lease.Lease) (func(*lease.State), error) {
		stored, err = store.Put(ctx, "ledger", s.Name, l.State().Number, ledger, nil)
		if err != nil {
			return nil, err
		}
		stored.Line = s.Index + " " + nuid.Next()
		return func(s *lease.State) { s.Ledger, s.Kept, s.Reset = &stored, nil, true }, nil
	})
	if err != nil {
		return err
	}
	return store.Sweep(ctx, "ledger", s.Name, stored)
}

// copyLedger copies the ledger at path. It errs if the ledger is damaged, in use or of another index.
func copyLedger(ctx context.Context, s *site.Site, path, to string) error {
	err := diffstore.CheckApart(ctx, path)
	if err != nil {
		return err
	}
	cfg, err := config.Parse(s.Name+".toml", []byte(s.TOML), func(string) string { return "" })
	if err != nil {
		return err
	}
	cfg.Store.Path = path
	err = app.ReadLedger(cfg, func(l *diffstore.Ledger) error {
		was, found, err := l.Target()
		if err == nil && !found {
			err = app.Usagef("--ledger %s: there is no such ledger, or nothing was sent with it yet", path)
		}
		if err != nil {
			return err
		}
		return app.CheckTarget("the ledger "+path, was, cfg, "give --ledger that of this site")
	})
	if err != nil {
		return err
	}
	return spool.WriteFile(to, 0o600, func(out io.Writer) error { return diffstore.Backup(path, out) })
}
