package service

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
)

// A note names documents of one crawler that were written or deleted, as bytes: a
// crawler's ID need not be UTF-8.
type note struct {
	At      int64    `json:"at"` // when, in milliseconds since 1970
	Crawler []byte   `json:"crawler"`
	IDs     [][]byte `json:"ids"`
}

const (
	noteIDs   = 500                    // documents in one note, at most
	idleNotes = 5_000                  // beyond so many that nobody takes up, the index is made anew instead
	stepDocs  = 2_500                  // documents that are indexed at once, at most
	stepBytes = 8 << 20                // and what they are stored in
	gathering = 400 * time.Millisecond // that notes are gathered for while nobody searches
)

func backlogName(customer int64) []byte { return fmt.Appendf(nil, "backlog/%d", customer) }

// addNotes appends notes of documents to a backlog.
func addNotes(b *bolt.Bucket, at time.Time, crawler string, ids []string) error {
	for some := range slices.Chunk(ids, noteIDs) {
		n := note{At: at.UnixMilli(), Crawler: []byte(crawler)}
		for _, id := range some {
			n.IDs = append(n.IDs, []byte(id))
		}
		value, err := json.Marshal(n)
		if err != nil {
			return fmt.Errorf("note documents for the search index: %w", err)
		}
		number, err := b.NextSequence()
		if err == nil {
			err = b.Put(binary.BigEndian.AppendUint64(nil, number), value)
		}
		if err != nil {
			return fmt.Errorf("note documents for the search index: %w", err)
		}
	}
	return nil
}

// beginAnew empties a customer's backlog, notes every document that the customer
// has, for the index of a making.
func beginAnew(tx *bolt.Tx, customer int64, making string, at time.Time) (err error) {
	name := backlogName(customer)
	if tx.Bucket(name) != nil {
		err = tx.DeleteBucket(name)
	}
	b, err2 := tx.CreateBucketIfNotExists(name)
	if err = errors.Join(err, err2); err != nil {
		return err
	}
	for _, crawler := range crawlersOf(tx, customer) {
		var ids []string
		size := 0
		err = newIndex(tx, customer, crawler).keys("documents", func(id, value []byte) (err error) {
			ids, size = append(ids, string(id)), size+len(value)
			if size >= stepBytes { // a note is indexed whole
				err = addNotes(b, at, crawler, ids)
				ids, size = nil, 0
			}
			return err
		})
		if err = errors.Join(err, addNotes(b, at, crawler, ids)); err != nil {
			return err
		}
	}
	makings, err := tx.CreateBucketIfNotExists([]byte("search"))
	if err != nil {
		return err
	}
	return makings.Put(strconv.AppendInt(nil, customer, 10), []byte(making))
}

// makingOf returns the name of the customer's index, "" where it is to be made.
func makingOf(tx *bolt.Tx, customer int64) string {
	makings := tx.Bucket([]byte("search"))
	if makings == nil || tx.Bucket(backlogName(customer)) == nil {
		return ""
	}
	return string(makings.Get(strconv.AppendInt(nil, customer, 10)))
}

// crawlersOf returns the crawlers of a customer that have, or had, documents.
func crawlersOf(tx *bolt.Tx, customer int64) (crawlers []string) {
	prefix := fmt.Sprintf("documents/%d/", customer)
	cursor := tx.Cursor()
	for name, _ := cursor.Seek([]byte(prefix)); strings.HasPrefix(string(name), prefix); name, _ = cursor.Next() {
		crawlers = append(crawlers, string(name[len(prefix):]))
	}
	return crawlers
}

// notesOf returns the numbers of the last note that left a customer's backlog and of the last
// that was made.
func notesOf(tx *bolt.Tx, customer int64) (dropped, last uint64) {
	b := tx.Bucket(backlogName(customer))
	if b == nil {
		return 0, 0
	}
	if first, _ := b.Cursor().First(); first != nil {
		return binary.BigEndian.Uint64(first) - 1, b.Sequence()
	}
	return b.Sequence(), b.Sequence()
}

// A step is what is indexed at once.
type step struct {
	last    uint64 // the last note of it; 0: nothing is due
	puts    []search.Document
	deletes []search.Key
	full    bool          // there is more
	wait    time.Duration // until the next note is due
}

// nextStep returns what the notes after one ask for that were made until due: each
// document as it is now.
func nextStep(tx *bolt.Tx, customer int64, after uint64, due time.Time) (s step, err error) {
	b := tx.Bucket(backlogName(customer))
	if b == nil {
		return s, nil
	}
	bytes, seen := 0, map[search.Key]bool{}
	cursor := b.Cursor()
	key, value := cursor.Seek(binary.BigEndian.AppendUint64(nil, after+1))
	for ; key != nil && len(seen) < stepDocs && bytes < stepBytes; key, value = cursor.Next() {
		var n note
		if err := json.Unmarshal(value, &n); err != nil {
			return s, fmt.Errorf("read the backlog of the search index: %w", err)
		}
		if wait := time.UnixMilli(n.At).Sub(due); wait > 0 {
			s.wait = wait
			break
		}
		for _, id := range n.IDs {
			k := search.Key{Crawler: string(n.Crawler), ID: string(id)}
			if seen[k] {
				continue
			}
			seen[k] = true
			bytes += s.add(tx, customer, k)
		}
		s.last = binary.BigEndian.Uint64(key)
	}
	s.full = key != nil && s.wait == 0
	return s, nil
}

// add puts a document into the step and returns the size it is stored in.
func (s *step) add(tx *bolt.Tx, customer int64, k search.Key) int {
	b := newIndex(tx, customer, k.Crawler).bucket("documents")
	if b == nil {
		s.deletes = append(s.deletes, k)
		return 0
	}
	value := b.Get([]byte(k.ID))
	doc, err := decodeStored(value)
	if err != nil { // also where there is none
		s.deletes = append(s.deletes, k)
		return 0
	}
	s.puts = append(s.puts, searchable(k, doc))
	return len(value)
}

// lastDue returns the last note that was made until due.
func lastDue(tx *bolt.Tx, customer int64, due time.Time) (uint64, error) {
	b := tx.Bucket(backlogName(customer))
	if b == nil {
		return 0, nil
	}
	cursor := b.Cursor()
	for key, value := cursor.Last(); key != nil; key, value = cursor.Prev() {
		var n note
		if err := json.Unmarshal(value, &n); err != nil {
			return 0, fmt.Errorf("read the backlog of the search index: %w", err)
		}
		if !time.UnixMilli(n.At).After(due) {
			return binary.BigEndian.Uint64(key), nil
		}
	}
	return 0, nil
}

// dropNotes deletes the notes up to one.
func dropNotes(tx *bolt.Tx, customer int64, last uint64) error {
	b := tx.Bucket(backlogName(customer))
	if b == nil {
		return nil
	}
	cursor := b.Cursor()
	for key, _ := cursor.First(); key != nil && binary.BigEndian.Uint64(key) <= last; key, _ = cursor.First() {
		if err := b.Delete(key); err != nil {
			return fmt.Errorf("drop the backlog of the search index: %w", err)
		}
	}
	return nil
}
