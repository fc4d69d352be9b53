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

// CopyPath returns the path of the copy of the ledger (the record of what was sent) that each run makes.
func CopyPath(path string) string { return path + ".bak" }

// KeepCopy copies the ledger at path and checks the copy for damage. Then it puts the copy at CopyPath in one
// step. If a damaged ledger or another kind of file is at CopyPath, KeepCopy errs and changes nothing.
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

// Copy copies the ledger at path into a new file in the folder of the path sibling. It checks the copy for
// damage and returns its path. It errs as Backup and CheckApart do, and when ctx is done.
func Copy(ctx context.Context, path, sibling string) (part string, err error) {
	out, err := os.CreateTemp(filepath.Dir(sibling), ".sitesync-*")
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

// Renew turns a copy of a ledger into a separate ledger with a new identity. It removes the approvals of held
// changes (changes that a limit stopped). It marks all documents as "doubt" for the given reason: the service
// may or may not hold them. The next run reads every page.
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
