package store

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
)

// Documents that are indexed at once when an index is made anew, at most, and what they
// are stored in.
const (
	stepDocs  = 2_500
	stepBytes = 8 << 20
)

// customerIndex keeps the search index of one customer in step with the store.
type customerIndex struct {
	store    *Store
	customer int64

	mu      sync.Mutex // held while documents are written, to the store and then to the index
	index   *search.Index
	whole   bool        // the index has all documents
	ended   *sync.Cond  // filling it has
	mark    string      // of the store
	waiting []change    // that is not in the index yet
	later   *time.Timer // indexes it
}

// A change is what one request wrote or deleted.
type change struct {
	at   time.Time
	keys []search.Key
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
// customer without documents.
func (s *Store) Searched(customer int64) (*search.Index, error) {
	var crawlers []string
	err := s.DB.View(func(tx *bolt.Tx) error {
		crawlers = crawlersOf(tx, "documents", customer)
		return nil
	})
	if err != nil || crawlers == nil {
		return nil, err
	}
	return s.of(customer).ready()
}

// Stranger adds a note for whoever searches for a customer without documents where another
// has some.
func (s *Store) Stranger(customer int64, notes []string) ([]string, error) {
	err := s.DB.View(func(tx *bolt.Tx) error {
		if marks := tx.Bucket([]byte("search")); marks != nil { // it is made with the first of them
			other, _ := marks.Cursor().First()
			notes = append(notes, fmt.Sprintf("customer %d has no documents here; customer %s has: check the customer ID in the address and in the credentials", customer, other))
		}
		return nil
	})
	return notes, err
}

// openIndexes opens the index of each customer that has documents.
func (s *Store) openIndexes() error {
	var customers []int64
	err := s.DB.View(func(tx *bolt.Tx) error {
		return visit(tx, []byte("search"), func(key, _ []byte) error {
			customer, err := strconv.ParseInt(string(key), 10, 64)
			customers = append(customers, customer)
			return err
		})
	})
	for _, customer := range customers {
		x := s.of(customer)
		x.mu.Lock()
		if err := x.open(); err != nil { // what can't be searched can still be written
			s.options.Logger.Warn("open the search index", "customer", customer, "error", err)
		}
		x.mu.Unlock()
	}
	return err
}

// write runs a change of the customer's documents in one transaction, and has it found.
func (x *customerIndex) write(work func(*bolt.Tx) ([]search.Key, error)) error {
	if x.delay() > 0 { // only what is written from now on is found late
		if _, err := x.ready(); err != nil {
			return err
		}
	}
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
	if x.index != nil {
		x.waiting = append(x.waiting, change{x.store.options.Now(), keys})
		err = x.followLater()
	} else if x.store.options.Search {
		err = x.open()
	}
	if err != nil {
		x.fail(err)
	}
	return nil // it is stored: the next search makes the index anew
}

// ready opens the index, and returns it once it has what was written before.
func (x *customerIndex) ready() (*search.Index, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.open(); err != nil {
		return nil, err
	}
	for x.index != nil && !x.whole {
		x.ended.Wait()
	}
	if x.index == nil {
		return nil, fmt.Errorf("the documents of customer %d could not be indexed", x.customer)
	}
	if err := x.follow(); err != nil {
		x.fail(err)
		return nil, err
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

// state returns the mark of the index with what is written to it now; "" while documents
// are missing. x.mu is held.
func (x *customerIndex) state() string {
	if !x.whole || len(x.waiting) > 0 {
		return ""
	}
	return x.mark
}

// delay returns how long after its write a document is found.
func (x *customerIndex) delay() time.Duration {
	return time.Duration(x.store.options.Panel.Switches().VisibilityMS) * time.Millisecond
}

// behind is how many documents may wait to be indexed: many at once take less than half the
// time, on all processors.
const behind = 1000

// followLater indexes what was written when it is much, or is not searched for soon. x.mu
// is held.
func (x *customerIndex) followLater() error {
	documents := 0
	for _, c := range x.waiting {
		documents += len(c.keys)
	}
	if documents >= behind || x.delay() > 0 {
		return x.follow()
	}
	if x.later == nil {
		x.later = time.AfterFunc(time.Second, func() { _, _ = x.ready() }) // it logs what fails
	} else {
		x.later.Reset(time.Second)
	}
	return nil
}

// follow indexes what was written and is due to be found, as it is now. x.mu is held.
func (x *customerIndex) follow() error {
	delay, due := x.delay(), map[search.Key]bool{}
	for len(x.waiting) > 0 && (delay == 0 || !x.waiting[0].at.After(x.store.options.Now().Add(-delay))) {
		for _, key := range x.waiting[0].keys {
			due[key] = true
		}
		x.waiting = x.waiting[1:]
	}
	if len(due) == 0 {
		return nil
	}
	var puts []search.Document
	var deletes []search.Key
	err := x.store.DB.View(func(tx *bolt.Tx) error {
		for key := range due {
			if doc, found, err := newCrawler(tx, x.customer, key.Crawler).get(key.ID); found && err == nil {
				puts = append(puts, searchable(key, doc))
			} else {
				deletes = append(deletes, key)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return x.index.Write(x.store.ctx, puts, deletes, x.state())
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
	x.index, x.waiting = nil, nil
	if x.later != nil {
		x.later.Stop()
	}
}
