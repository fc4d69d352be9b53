package cli

import (
	"errors"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/pipeline"
)

// writeLedger runs fn on the configuration's ledger, open for writing, under the
// run lock: beside a run nothing writes the ledger.
func (a *app) writeLedger(cfg *config.Config, fn func(*diffstore.Ledger) error) (err error) {
	release, err := pipeline.Lock(workDir(cfg), a.now())
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
