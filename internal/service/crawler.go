package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/wire"
)

// Documents returns what one crawler of a customer holds, in order of ID bytes, as
// it stands when the ranging begins: all of it is held in memory. After an error
// it ends.
func (s *Service) Documents(customer int64, crawler string) iter.Seq2[wire.Document, error] {
	return func(yield func(wire.Document, error) bool) {
		docs, err := s.documents(customer, crawler)
		for _, doc := range docs {
			if !yield(doc, nil) {
				return
			}
		}
		if err != nil {
			yield(wire.Document{}, err)
		}
	}
}

func (s *Service) documents(customer int64, crawler string) ([]wire.Document, error) {
	docs := []wire.Document{}
	err := s.view(customer, crawler, func(x *index) error {
		return x.each(func(doc wire.Document) { docs = append(docs, doc) })
	})
	if err != nil {
		return nil, fmt.Errorf("read the documents of crawler %s: %w", crawler, err)
	}
	return docs, nil
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
	err := s.view(customer, crawler, func(x *index) error {
		queue.Active = x.bucket("active") != nil
		return x.keys("queue", func(url, _ []byte) error {
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
	err := s.update(customer, crawler, func(x *index) error {
		if !active {
			return x.drop("active")
		}
		return errors.Join(x.drop("queue"), x.store("active", "yes", nil))
	})
	if err != nil {
		return fmt.Errorf("set crawler %s active or inactive: %w", crawler, err)
	}
	return nil
}

// showDocuments is GET /_/crawlers/{customer}/{crawler}/documents: an array of
// Document.
func (s *Service) showDocuments(c *call) (reply, error) {
	return okReply(s.documents(c.customer, c.crawler))
}

// showQueue is GET /_/crawlers/{customer}/{crawler}/queue: a Queue.
func (s *Service) showQueue(c *call) (reply, error) {
	return okReply(s.Queue(c.customer, c.crawler))
}

// putActive is PUT /_/crawlers/{customer}/{crawler}/active with true or false.
func (s *Service) putActive(c *call) (reply, error) {
	var active *bool
	if json.Unmarshal(c.body, &active) != nil || active == nil {
		return reply{}, badRequest("the body must be true or false")
	}
	return okReply(*active, s.SetActive(c.customer, c.crawler, *active))
}

// crawler is one line of GET /_/crawlers/{customer}.
type crawler struct {
	Crawler   string `json:"crawler"`
	Active    bool   `json:"active"`
	Documents int    `json:"documents"`
	Queued    int    `json:"queued"`
}

// showCrawlers is GET /_/crawlers/{customer}: an array of the crawlers that hold
// anything or are active, in order of their IDs.
func (s *Service) showCrawlers(c *call) (reply, error) {
	crawlers := []crawler{}
	err := s.db.View(func(tx *bolt.Tx) error {
		ids := map[string]bool{}
		err := tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
			parts := strings.SplitN(string(name), "/", 3)
			if slices.Contains([]string{"documents", "queue", "active"}, parts[0]) && parts[1] == strconv.FormatInt(c.customer, 10) {
				ids[parts[2]] = true
			}
			return nil
		})
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			x := newIndex(tx, c.customer, id)
			crawlers = append(crawlers, crawler{id, x.bucket("active") != nil, x.count("documents"), x.count("queue")})
		}
		return err
	})
	return okReply(crawlers, err)
}
