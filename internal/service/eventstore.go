package service

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/wire"
)

const (
	maxEvents  = 100_000 // of an engine that are kept, the latest
	maxEngines = 1_000   // of which events are kept: feedback needs no credentials, so anybody can name engines
)

// Event is a recorded event, specification section 6.
type Event struct {
	At    time.Time         `json:"at"` // when it came, UTC
	Kind  string            `json:"kind"`
	ID    string            `json:"id"`    // server-generated
	Event map[string]string `json:"event"` // as sent, with all that it says of a visitor; feedback has its feedbackId
}

// Events returns the recorded events of an engine, the oldest first; kind is one of
// wire's, or empty for all of them.
func (s *Service) Events(customer, engine int64, kind string) ([]Event, error) {
	events := []Event{}
	err := s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(eventBucket(customer, engine))
		if b == nil {
			return nil
		}
		return b.ForEach(func(_, value []byte) error {
			var e Event
			if err := json.Unmarshal(value, &e); err != nil {
				return err
			}
			if kind == "" || e.Kind == kind {
				events = append(events, e)
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the events of engine %d: %w", engine, err)
	}
	return events, nil
}

// record stores an event and forgets the oldest one beyond maxEvents.
func (s *Service) record(customer, engine int64, e Event) error {
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	err = s.db.Update(func(tx *bolt.Tx) error {
		name := eventBucket(customer, engine)
		if tx.Bucket(name) == nil && countEngines(tx) >= maxEngines {
			return badRequest("events of more than %d engines are not kept here", maxEngines)
		}
		b, err := tx.CreateBucketIfNotExists(name)
		if err != nil {
			return err
		}
		n, err := b.NextSequence()
		if err == nil && n > maxEvents {
			err = b.Delete(eventKey(n - maxEvents)) // numbers have no gaps
		}
		if err != nil {
			return err
		}
		return b.Put(eventKey(n), value)
	})
	if err != nil {
		return fmt.Errorf("record an event of engine %d: %w", engine, err)
	}
	return nil
}

// countEngines returns of how many engines there are events.
func countEngines(tx *bolt.Tx) (n int) {
	prefix := []byte("events/")
	c := tx.Cursor()
	for name, _ := c.Seek(prefix); bytes.HasPrefix(name, prefix); name, _ = c.Next() {
		n++
	}
	return n
}

func eventBucket(customer, engine int64) []byte {
	return fmt.Appendf(nil, "events/%d/%d", customer, engine)
}

func eventKey(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// showEvents is GET /_/events/{customer}/{engine}?kind=KIND: an array of Event.
func (s *Service) showEvents(c *call) (reply, error) {
	kinds := []string{"", wire.EventQuery, wire.EventClick, wire.EventFeedback, wire.EventSummaryFeedback, wire.EventAnswerFeedback, wire.EventAnswerClick}
	kind := c.r.URL.Query().Get("kind")
	if !slices.Contains(kinds, kind) {
		return reply{}, badRequest("kind must be one of %q", kinds[1:])
	}
	return okReply(s.Events(c.customer, c.engine, kind))
}
