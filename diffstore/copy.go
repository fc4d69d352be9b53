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

// KeepCopy copies the ledger at path, checks the copy for damage, and then puts it at CopyPath in one step.
// If CopyPath already holds a damaged ledger or another kind of file, KeepCopy errs and changes nothing.
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

// Copy copies the ledger at path into a new file in the same folder as the path sibling. It checks the copy
// and returns the path of the copy. Its errors are those of Backup, CheckApart and ctx.
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

// Renew turns the open copy of a ledger into a separate ledger, with a new identity and no approvals of held
// changes (changes that a limit stopped). It sets all documents to doubt (the service may or may not hold
// them) for the given reason. The next run reads every page.
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
