package service

import (
	"bytes"
	"fmt"
	"iter"

	"sitesync/internal/wire"
)

// pageSize is how many documents one read transaction takes.
const pageSize = 100

// Documents returns what one crawler of a customer holds, in order of ID bytes.
// It reads in short transactions: the caller may write, or stop, while it
// ranges, and what changes meanwhile may or may not show. After an error it ends.
func (s *Service) Documents(customer int64, crawler string) iter.Seq2[wire.Document, error] {
	return func(yield func(wire.Document, error) bool) {
		after := ""
		for {
			page, err := s.store.page(customer, crawler, after, pageSize)
			if err != nil {
				yield(wire.Document{}, err)
				return
			}
			for _, doc := range page {
				if !yield(doc, nil) {
					return
				}
			}
			if len(page) < pageSize {
				return
			}
			after = page[len(page)-1].ID
		}
	}
}

// Queue is what the paths endpoint left for a crawler.
type Queue struct {
	Active bool     `json:"active"` // an active crawler takes its URLs at once
	URLs   []string `json:"urls"`   // waiting, in byte order, each once
}

// Queue returns the queue of one crawler of a customer; an unknown crawler's is
// empty.
func (s *Service) Queue(customer int64, crawler string) (Queue, error) {
	queue := Queue{URLs: []string{}}
	err := s.store.view(customer, crawler, func(x *index) error {
		queue.Active = x.active()
		b := x.bucket("queue")
		if b == nil {
			return nil
		}
		return b.ForEach(func(url, _ []byte) error {
			queue.URLs = append(queue.URLs, string(url))
			return nil
		})
	})
	if err != nil {
		return Queue{}, fmt.Errorf("read the queue of crawler %s: %w", crawler, err)
	}
	return queue, nil
}

// SetActive makes a crawler active, which takes the URLs that wait, or inactive
// as it is at first (specification section 3).
func (s *Service) SetActive(customer int64, crawler string, active bool) error {
	err := s.store.update(customer, crawler, func(x *index) error { return x.setActive(active) })
	if err != nil {
		return fmt.Errorf("set crawler %s active or inactive: %w", crawler, err)
	}
	return nil
}

// page returns at most limit documents whose ID is greater than after.
func (s *store) page(customer int64, crawler, after string, limit int) ([]wire.Document, error) {
	var docs []wire.Document
	err := s.view(customer, crawler, func(x *index) error {
		b := x.bucket("documents")
		if b == nil {
			return nil
		}
		cursor := b.Cursor()
		key, value := cursor.Seek([]byte(after))
		if after != "" && bytes.Equal(key, []byte(after)) {
			key, value = cursor.Next()
		}
		for ; key != nil && len(docs) < limit; key, value = cursor.Next() {
			doc, err := decodeStored(value)
			if err != nil {
				return err
			}
			docs = append(docs, doc)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the documents of crawler %s: %w", crawler, err)
	}
	return docs, nil
}
