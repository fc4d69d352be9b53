package service

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
)

// finder keeps one search index for each customer in step with the store. The store
// is the truth: an index that is missing, damaged or of another making is made anew
// from it, and a note leaves the backlog once its documents are in the index on disk.
type finder struct {
	s     *Service
	dir   string // of the indexes
	eager bool   // indexes are opened by the first write

	opening sync.Mutex // held while an index is opened; before mu
	closed  bool

	mu   sync.Mutex // guards what follows; held for moments, also within transactions
	open map[int64]*kept
	held map[int64]bool // an index is open, or about to be
}

func newFinder(s *Service, path string, eager bool) *finder {
	return &finder{s: s, dir: path + ".search", eager: eager, open: map[int64]*kept{}, held: map[int64]bool{}}
}

// note notes changed documents for the customer's index, where there is one.
func (f *finder) note(tx *bolt.Tx, customer int64, crawler string, ids []string) error {
	b := tx.Bucket(backlogName(customer))
	if b == nil || len(ids) == 0 {
		return nil
	}
	f.mu.Lock()
	held := f.held[customer]
	f.mu.Unlock()
	if dropped, last := notesOf(tx, customer); !held && last-dropped > idleNotes {
		return tx.DeleteBucket(backlogName(customer))
	}
	return addNotes(b, f.s.now(), crawler, ids)
}

// wake has the customer's index take up what was noted.
func (f *finder) wake(customer int64) {
	f.mu.Lock()
	k := f.open[customer]
	f.mu.Unlock()
	if k != nil {
		k.wake()
	} else if f.eager {
		f.tryOpen(customer)
	}
}

// openAll opens the index of each customer that has documents. It errs when the store can't
// be read.
func (f *finder) openAll() error {
	customers := map[int64]bool{}
	err := f.s.db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
			rest, isDocuments := strings.CutPrefix(string(name), "documents/")
			customer, _, _ := strings.Cut(rest, "/")
			if id, err := strconv.ParseInt(customer, 10, 64); isDocuments && err == nil {
				customers[id] = true
			}
			return nil
		})
	})
	for customer := range customers {
		f.tryOpen(customer)
	}
	return err
}

// tryOpen opens the customer's index. What can't be searched can still be written, and
// the next call tries again.
func (f *finder) tryOpen(customer int64) {
	if _, err := f.of(customer); err != nil {
		f.s.log.Warn("open the search index", "customer", customer, "error", err)
	}
}

// of returns the customer's index, opened or made anew where need be; nil for a customer
// without documents.
func (f *finder) of(customer int64) (*kept, error) {
	f.opening.Lock()
	defer f.opening.Unlock()
	f.mu.Lock()
	k := f.open[customer]
	f.held[customer] = true
	f.mu.Unlock()
	if k != nil && !k.failed() || f.closed {
		return k, nil
	}
	var err error
	if k != nil {
		err = k.close()
		f.mu.Lock()
		delete(f.open, customer) // it can't be closed twice
		f.mu.Unlock()
	}
	index, opened := f.openIndex(customer)
	if err = errors.Join(err, opened); index == nil {
		f.mu.Lock()
		delete(f.held, customer)
		f.mu.Unlock()
		return nil, err
	}
	k = keep(f.s, customer, index)
	f.mu.Lock()
	f.open[customer] = k
	f.mu.Unlock()
	return k, nil
}

func (f *finder) openIndex(customer int64) (*search.Index, error) {
	dir := filepath.Join(f.dir, strconv.FormatInt(customer, 10))
	making, known := "", false
	var dropped, last uint64
	err := f.s.db.View(func(tx *bolt.Tx) error {
		making, known = makingOf(tx, customer), len(crawlersOf(tx, customer)) > 0
		dropped, last = notesOf(tx, customer)
		return nil
	})
	if err != nil || !known {
		return nil, err
	}
	if making != "" {
		index, err := search.Open(dir, making, func(mark uint64) bool { return dropped <= mark && mark <= last })
		if err == nil {
			return index, nil
		}
		f.s.log.Warn("the search index is made anew", "customer", customer, "reason", err)
	}
	making = rand.Text()
	index, err := search.Create(dir, making) // first: where it can't be made, nothing is noted
	if err != nil {
		return nil, err
	}
	err = f.s.db.Update(func(tx *bolt.Tx) error { return beginAnew(tx, customer, making, f.s.now()) })
	if err != nil {
		return nil, errors.Join(err, index.Close())
	}
	return index, nil
}

// close ends all indexing and closes the indexes.
func (f *finder) close() (err error) {
	f.opening.Lock()
	defer f.opening.Unlock()
	f.closed = true
	for _, k := range f.open {
		err = errors.Join(err, k.close())
	}
	return err
}
