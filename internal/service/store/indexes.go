package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
	"sitesync/internal/service/web"
)

// Documents that are indexed at once, at most, when an index is made anew, and the bytes that
// they are stored in.
const (
	stepDocs  = 2_500
	stepBytes = 8 << 20
)

// customerIndex keeps the search index of one customer in step with the store.
type customerIndex struct {
	store    *Store
	customer int64

	mu    sync.Mutex // held while documents are written to the store or the index
	index *search.Index
	whole bool       // the index has all documents
	ended *sync.Cond // filling it has
	mark  string     // of the store
}

// of returns the keeper of the customer's index, which need not be open.
func (s *Store) of(customer int64) *customerIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.indexes[customer]
	if x == nil {
		x = &customerIndex{store: s, customer: customer}
		x.ended = sync.NewCond(&x.mu)
		s.indexes[customer] = x
	}
	return x
}

// Searched returns the customer's index with all that was written before; nil for a
// customer without documents. It errs with a web.Problem when ctx's deadline comes before the
// index is made.
func (s *Store) Searched(ctx context.Context, customer int64) (*search.Index, error) {
	var crawlers []string
	err := s.DB.View(func(tx *bolt.Tx) error {
		crawlers = crawlersOf(tx, customer)
		return nil
	})
	if err != nil || crawlers == nil {
		return nil, err
	}
	return s.of(customer).ready(ctx)
}

// write runs a change of the customer's documents in one transaction, and has it found.
func (x *customerIndex) write(work func(*bolt.Tx) ([]search.Key, error)) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	var keys []search.Key
	mark := rand.Text()
	err := x.store.DB.Update(func(tx *bolt.Tx) (err error) {
		keys, err = work(tx)
		if err != nil || len(keys) == 0 {
			return err
		}
		marks, err := tx.CreateBucketIfNotExists([]byte("search"))
		if err != nil {
			return err
		}
		return marks.Put(strconv.AppendInt(nil, x.customer, 10), []byte(mark))
	})
	if err != nil || len(keys) == 0 {
		return err
	}
	x.mark = mark
	switch { // it is stored, and may be searched later: the next search makes the index anew
	case x.index != nil:
		err = x.follow(keys)
	case x.store.options.Search:
		err = x.open()
	}
	if err != nil {
		x.fail(err)
	}
	return nil
}

// ready opens the index, and returns it once it has all that was there then.
func (x *customerIndex) ready(ctx context.Context) (*search.Index, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.open(); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.ended.Broadcast()
	})()
	for x.index != nil && !x.whole {
		switch err := ctx.Err(); {
		case errors.Is(err, context.DeadlineExceeded):
			return nil, web.Problem{Status: http.StatusServiceUnavailable, Message: "the search index is being made: try again in a minute"}
		case err != nil:
			return nil, err
		}
		x.ended.Wait()
	}
	if x.index == nil {
		return nil, fmt.Errorf("the documents of customer %d could not be indexed", x.customer)
	}
	return x.index, nil
}

// open opens the index unless it is open, and begins to make it anew unless it is in the
// state of the store. x.mu is held.
func (x *customerIndex) open() error {
	if x.index != nil || x.store.ctx.Err() != nil {
		return x.store.ctx.Err()
	}
	err := x.store.DB.View(func(tx *bolt.Tx) error {
		if marks := tx.Bucket([]byte("search")); marks != nil {
			x.mark = string(marks.Get(strconv.AppendInt(nil, x.customer, 10)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	dir := filepath.Join(x.store.options.Path+".search", strconv.FormatInt(x.customer, 10))
	index, err := search.Open(dir, x.mark)
	if err == nil {
		x.index, x.whole = index, true
		return nil
	}
	x.store.options.Logger.Info("the search index is made anew", "customer", x.customer, "reason", err)
	index, err = search.Create(dir)
	if err != nil {
		return err
	}
	x.index, x.whole = index, false
	x.store.filling.Go(func() { x.fill(index) })
	return nil
}

// fail gives the index up after an error; the next search makes it anew. x.mu is held.
func (x *customerIndex) fail(err error) {
	if x.store.ctx.Err() == nil {
		x.store.options.Logger.Error("indexing ended", "customer", x.customer, "error", err)
	}
	x.drop()
}

// drop closes the index. x.mu is held.
func (x *customerIndex) drop() {
	if x.index == nil {
		return
	}
	if err := x.index.Close(); err != nil {
		x.store.options.Logger.Warn("close the search index", "customer", x.customer, "error", err)
	}
	x.index = nil
}
