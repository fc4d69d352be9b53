package diffstore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// Backup writes the ledger at path to out as it stands: a file that is a ledger
// itself. It errs with ErrLocked while another process writes the ledger, and with
// fs.ErrNotExist where there is none.
func Backup(path string, out io.Writer) (err error) {
	l, err := OpenRead(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if l.db == nil {
		return fmt.Errorf("back up ledger %s: %w: nothing was pushed yet", path, fs.ErrNotExist)
	}
	return l.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(out)
		return err
	})
}

// compactFrom is the size from which a ledger is worth compacting, in bytes.
const compactFrom = 16 << 20

// compactStep is how many bytes one transaction of a compaction takes.
const compactStep = 4 << 20

// Compact writes the ledger at path anew where it has more than 16 MB of which half
// or more are free, and room says that the rest fits on the disk. It returns how
// many bytes it gave back, 0 where it left the ledger alone. Nobody else may write
// the ledger meanwhile. A kill leaves the old file or the new one, both whole.
func Compact(path string, room func(need int64) bool) (saved int64, err error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() < compactFrom {
		return 0, nil
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return 0, fmt.Errorf("compact ledger: %w", err)
	}
	old, err := openFile(path, false, lockWait) // for writing: so nobody reads it, and its free pages are known
	if err != nil {
		return 0, openError(path, err)
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	free := int64(old.Stats().FreePageN) * int64(old.Info().PageSize)
	if free < info.Size()/2 || !room(info.Size()-free) {
		return 0, nil
	}
	part := path + ".compact"
	if err := compactTo(part, old); err != nil {
		return 0, errors.Join(fmt.Errorf("compact ledger %s: %w", path, err), os.Remove(part))
	}
	now, err := os.Stat(part)
	if err == nil {
		err = old.Close() // Windows renames nothing over an open file
	}
	if err == nil {
		err = errors.Join(os.Chmod(part, info.Mode().Perm()), Replace(path, part))
	}
	if err != nil {
		return 0, fmt.Errorf("compact ledger %s: %w", path, err)
	}
	return info.Size() - now.Size(), nil
}

func compactTo(part string, old *bolt.DB) error {
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a run that was killed
		return err
	}
	compact, err := openFile(part, false, lockWait)
	if err != nil {
		return err
	}
	compact.NoSync = true
	return errors.Join(bolt.Compact(compact, old, compactStep), compact.Sync(), compact.Close())
}
