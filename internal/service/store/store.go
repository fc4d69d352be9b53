package store

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"sitesync/internal/service/search"
	"sitesync/internal/wire"
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

// NumberKey returns the key of a number, in whose order the keys of such a bucket are.
func NumberKey[N int64 | uint64](n N) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// Options say what Open opens.
type Options struct {
	Path   string // of the file, made when missing
	Search bool   // keep search indexes in step from the first write on, not from the first search on
	Logger *slog.Logger
}

// Store is an open store. Close it after the last call.
type Store struct {
	DB     *bolt.DB
	Secret []byte // of the file alone: IDs are signed with it

	options Options
	ctx     context.Context // of all indexing
	cancel  context.CancelFunc
	filling sync.WaitGroup

	mu      sync.Mutex // guards indexes
	indexes map[int64]*customerIndex
}

// ErrHeld is why a file that another process has is not opened.
var ErrHeld = bolterrors.ErrTimeout

// Open opens the bbolt file: one writer at a time, many readers. It waits a second for
// another process to let the file go.
func Open(o Options) (*Store, error) {
	db, err := bolt.Open(o.Path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return nil, fmt.Errorf("open the local service's store %s: %w%s", o.Path, err, advice(err))
	}
	s := &Store{DB: db, options: o, indexes: map[int64]*customerIndex{}}
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
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the local service's store %s: %w", o.Path, err), s.Close())
	}
	return s, nil
}

// Close closes the search indexes and the file, after the transactions that still run.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel()
	s.filling.Wait()
	for _, x := range s.indexes {
		x.mu.Lock()
		x.drop()
		x.mu.Unlock()
	}
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
	meta = tx.Bucket([]byte("meta"))
	if meta != nil {
		if have := string(meta.Get([]byte("schema"))); have != schema {
			return nil, fmt.Errorf("its schema is %q and this program reads %q; use the program that made it, or delete the file", have, schema)
		}
		return meta, nil
	}
	if first, _ := tx.Cursor().First(); first != nil {
		return nil, errors.New("the file is a database of something else; name another file")
	}
	meta, err = tx.CreateBucket([]byte("meta"))
	if err != nil {
		return nil, err
	}
	return meta, meta.Put([]byte("schema"), []byte(schema))
}

// update runs change on one crawler in one transaction: all of it is on disk, and found,
// when update returns nil, and none of it otherwise.
func (s *Store) update(customer int64, id string, change func(*crawler) error) error {
	return s.of(customer).write(func(tx *bolt.Tx) ([]search.Key, error) {
		x := newCrawler(tx, customer, id)
		err := change(x)
		return x.changed, err
	})
}

// crawler is one crawler within a transaction. It comes into being with its first write.
type crawler struct {
	tx      *bolt.Tx
	id      string
	name    string       // of its buckets, after their kind
	changed []search.Key // documents
}

func newCrawler(tx *bolt.Tx, customer int64, id string) *crawler {
	return &crawler{tx: tx, id: id, name: fmt.Sprintf("/%d/%s", customer, id)}
}

// key returns the name of one of the crawler's buckets.
func (x *crawler) key(kind string) []byte { return []byte(kind + x.name) }

// bucket returns one of the crawler's buckets, nil when there is none yet.
func (x *crawler) bucket(kind string) *bolt.Bucket { return x.tx.Bucket(x.key(kind)) }

// store writes one key of one of the crawler's buckets.
func (x *crawler) store(kind, key string, value []byte) error {
	b, err := x.tx.CreateBucketIfNotExists(x.key(kind))
	if err == nil {
		err = b.Put([]byte(key), value)
	}
	if err != nil {
		return fmt.Errorf("store %s in %s%s: %w", key, kind, x.name, err)
	}
	return nil
}

// drop deletes one of the crawler's buckets, where there is one.
func (x *crawler) drop(kind string) error {
	if x.bucket(kind) == nil {
		return nil
	}
	return x.tx.DeleteBucket(x.key(kind))
}

// each visits the documents in order of ID bytes.
func (x *crawler) each(call func(wire.Document)) error {
	return visit(x.tx, x.key("documents"), func(_, value []byte) error {
		doc, err := decode(value)
		call(doc)
		return err
	})
}

// get returns the document with an ID.
func (x *crawler) get(id string) (doc wire.Document, found bool, err error) {
	b := x.bucket("documents")
	if b == nil || b.Get([]byte(id)) == nil {
		return doc, false, nil
	}
	doc, err = decode(b.Get([]byte(id)))
	return doc, true, err
}

// put stores a whole document in place of the one with its ID.
func (x *crawler) put(doc wire.Document) error {
	value, err := json.Marshal(doc)
	if err != nil {
		return fmt.Errorf("encode document %s: %w", doc.ID, err)
	}
	x.changed = append(x.changed, search.Key{Crawler: x.id, ID: doc.ID})
	return x.store("documents", doc.ID, value)
}

// remove deletes the document with an ID, and returns how many there were, 0 or 1.
func (x *crawler) remove(id string) (int, error) {
	b := x.bucket("documents")
	if b == nil || b.Get([]byte(id)) == nil {
		return 0, nil
	}
	if err := b.Delete([]byte(id)); err != nil {
		return 0, fmt.Errorf("delete document %s: %w", id, err)
	}
	x.changed = append(x.changed, search.Key{Crawler: x.id, ID: id})
	return 1, nil
}

func decode(value []byte) (wire.Document, error) {
	var doc wire.Document
	if err := json.Unmarshal(value, &doc); err != nil {
		return doc, fmt.Errorf("read a stored document: %w", err)
	}
	return doc, nil
}
