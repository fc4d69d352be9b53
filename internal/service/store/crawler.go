package store

import (
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
	"sitesync/internal/wire"
)

// update runs change on one crawler in one transaction: all of it is on disk, and found,
// when update returns nil, and none of it otherwise.
func (s *Store) update(customer int64, id string, change func(*crawler) error) error {
	return s.of(customer).write(func(tx *bolt.Tx) ([]search.Key, error) {
		x := newCrawler(tx, customer, id)
		err := change(x)
		return x.changed, err
	})
}

// view runs look on one crawler; look must not write.
func (s *Store) view(customer int64, crawler string, look func(*crawler) error) error {
	return s.DB.View(func(tx *bolt.Tx) error { return look(newCrawler(tx, customer, crawler)) })
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

// bucket returns one of the crawler's buckets, nil when there is none yet.
func (x *crawler) bucket(kind string) *bolt.Bucket { return x.tx.Bucket([]byte(kind + x.name)) }

// store writes one key of one of the crawler's buckets.
func (x *crawler) store(kind, key string, value []byte) error {
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
func (x *crawler) drop(kind string) error {
	if x.bucket(kind) == nil {
		return nil
	}
	return x.tx.DeleteBucket([]byte(kind + x.name))
}

// keys visits the keys of one of the crawler's buckets in byte order.
func (x *crawler) keys(kind string, visit func(key, value []byte) error) error {
	if b := x.bucket(kind); b != nil {
		return b.ForEach(visit)
	}
	return nil
}

// count returns how many keys one of the crawler's buckets has.
func (x *crawler) count(kind string) int {
	if b := x.bucket(kind); b != nil {
		return b.Stats().KeyN
	}
	return 0
}

// each visits the documents in order of ID bytes.
func (x *crawler) each(visit func(wire.Document)) error {
	return x.keys("documents", func(_, value []byte) error {
		doc, err := decode(value)
		visit(doc)
		return err
	})
}

// get returns the document with an ID.
func (x *crawler) get(id string) (doc wire.Document, found bool, err error) {
	if b := x.bucket("documents"); b != nil {
		if value := b.Get([]byte(id)); value != nil {
			doc, err = decode(value)
			return doc, true, err
		}
	}
	return doc, false, nil
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
