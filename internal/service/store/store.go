package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"sitesync/internal/service/fault"
)

// schema is the version of the store's layout, by bucket:
//
//	meta                         "schema": this number; "secret": what IDs are signed with
//	documents/CUSTOMER/CRAWLER   ID: wire.Document as JSON
//	queue/CUSTOMER/CRAWLER       URL: nothing
//	active/CUSTOMER/CRAWLER      there when the crawler is active
//	events/CUSTOMER/ENGINE       number (8 bytes, big-endian): Event as JSON
//	tools/CUSTOMER/KIND          ID (8 bytes, big-endian): a search tool as JSON
//	search                       CUSTOMER: the mark that the search index of its documents must have
const schema = "2"

// Tx and Bucket are those of the file, in which other rooms keep buckets of their own.
type (
	Tx     = bolt.Tx
	Bucket = bolt.Bucket
)

// Options say what Open opens.
type Options struct {
	Path   string // of the file, made when missing
	Search bool   // keep search indexes in step from the start, not from the first search on
	Panel  *fault.Panel
	Logger *slog.Logger
	Now    func() time.Time
}

// Store is an open store. Close it after the last call.
type Store struct {
	DB     *bolt.DB
	Secret []byte // of the file alone: IDs are signed with it

	panel *fault.Panel
	log   *slog.Logger
	now   func() time.Time

	dir     string // of the search indexes
	eager   bool
	ctx     context.Context // of all indexing
	cancel  context.CancelFunc
	filling sync.WaitGroup

	mu      sync.Mutex // guards indexes
	indexes map[int64]*customerIndex
}

// Open opens the bbolt file: one writer at a time, many readers. It waits a second for
// another process to let the file go.
func Open(o Options) (*Store, error) {
	db, err := bolt.Open(o.Path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return nil, fmt.Errorf("open the local service's store %s: %w%s", o.Path, err, advice(err))
	}
	s := &Store{DB: db, panel: o.Panel, log: o.Logger, now: o.Now, dir: o.Path + ".search", eager: o.Search, indexes: map[int64]*customerIndex{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	err = db.Update(func(tx *bolt.Tx) error {
		meta, err := claim(tx)
		if err != nil {
			return err
		}
		if secret := meta.Get([]byte("secret")); secret != nil {
			s.Secret = slices.Clone(secret)
			return nil
		}
		s.Secret = make([]byte, 32)
		_, _ = rand.Read(s.Secret) // never errs
		return meta.Put([]byte("secret"), s.Secret)
	})
	if err == nil && o.Search {
		err = s.openIndexes()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the local service's store %s: %w", o.Path, err), s.Close())
	}
	return s, nil
}

// Close closes the search indexes and the file, after the transactions that still run.
func (s *Store) Close() error {
	s.closeIndexes()
	if err := s.DB.Close(); err != nil {
		return fmt.Errorf("close the local service's store: %w", err)
	}
	return nil
}

// advice returns what to do next about an error of opening.
func advice(err error) string {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return ": another process holds it; end that one or name another file"
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return ": the file is damaged or something else; name another file, or delete it and push everything again"
	}
	return ""
}

// claim makes an empty file ours and refuses one that is not.
func claim(tx *bolt.Tx) (meta *bolt.Bucket, err error) {
	if meta = tx.Bucket([]byte("meta")); meta != nil {
		if have := string(meta.Get([]byte("schema"))); have != schema {
			return nil, fmt.Errorf("its schema is %q and this program reads %q; use the program that made it, or delete the file", have, schema)
		}
		return meta, nil
	}
	if first, _ := tx.Cursor().First(); first != nil {
		return nil, errors.New("the file is a database of something else; name another file")
	}
	if meta, err = tx.CreateBucket([]byte("meta")); err != nil {
		return nil, err
	}
	return meta, meta.Put([]byte("schema"), []byte(schema))
}
