package diffstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/spool"
)

// CopyPath returns where the copy of the ledger at path stands that a run leaves.
func CopyPath(path string) string { return path + ".bak" }

// KeepCopy puts a copy of the ledger at path where CopyPath says, in one step, and only once
// it was found sound: damage is copied too. What stands there is replaced only where it is a
// ledger itself. On an error it stays as it is.
func KeepCopy(ctx context.Context, path string) error {
	to := CopyPath(path)
	info, err := os.Lstat(to)
	if err == nil && (!info.Mode().IsRegular() || CheckApart(ctx, to) != nil) && ctx.Err() == nil {
		return fmt.Errorf("%s is not a sound ledger and was left as it is: move it away", to)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("copy ledger %s: %w", path, err)
	}
	part, err := Copy(ctx, path, path)
	if err != nil {
		return err
	}
	if err := spool.Replace(to, part); err != nil {
		return errors.Join(fmt.Errorf("copy ledger %s: %w", path, err), os.Remove(part))
	}
	return nil
}

// Copy makes a copy of the ledger at path in the folder of another file, under a name that
// nothing has, checks it, and returns that name. It errs as Backup and CheckApart do, and
// with ctx's error.
func Copy(ctx context.Context, path, beside string) (part string, err error) {
	out, err := os.CreateTemp(filepath.Dir(beside), ".sitesync-*")
	if err != nil {
		return "", fmt.Errorf("copy ledger %s: %w", path, err)
	}
	part = out.Name()
	err = Backup(path, untilDone{ctx, out})
	if err == nil {
		err = out.Sync()
	}
	err = errors.Join(err, out.Close())
	if err == nil {
		err = CheckApart(ctx, part)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("copy ledger %s: %w", path, err), os.Remove(part))
	}
	return part, nil
}

// untilDone is a writer that errs once ctx is done.
type untilDone struct {
	ctx context.Context
	to  io.Writer
}

func (u untilDone) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.to.Write(p)
}

// Renew makes the open copy of a ledger one of its own: it gets another identity, so that no
// plan of before fits, and no approvals; every document is in doubt for the given reason, and
// the next run reads every page in full.
func (l *Ledger) Renew(reason string) error {
	err := l.update(func(tx *bolt.Tx) error {
		if err := putIn(tx, bucketMeta, keyIdentity, rand.Text()); err != nil {
			return err
		}
		if err := l.dropApprovals(tx, "", false); err != nil {
			return err
		}
		return forgetFollowed(tx)
	})
	if err != nil {
		return err
	}
	if err := l.DoubtAll(reason); err != nil {
		return err
	}
	return l.BulkProved()
}
