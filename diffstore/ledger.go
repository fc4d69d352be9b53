package diffstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"
	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"sitesync/internal/document"
)

// Open waits at most lockWait for the lock on the file, OpenRead at most readWait. A sending run releases the
// lock between its steps.
const (
	lockWait = time.Second
	readWait = 3 * time.Second
)

const unpackMost = 64 << 20

var buckets = [...]string{
	bucketMeta, bucketRecords, bucketText, bucketHosts, bucketApprovals,
	bucketRuns, bucketChanges, bucketProfile, bucketTools,
}

const (
	bucketMeta      = "meta"
	bucketRecords   = "records"
	bucketText      = "text"
	bucketHosts     = "hosts"
	bucketApprovals = "approvals"
	bucketRuns      = "runs"
	bucketChanges   = "changes"
	bucketProfile   = "profile"
	bucketTools     = "tools" // search tools (such as banners) by kind and name, and their search engine
)

const (
	keyMode      = "mode"
	keyRules     = "rules"
	keyRetention = "retention"
	keyLast      = "last"
	keyIdentity  = "identity" // random letters that identify the ledger; copies share them
	keyBulk      = "bulk"     // set from a bulk delete until it is proved: the reason why documents may be gone
)

// Errors that decide which exit code and advice a command gives.
var (
	ErrLocked  = errors.New("another process has the ledger open")
	ErrDamaged = errors.New("the ledger is damaged")
	ErrVersion = errors.New("the ledger is of another version of sitesync")
	ErrOther   = errors.New("the plan was made from another ledger")
	ErrMoved   = errors.New("the ledger has moved on since the plan was made")
)

func ledgerError(verb, path string, err error) error {
	return fmt.Errorf("%s ledger %s: %w", verb, path, err)
}

// Ledger is an open ledger file, which records what the search index holds. A document is in doubt if the
// service may or may not hold it as recorded.
type Ledger struct {
	db        *bolt.DB // nil if there is no file; the ledger is then empty
	path      string
	enc       *zstd.Encoder
	dec       *zstd.Decoder
	keepsText bool
	doubt     string // reason why all documents count as "doubt"; empty if they do not
}

func openFile(path string, readOnly bool, wait time.Duration) (*bolt.DB, error) {
	return bolt.Open(path, 0o600, &bolt.Options{Timeout: wait, ReadOnly: readOnly, FreelistType: bolt.FreelistMapType})
}

// OpenRead opens the ledger at path for reading. A missing file counts as an empty ledger and is not created.
// It errs with ErrLocked, ErrDamaged or ErrVersion.
func OpenRead(path string) (*Ledger, error) {
	info, err := os.Stat(path)
	// a process that was killed while it created the file leaves an empty file
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 && info.Mode().IsRegular() {
		return newLedger(nil, path, true), nil
	}
	return open(path, true, true, readWait)
}

// Open opens the ledger at path for writing, and creates it with mode 0600. keepText says whether the ledger
// stores acknowledged documents. It errs like OpenRead.
func Open(path string, keepText bool) (*Ledger, error) {
	return open(path, false, keepText, lockWait)
}

func open(path string, readOnly, keepText bool, wait time.Duration) (ledger *Ledger, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // reading past the end of a damaged file faults
	defer caught("open", path, &err)
	if !readOnly {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("create the ledger's folder: %w", err)
		}
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() { // opening a FIFO would block
		return nil, ledgerError("open", path, fmt.Errorf("%w: it is no ordinary file", ErrDamaged))
	}
	db, err := openFile(path, readOnly, wait)
	if err != nil {
		return nil, openError(path, err)
	}
	ledger = newLedger(db, path, keepText)
	if err := ledger.prepare(readOnly); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return ledger, nil
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("open ledger %s: %w; wait for it to end", path, ErrLocked)
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum),
		errors.Is(err, berrors.ErrVersionMismatch), strings.HasPrefix(err.Error(), "file size too small"):
		err = unread(path, err)
	}
	return ledgerError("open", path, err)
}

// unread reads the file at path. It returns the disk's error if that fails, otherwise ErrDamaged with why.
func unread(path string, why any) error {
	file, err := os.Open(path) //nolint:gosec // the path comes from the configuration
	if err == nil {
		_, err = io.Copy(io.Discard, file)
		_ = file.Close()
	}
	if fault, ok := errors.AsType[syscall.Errno](err); ok {
		return fmt.Errorf("the disk does not give it: %w", fault)
	}
	return fmt.Errorf("%w: %v", ErrDamaged, why)
}

func newLedger(db *bolt.DB, path string, keepText bool) *Ledger {
	// No errors: the options are constant. The encoder takes 1 MB of memory, twice its window.
	enc, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(1<<19))
	dec, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(unpackMost))
	return &Ledger{db: db, path: path, enc: enc, dec: dec, keepsText: keepText}
}

func (l *Ledger) prepare(readOnly bool) error {
	info, err := os.Stat(l.path)
	if err != nil {
		return fmt.Errorf("open ledger %s: %w", l.path, err)
	}
	var schema uint64
	err = l.view(func(tx *bolt.Tx) error {
		if tx.Size() > info.Size() {
			return fmt.Errorf("%w: it is %d bytes long and was %d", ErrDamaged, info.Size(), tx.Size())
		}
		schema, err = numberIn(tx, "schema")
		return err
	})
	switch {
	case err != nil:
		return err
	case schema > 0 && schema != Schema:
		next := "install a newer sitesync"
		if schema < Schema {
			next = "move it away, and sitesync adopt takes over what the index holds"
		}
		return fmt.Errorf("open ledger %s: %w: its schema is %d, this program knows %d; %s",
			l.path, ErrVersion, schema, Schema, next)
	case schema == 0 && !readOnly:
		err = l.update(layOut)
	}
	if err == nil {
		_, err = l.get(bucketMeta, keyBulk, &l.doubt)
	}
	return err
}

func (l *Ledger) Close() error {
	l.dec.Close()
	if l.db == nil {
		return nil
	}
	if err := l.db.Close(); err != nil {
		return fmt.Errorf("close ledger: %w", err)
	}
	return nil
}

// Generation returns a counter. It grows when Begin applies a plan (a file of changes), and when records are
// marked as "doubt". A plan can be applied only to the generation from which it was made.
func (l *Ledger) Generation() (n uint64, err error) {
	err = l.view(func(tx *bolt.Tx) error {
		n, err = numberIn(tx, "generation")
		return err
	})
	return n, err
}

// Identity returns the random letters that identify the ledger and its copies; empty if there is no file.
func (l *Ledger) Identity() (identity string, err error) {
	_, err = l.get(bucketMeta, keyIdentity, &identity)
	return identity, err
}

// Target returns the search index to which the ledger belongs, and false if nothing was sent yet.
func (l *Ledger) Target() (document.Target, bool, error) {
	var target document.Target
	found, err := l.get(bucketMeta, "target", &target)
	return target, found, err
}

func numberIn(tx *bolt.Tx, name string) (uint64, error) {
	switch v := rawIn(tx, bucketMeta, name); len(v) {
	case 0:
		return 0, nil
	case 8:
		return binary.BigEndian.Uint64(v), nil
	}
	return 0, ErrDamaged
}

func putNumber(tx *bolt.Tx, name string, n uint64) error {
	return tx.Bucket([]byte(bucketMeta)).Put([]byte(name), binary.BigEndian.AppendUint64(nil, n))
}

func (l *Ledger) view(fn func(*bolt.Tx) error) error {
	if l.db == nil {
		return nil
	}
	return l.guarded("read", l.db.View, fn)
}

func (l *Ledger) update(fn func(*bolt.Tx) error) error { return l.guarded("write", l.db.Update, fn) }

func caught(verb, path string, err *error) {
	if r := recover(); r != nil {
		*err = ledgerError(verb, path, unread(path, r))
	}
}

// guarded runs fn in a transaction. A panic or a memory fault on a damaged page becomes an error.
func (l *Ledger) guarded(verb string, transact func(func(*bolt.Tx) error) error, fn func(*bolt.Tx) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer caught("use", l.path, &err)
	if err := transact(fn); err != nil {
		return ledgerError(verb, l.path, err)
	}
	return nil
}
