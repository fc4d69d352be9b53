package service

import (
	"errors"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// schema is the version of the store's layout:
//
//	meta/schema                              this number
//	crawlers/CUSTOMER/CRAWLER/documents/ID   wire.Document as JSON
//	crawlers/CUSTOMER/CRAWLER/queue/URL      nothing
//	crawlers/CUSTOMER/CRAWLER/active         present when the crawler is active
const schema = "1"

// lockWait is how long opening waits for another process to let the file go.
const lockWait = time.Second

// store is the bbolt file. One writer at a time, many readers; each method is
// one transaction.
type store struct{ db *bolt.DB }

func openStore(path string) (*store, error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: lockWait})
	if err != nil {
		return nil, fmt.Errorf("open the local service's store %s: %w%s", path, err, advice(err))
	}
	if err := db.Update(checkSchema); err != nil {
		return nil, errors.Join(fmt.Errorf("open the local service's store %s: %w", path, err), db.Close())
	}
	return &store{db: db}, nil
}

// advice returns what to do next about an error of opening.
func advice(err error) string {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return ": another process holds it; end that one or name another file"
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return ": the file is damaged or something else; name another file, or delete it and push everything again"
	default:
		return ""
	}
}

// checkSchema claims an empty file and refuses one that is not ours.
func checkSchema(tx *bolt.Tx) error {
	meta := tx.Bucket([]byte("meta"))
	if meta == nil {
		if first, _ := tx.Cursor().First(); first != nil {
			return errors.New("the file is a database of something else; name another file")
		}
		return claim(tx)
	}
	if have := string(meta.Get([]byte("schema"))); have != schema {
		return fmt.Errorf("its schema is %q and this program reads %q; use the program that made it, or delete the file", have, schema)
	}
	if tx.Bucket([]byte("crawlers")) == nil {
		return errors.New("the file is damaged; delete it and push everything again")
	}
	return nil
}

func claim(tx *bolt.Tx) error {
	meta, err := tx.CreateBucket([]byte("meta"))
	if err != nil {
		return err
	}
	if _, err := tx.CreateBucket([]byte("crawlers")); err != nil {
		return err
	}
	return meta.Put([]byte("schema"), []byte(schema))
}

func (s *store) close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close the local service's store: %w", err)
	}
	return nil
}

// update runs change on one crawler in one transaction: all of it is on disk
// when update returns nil, and none of it otherwise.
func (s *store) update(customer int64, crawler string, change func(*index) error) error {
	return s.db.Update(func(tx *bolt.Tx) error { return change(newIndex(tx, customer, crawler)) })
}

// view runs look on one crawler; look must not write through the store.
func (s *store) view(customer int64, crawler string, look func(*index) error) error {
	return s.db.View(func(tx *bolt.Tx) error { return look(newIndex(tx, customer, crawler)) })
}
