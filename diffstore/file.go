package diffstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Backup writes a copy of the ledger (the record of what the index holds) at path to out. It errs with
// ErrLocked while another process writes the ledger. It errs with fs.ErrNotExist if there is no ledger.
func Backup(path string, out io.Writer) (err error) {
	l, err := OpenRead(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if l.db == nil {
		return fmt.Errorf("back up ledger %s: %w: nothing was sent yet; run sitesync sync first", path, fs.ErrNotExist)
	}
	return l.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(out)
		return err
	})
}

// Schema is the version of the ledger's layout. Ledgers of other versions are refused.
const Schema = 5

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

// Check looks for damage in the ledger at path. It reads all but the stored texts of documents. It takes 0.2
// s for 100,000 documents. It errs with ErrDamaged, ErrVersion or ErrLocked. A missing ledger is no error. A
// damaged file can crash the process: use CheckApart.
func Check(path string) error { return check(path, func(error) {}) }

func check(path string, found func(error)) (err error) {
	l, err := OpenRead(path)
	if err != nil || l.db == nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return l.view(func(tx *bolt.Tx) (fault error) {
		// checks the page tree and the free list; bbolt blocks until all its errors are received
		for err := range tx.Check() {
			if fault == nil {
				fault = fmt.Errorf("%w: %w", ErrDamaged, err)
				found(ledgerError("read", path, fault))
			}
		}
		if fault != nil {
			return fault
		}
		return l.checkAll(tx)
	})
}

func (l *Ledger) checkAll(tx *bolt.Tx) error {
	if first, _ := tx.Cursor().First(); first == nil {
		return nil // empty: a process was killed while it created the file
	}
	for _, name := range buckets {
		if tx.Bucket([]byte(name)) == nil {
			return fmt.Errorf("%w: its part %q is missing", ErrDamaged, name)
		}
		for key, value := range entriesFrom(tx, name, "") {
			err := l.checkValue(name, key, value)
			if err != nil && !errors.Is(err, ErrDamaged) {
				err = fmt.Errorf("%w: %s of %q: %w", ErrDamaged, name, key, err)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Ledger) checkValue(bucket, key string, value []byte) (err error) {
	switch bucket {
	case bucketRecords:
		_, err = decodeRecord(key, value, false)
	case bucketChanges:
		_, err = l.dec.DecodeAll(value, nil) // decompressing also verifies a checksum
	case bucketHosts:
		err = spool.Decode(value, new(document.HostMemory))
	case bucketProfile:
		err = spool.Decode(value, new(document.Section))
	case bucketRuns:
		err = spool.Decode(value, new(document.Summary))
	case bucketTools:
		if key == keyToolPin {
			return spool.Decode(value, new(document.ToolTarget))
		}
		err = spool.Decode(value, new(document.Tool))
	case bucketMeta:
		switch key {
		case "target":
			err = spool.Decode(value, new(document.Target))
		case keyRules:
			err = spool.Decode(value, new(document.Rules))
		case keyRetention:
			err = spool.Decode(value, new([]string))
		case keyLast, keyMode, keyIdentity, keyBulk:
			err = spool.Decode(value, new(string))
		case "schema", "generation":
			if len(value) != 8 {
				err = fmt.Errorf("it has %d bytes", len(value))
			}
		}
	}
	return err
}

const reopenTries = 600 // each try waits at most lockWait for the lock

// Lend closes the ledger's file, calls fn and opens the file again. While fn runs, other processes can read
// the ledger, but fn must not use l. Only the holder of the run lock (one process at a time) may then write
// the file. To open the file, Lend waits until its readers close it: at most ten minutes, or until ctx is
// done. It returns the error of fn, or ErrLocked.
func (l *Ledger) Lend(ctx context.Context, fn func() error) error {
	was, err := l.Identity()
	if err == nil {
		err = l.db.Close()
	}
	if err != nil {
		return fmt.Errorf("close ledger %s for its readers: %w", l.path, err)
	}
	return errors.Join(fn(), l.takeBack(ctx, was))
}

func (l *Ledger) takeBack(ctx context.Context, was string) (err error) {
	for range reopenTries {
		var db *bolt.DB
		if _, err = os.Stat(l.path); err == nil { // if the file is missing, bbolt would create a new one
			db, err = openFile(l.path, false, lockWait)
		}
		if err == nil {
			closed := l.db
			l.db = db
			if is, err := l.Identity(); err != nil || is != was {
				l.db = closed
				other := fmt.Errorf("ledger %s: another file was put in its place while the run was sending", l.path)
				return errors.Join(other, err, db.Close())
			}
			return nil
		}
		if !errors.Is(err, berrors.ErrTimeout) || ctx.Err() != nil {
			break
		}
	}
	return openError(l.path, err)
}

// Detach copies the ledger to path and reads the copy from then on, so that other processes can write the
// ledger.
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
