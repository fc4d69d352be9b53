package store

import (
	"maps"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
)

// behind is how many documents are indexed at once while more are written. A hundred at a
// time would take a sixth more of the processor.
const behind = 1000

// follow indexes what was written and is due to be found.
func (x *customerIndex) follow() error {
	x.indexing.Lock()
	defer x.indexing.Unlock()
	x.mu.Lock()
	keys, index, mark := x.due(), x.index, x.state()
	x.mu.Unlock()
	for len(keys) > 0 {
		var err error
		keys, err = x.followStep(index, keys, mark)
		if err != nil {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.fail(err)
			return err
		}
	}
	return nil
}

// due takes the documents out of those waiting that are due to be found. x.mu is held.
func (x *customerIndex) due() []search.Key {
	delay, due := x.delay(), map[search.Key]bool{}
	for len(x.waiting) > 0 && (delay == 0 || !x.waiting[0].at.After(x.store.options.Now().Add(-delay))) {
		for _, key := range x.waiting[0].keys {
			due[key] = true
		}
		x.waiting = x.waiting[1:]
	}
	return slices.Collect(maps.Keys(due))
}

// followStep indexes documents, as they are now, until they are stepBytes, and returns those
// that are left; with the last the index gets its mark.
func (x *customerIndex) followStep(index *search.Index, keys []search.Key, mark string) (left []search.Key, err error) {
	var puts []search.Document
	var deletes []search.Key
	err = x.store.DB.View(func(tx *bolt.Tx) error {
		for bytes := 0; len(keys) > 0 && bytes < stepBytes; keys = keys[1:] {
			doc, found, err := newCrawler(tx, x.customer, keys[0].Crawler).get(keys[0].ID)
			if !found || err != nil {
				deletes = append(deletes, keys[0])
				continue
			}
			for _, value := range doc.Fields {
				bytes += len(value)
			}
			puts = append(puts, searchable(keys[0], doc))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(keys) > 0 {
		mark = ""
	}
	return keys, index.Write(x.store.ctx, puts, deletes, mark)
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
