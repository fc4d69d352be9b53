package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/work"
)

// writeLedger runs fn on the configuration's ledger, open for writing, under the
// run lock: beside a run nothing writes the ledger.
func (a *app) writeLedger(cfg *config.Config, fn func(*diffstore.Ledger) error) (err error) {
	release, err := work.Lock(workDir(cfg), a.now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	ledger, err := diffstore.Open(cfg.Store.Path, cfg.Store.KeepText)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	return fn(ledger)
}

// behindLinks returns the file that a chain of symbolic links leads to, there or not:
// whoever gives the ledger another file must not put it in the link's place.
func behindLinks(path string) string {
	for range 40 { // as many as Linux follows
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// readersTries is how often a run opens its ledger while somebody else has it, about a
// second each: a backup may be under way, and the crawl is done already.
const readersTries = 60

// patiently opens a ledger as soon as who reads it is done.
func patiently(ctx context.Context, open func() (*diffstore.Ledger, error)) (ledger *diffstore.Ledger, err error) {
	for range readersTries {
		if ledger, err = open(); !errors.Is(err, diffstore.ErrLocked) {
			return ledger, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, err
}
