package service

import (
	"encoding/json"
	"fmt"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/wire"
)

// index is one crawler within a transaction. A crawler comes into being with its
// first write.
type index struct {
	tx   *bolt.Tx
	path [][]byte
}

func newIndex(tx *bolt.Tx, customer int64, crawler string) *index {
	return &index{tx, [][]byte{[]byte(strconv.FormatInt(customer, 10)), []byte(crawler)}}
}

// bucket returns one of the crawler's buckets, the crawler itself for no name;
// nil when there is none yet.
func (x *index) bucket(name ...string) *bolt.Bucket {
	b := x.tx.Bucket([]byte("crawlers"))
	for _, key := range x.keys(name) {
		if b = b.Bucket(key); b == nil {
			return nil
		}
	}
	return b
}

// ensure is bucket, and makes what is missing.
func (x *index) ensure(name ...string) (*bolt.Bucket, error) {
	b := x.tx.Bucket([]byte("crawlers"))
	for _, key := range x.keys(name) {
		var err error
		if b, err = b.CreateBucketIfNotExists(key); err != nil {
			return nil, fmt.Errorf("make room for crawler %s: %w", x.path[1], err)
		}
	}
	return b, nil
}

func (x *index) keys(names []string) [][]byte {
	keys := x.path
	for _, name := range names {
		keys = append(keys[:len(keys):len(keys)], []byte(name))
	}
	return keys
}

// get returns the document with an ID.
func (x *index) get(id string) (doc wire.Document, found bool, err error) {
	b := x.bucket("documents")
	if b == nil {
		return doc, false, nil
	}
	value := b.Get([]byte(id))
	if value == nil {
		return doc, false, nil
	}
	doc, err = decodeStored(value)
	return doc, err == nil, err
}

// put stores a whole document in place of the one with its ID.
func (x *index) put(doc wire.Document) error {
	b, err := x.ensure("documents")
	if err != nil {
		return err
	}
	value, err := json.Marshal(doc)
	if err != nil {
		return fmt.Errorf("encode document %s: %w", doc.ID, err)
	}
	if err := b.Put([]byte(doc.ID), value); err != nil {
		return fmt.Errorf("store document %s: %w", doc.ID, err)
	}
	return nil
}

// remove deletes the document with an ID, and reports whether there was one.
func (x *index) remove(id string) (bool, error) {
	b := x.bucket("documents")
	if b == nil || b.Get([]byte(id)) == nil {
		return false, nil
	}
	if err := b.Delete([]byte(id)); err != nil {
		return false, fmt.Errorf("delete document %s: %w", id, err)
	}
	return true, nil
}

func decodeStored(value []byte) (wire.Document, error) {
	var doc wire.Document
	if err := json.Unmarshal(value, &doc); err != nil {
		return doc, fmt.Errorf("read a stored document: %w", err)
	}
	return doc, nil
}
