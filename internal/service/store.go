package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

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
//	backlog/CUSTOMER             number (8 bytes, big-endian): a note of documents that the search index is to read anew; there when the index is
//	search                       CUSTOMER: which making of the search index is the current one
const schema = "2"

// openStore opens the bbolt file: one writer at a time, many readers. It waits a
// second for another process to let the file go.
func openStore(path string) (_ *bolt.DB, secret []byte, err error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return nil, nil, fmt.Errorf("open the local service's store %s: %w%s", path, err, advice(err))
	}
	err = db.Update(func(tx *bolt.Tx) error {
		if err := checkSchema(tx); err != nil {
			return err
		}
		secret, err = storeSecret(tx)
		return err
	})
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("open the local service's store %s: %w", path, err), db.Close())
	}
	return db, secret, nil
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

// checkSchema claims an empty file and refuses one that is not ours.
func checkSchema(tx *bolt.Tx) error {
	meta := tx.Bucket([]byte("meta"))
	if meta == nil {
		if first, _ := tx.Cursor().First(); first != nil {
			return errors.New("the file is a database of something else; name another file")
		}
		meta, err := tx.CreateBucket([]byte("meta"))
		if err != nil {
			return err
		}
		return meta.Put([]byte("schema"), []byte(schema))
	}
	if have := string(meta.Get([]byte("schema"))); have != schema {
		return fmt.Errorf("its schema is %q and this program reads %q; use the program that made it, or delete the file", have, schema)
	}
	return nil
}

// update runs change on one crawler in one transaction: all of it is on disk
// when update returns nil, and none of it otherwise.
func (s *Service) update(customer int64, crawler string, change func(*index) error) error {
	var changed []string
	err := s.db.Update(func(tx *bolt.Tx) error {
		x := newIndex(tx, customer, crawler)
		if err := change(x); err != nil {
			return err
		}
		changed = x.changed
		return s.finds.note(tx, customer, crawler, changed)
	})
	if err == nil && len(changed) > 0 {
		s.finds.wake(customer)
	}
	return err
}

// view runs look on one crawler; look must not write.
func (s *Service) view(customer int64, crawler string, look func(*index) error) error {
	return s.db.View(func(tx *bolt.Tx) error { return look(newIndex(tx, customer, crawler)) })
}

// index is one crawler within a transaction. A crawler comes into being with its
// first write.
type index struct {
	tx   *bolt.Tx
	name string // of its buckets, after their kind

	changed []string // IDs of documents
}

func newIndex(tx *bolt.Tx, customer int64, crawler string) *index {
	return &index{tx: tx, name: fmt.Sprintf("/%d/%s", customer, crawler)}
}

// bucket returns one of the crawler's buckets, nil when there is none yet.
func (x *index) bucket(kind string) *bolt.Bucket { return x.tx.Bucket([]byte(kind + x.name)) }

// store writes one key of one of the crawler's buckets.
func (x *index) store(kind, key string, value []byte) error {
	b, err := x.tx.CreateBucketIfNotExists([]byte(kind + x.name))
	if err == nil {
		err = b.Put([]byte(key), value)
	}
	if err != nil {
		return fmt.Errorf("store %s in %s%s: %w", key, kind, x.name, err)
	}
	return nil
}

// drop deletes one of the crawler's buckets, where there is one.
func (x *index) drop(kind string) error {
	if x.bucket(kind) == nil {
		return nil
	}
	return x.tx.DeleteBucket([]byte(kind + x.name))
}

// keys visits the keys of one of the crawler's buckets in byte order.
func (x *index) keys(kind string, visit func(key, value []byte) error) error {
	if b := x.bucket(kind); b != nil {
		return b.ForEach(visit)
	}
	return nil
}

// count returns how many keys one of the crawler's buckets has.
func (x *index) count(kind string) int {
	if b := x.bucket(kind); b != nil {
		return b.Stats().KeyN
	}
	return 0
}

// each visits the documents in order of ID bytes.
func (x *index) each(visit func(wire.Document)) error {
	return x.keys("documents", func(_, value []byte) error {
		doc, err := decodeStored(value)
		visit(doc)
		return err
	})
}

// get returns the document with an ID.
func (x *index) get(id string) (doc wire.Document, found bool, err error) {
	if b := x.bucket("documents"); b != nil {
		if value := b.Get([]byte(id)); value != nil {
			doc, err = decodeStored(value)
			return doc, true, err
		}
	}
	return doc, false, nil
}

// put stores a whole document in place of the one with its ID.
func (x *index) put(doc wire.Document) error {
	value, err := json.Marshal(doc)
	if err != nil {
		return fmt.Errorf("encode document %s: %w", doc.ID, err)
	}
	x.changed = append(x.changed, doc.ID)
	return x.store("documents", doc.ID, value)
}

// remove deletes the document with an ID, and returns how many there were, 0 or 1.
func (x *index) remove(id string) (int, error) {
	b := x.bucket("documents")
	if b == nil || b.Get([]byte(id)) == nil {
		return 0, nil
	}
	if err := b.Delete([]byte(id)); err != nil {
		return 0, fmt.Errorf("delete document %s: %w", id, err)
	}
	x.changed = append(x.changed, id)
	return 1, nil
}

func decodeStored(value []byte) (wire.Document, error) {
	var doc wire.Document
	if err := json.Unmarshal(value, &doc); err != nil {
		return doc, fmt.Errorf("read a stored document: %w", err)
	}
	return doc, nil
}
