package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/wire"
)

// All returns what another room's bucket holds, in order of its keys; nothing where there
// is no such bucket.
func All[T any](s *Store, bucket []byte) ([]T, error) {
	all := []T{}
	err := s.DB.View(func(tx *Tx) error {
		return visit(tx, bucket, func(_, stored []byte) error {
			var one T
			err := json.Unmarshal(stored, &one)
			all = append(all, one)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read %s from the local service's store: %w", bucket, err)
	}
	return all, nil
}

// Rows returns the values that a bucket holds after a key, in order of keys. Each is valid until
// the next.
func (s *Store) Rows(bucket, after []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		err := s.DB.View(func(tx *Tx) error {
			b := tx.Bucket(bucket)
			if b == nil {
				return nil
			}
			cursor := b.Cursor()
			key, value := cursor.Seek(after)
			if key != nil && bytes.Equal(key, after) {
				key, value = cursor.Next()
			}
			for key != nil && yield(value, nil) {
				key, value = cursor.Next()
			}
			return nil
		})
		if err != nil {
			yield(nil, fmt.Errorf("read %s from the local service's store: %w", bucket, err))
		}
	}
}

// visit calls with what a bucket holds, in byte order of its keys.
func visit(tx *Tx, bucket []byte, call func(key, value []byte) error) error {
	if b := tx.Bucket(bucket); b != nil {
		return b.ForEach(call)
	}
	return nil
}

// Stored calls with each of the documents, as it is now, except those that are gone. It
// errs with ctx's error when ctx ends.
func (s *Store) Stored(ctx context.Context, customer int64, keys []search.Key, call func(wire.Document)) error {
	return s.DB.View(func(tx *Tx) error {
		for _, key := range keys {
			doc, found, err := newCrawler(tx, customer, key.Crawler).get(key.ID)
			if err != nil {
				return err
			}
			if found {
				call(doc)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
}

// crawlersOf returns the crawlers of a customer that have, or had, documents.
func crawlersOf(tx *Tx, customer int64) (crawlers []string) {
	prefix := fmt.Sprintf("documents/%d/", customer)
	cursor := tx.Cursor()
	for name, _ := cursor.Seek([]byte(prefix)); strings.HasPrefix(string(name), prefix); name, _ = cursor.Next() {
		crawlers = append(crawlers, string(name[len(prefix):]))
	}
	return crawlers
}

// searchable returns a stored document as it is to be found.
func searchable(key search.Key, doc wire.Document) search.Document {
	fields := map[string]string{}
	for name := range doc.Fields {
		fields[name] = Text(doc, name)
	}
	if day := day(fields[dateField]); doc.Fields[dateKey] == nil && day != "" {
		fields[dateKey] = day
	}
	return search.Document{Key: key, Language: Text(doc, "Language"), File: TypeNumber(doc) == 1, Fields: fields}
}
