package diffstore

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// Schema is the version of the ledger's layout. Since 2 a record has a checksum,
// which an older one gets when it is written next. Since 3 all buckets are always
// there, and the ledger has an identity.
const Schema = 3

// mostSchema is beyond what any sitesync will write: a larger number is damage.
const mostSchema = 1000

// keyIdentity is where, in the ledger's head, its identity is: random letters that no
// other ledger has, except a copy of the file.
const keyIdentity = "identity"

// migrate brings an older ledger to today's schema in one transaction, after the
// file was copied: a kill leaves the older ledger, or the newer one and the copy.
func (l *Ledger) migrate(from uint64) error {
	if err := copyFile(fmt.Sprintf("%s.schema-%d", l.path, from), l.path); err != nil {
		return fmt.Errorf("copy ledger %s before its schema changes from %d to %d: %w; nothing was changed", l.path, from, Schema, err)
	}
	return l.update(layOut)
}

// layOut gives an empty or an older ledger what one of today's schema has.
func layOut(tx *bolt.Tx) error {
	for _, name := range buckets {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	if err := putIn(tx, bucketMeta, keyIdentity, rand.Text()); err != nil {
		return err
	}
	return putNumber(tx, "schema", Schema)
}

// copyFile makes to a copy of the file from, which nobody writes meanwhile.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return WriteFile(to, func(out io.Writer) error {
		_, err := io.Copy(out, in)
		return err
	})
}

// WriteFile writes a file with mode 0600 that appears under its name only when it
// is whole and on disk; what was there is replaced.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	out, err := os.CreateTemp(filepath.Dir(path), ".sitesync-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(out.Name()) // the first error is the one to tell
		}
	}()
	err = write(out)
	if err == nil {
		err = out.Sync()
	}
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return Replace(path, out.Name())
}

// Replace gives the file with, which is on disk, the name path, whatever has that
// name. A kill or a power cut leaves one of the two there, whole.
func Replace(path, with string) error {
	if err := os.Rename(with, path); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync() // some systems can't: there the name may be late
		dir.Close()
	}
	return nil
}
