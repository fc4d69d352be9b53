package store

import (
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
)

// behind is how many documents are indexed at once while more are written. A hundred at a
// time would take a sixth more of the processor.
const behind = 1000

// follow indexes what was written.
func (x *customerIndex) follow() error {
	x.indexing.Lock()
	defer x.indexing.Unlock()
	x.mu.Lock()
	keys, index := slices.Collect(maps.Keys(x.waiting)), x.index
	clear(x.waiting)
	mark := x.state()
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
