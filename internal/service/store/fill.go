package store

import (
	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
)

// fill puts all documents into an empty index, in steps, between which documents are
// written and find their own way in.
func (x *customerIndex) fill(index *search.Index) {
	defer x.ended.Broadcast()
	var last search.Key
	for more := true; more; {
		x.indexing.Lock()
		x.mu.Lock()
		more = x.index == index
		if more {
			var err error
			more, err = x.fillStep(&last)
			if err != nil {
				x.fail(err)
			}
		}
		x.mu.Unlock()
		x.indexing.Unlock()
	}
}

// fillStep indexes the documents after one, which it moves on, and returns whether there
// are more. x.indexing and x.mu are held.
func (x *customerIndex) fillStep(last *search.Key) (more bool, err error) {
	var puts []search.Document
	bytes := 0
	err = x.store.DB.View(func(tx *bolt.Tx) error {
		for _, id := range crawlersOf(tx, "documents", x.customer) {
			if id < last.Crawler {
				continue
			}
			var from []byte
			if id == last.Crawler {
				from = []byte(last.ID + "\x00") // the first key after it
			}
			cursor := newCrawler(tx, x.customer, id).bucket("documents").Cursor()
			for key, value := cursor.Seek(from); key != nil; key, value = cursor.Next() {
				if len(puts) == stepDocs || bytes >= stepBytes {
					more = true
					return nil
				}
				*last = search.Key{Crawler: id, ID: string(key)}
				bytes += len(value)
				if doc, err := decode(value); err == nil {
					puts = append(puts, searchable(*last, doc))
				}
			}
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	x.whole = !more
	return more, x.index.Write(x.store.ctx, puts, nil, x.state())
}
