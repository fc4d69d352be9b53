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
	}
}

// fillStep indexes the documents after one, which it moves on, and returns whether there
// are more. x.mu is held.
func (x *customerIndex) fillStep(last *search.Key) (more bool, err error) {
	var puts []search.Document
	bytes := 0
	err = x.store.DB.View(func(tx *bolt.Tx) error {
		for _, id := range crawlersOf(tx, x.customer) {
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

// follow indexes documents that were written or deleted, stepBytes at once; with the last the
// index gets its mark. x.mu is held.
func (x *customerIndex) follow(keys []search.Key) error {
	for len(keys) > 0 {
		var puts []search.Document
		var deletes []search.Key
		err := x.store.DB.View(func(tx *bolt.Tx) error {
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
		mark := ""
		if len(keys) == 0 {
			mark = x.state()
		}
		if err == nil {
			err = x.index.Write(x.store.ctx, puts, deletes, mark)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// state returns the mark of the index with what is written to it now; "" while documents
// are missing. x.mu is held.
func (x *customerIndex) state() string {
	if !x.whole {
		return ""
	}
	return x.mark
}
