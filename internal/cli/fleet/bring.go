package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nats-io/nuid"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/site"
	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/spool"
)

// bring gives a site the ledger at path, under the site's lease: no worker runs it meanwhile.
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
	keeper, err := lease.Watch(ctx, b.States, lease.Options{Worker: f.who() + "-" + nuid.Next()[:8], Log: f.a.Logger()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, keeper.Close()) }()
	l, err := keeper.Take(ctx, s.Name, func(s *lease.State) { s.Tries-- })
	if err != nil {
		return err
	}
	if l.State().Plan != nil {
		return errors.Join(app.Usagef("%s: a worker was sending a plan of this site; let one end it before the site gets another ledger", s.Name), l.Release(ctx, nil))
	}
	store := snapshot.New(b)
	stored, err := store.Put(ctx, "ledger", s.Name, l.Number(), ledger, nil)
	if err != nil {
		return errors.Join(err, l.Release(ctx, nil))
	}
	stored.Line = s.Index + " " + nuid.Next()
	err = l.Release(ctx, func(s *lease.State) { s.Ledger, s.Kept, s.Told = &stored, nil, true })
	if err != nil {
		return fmt.Errorf("give %s its ledger: %w", s.Name, err)
	}
	return store.Sweep(ctx, "ledger", s.Name, stored)
}

// copyLedger copies a ledger that is whole, that no run writes, and that is of the site's index.
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
