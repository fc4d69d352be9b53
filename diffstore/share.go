package diffstore

import (
	"context"
	"errors"
	"fmt"
	"os"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// mostLent is how many lockWaits pass until a run gives up that waits for those it lent the
// file to.
const mostLent = 600

// Lend lets other processes read the ledger while fn runs, which must not use it: the file
// is closed meanwhile, and nobody may write it who does not have the run lock. Lend then
// waits for those who read, ten minutes at most, and not at all once ctx ends. It errs with
// ErrLocked, and as fn does.
func (l *Ledger) Lend(ctx context.Context, fn func() error) error {
	was, err := l.Identity()
	if err == nil {
		err = l.db.Close()
	}
	if err != nil {
		return fmt.Errorf("lend ledger %s: %w", l.path, err)
	}
	return errors.Join(fn(), l.takeBack(ctx, was))
}

func (l *Ledger) takeBack(ctx context.Context, was string) (err error) {
	for range mostLent {
		var db *bolt.DB
		if _, err = os.Stat(l.path); err == nil { // bbolt would make a new one
			db, err = openFile(l.path, false, lockWait)
		}
		if err == nil {
			closed := l.db
			l.db = db
			if is, err := l.Identity(); err != nil || is != was {
				l.db = closed
				return errors.Join(fmt.Errorf("ledger %s: another file was put in its place while the run was sending", l.path), err, db.Close())
			}
			return nil
		}
		if !errors.Is(err, berrors.ErrTimeout) || ctx.Err() != nil {
			break
		}
	}
	return openError(l.path, err)
}

// Detach copies a ledger that was opened for reading to path, and goes on reading there:
// those who write the ledger need not wait.
func (l *Ledger) Detach(path string) error {
	if l.db == nil {
		return nil
	}
	err := l.view(func(tx *bolt.Tx) error { return tx.CopyFile(path, 0o600) })
	if err != nil {
		return fmt.Errorf("copy the ledger: %w", err)
	}
	own, err := openFile(path, true, lockWait)
	if err != nil {
		return openError(path, err)
	}
	from := l.db
	l.db = own
	return from.Close()
}
