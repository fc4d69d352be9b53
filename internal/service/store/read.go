package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"

	"sitesync/internal/wire"
)

// Key names one document of a customer.
type Key struct{ Crawler, ID string }

// List returns the values in the only column of a statement's rows, as they stood at one time.
// Each is valid until the next.
func (s *Store) List(text string, args ...any) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		err := s.View(context.Background(), func(tx *Tx) error {
			for rows, err := range tx.Each(text, args...) {
				var value sql.RawBytes
				if err == nil {
					err = rows.Scan(&value)
				}
				if err != nil || !yield(value, nil) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			yield(nil, fmt.Errorf("read the local service's store: %w", err))
		}
	}
}

// Decoded returns what List does, decoded.
func Decoded[T any](s *Store, text string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for stored, err := range s.List(text, args...) {
			var one T
			if err == nil {
				err = json.Unmarshal(stored, &one)
			}
			if !yield(one, err) {
				return
			}
		}
	}
}

// All returns all that Decoded does.
func All[T any](s *Store, text string, args ...any) ([]T, error) {
	all := []T{}
	for one, err := range Decoded[T](s, text, args...) {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Stored calls with each of the documents, as it is now, except those that are gone. It
// errs with ctx's error when ctx ends.
func (s *Store) Stored(ctx context.Context, customer int64, keys []Key, call func(wire.Document)) error {
	return s.View(ctx, func(tx *Tx) error {
		for _, key := range keys {
			doc, number, err := (&crawler{s, tx, customer, key.Crawler}).get(key.ID)
			if err != nil {
				return err
			}
			if number != 0 {
				call(doc)
			}
		}
		return nil
	})
}
