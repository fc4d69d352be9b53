package events

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
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
func (r *Recorder) Events(customer, engine int64, kind string) ([]Event, error) {
	events := []Event{}
	err := r.store.DB.View(func(tx *store.Tx) error {
		b := tx.Bucket(bucket(customer, engine))
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
func (r *Recorder) record(customer, engine int64, e Event) error {
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	err = r.store.DB.Update(func(tx *store.Tx) error {
		name := bucket(customer, engine)
		if tx.Bucket(name) == nil && countEngines(tx) >= maxEngines {
			return web.BadRequest("events of more than %d engines are not kept here", maxEngines)
		}
		b, err := tx.CreateBucketIfNotExists(name)
		if err != nil {
			return err
		}
		n, err := b.NextSequence()
		if err == nil && n > maxEvents {
			err = b.Delete(key(n - maxEvents)) // numbers have no gaps
		}
		if err != nil {
			return err
		}
		return b.Put(key(n), value)
	})
	if err != nil {
		return fmt.Errorf("record an event of engine %d: %w", engine, err)
	}
	return nil
}

// countEngines returns of how many engines there are events.
func countEngines(tx *store.Tx) (n int) {
	prefix := []byte("events/")
	c := tx.Cursor()
	for name, _ := c.Seek(prefix); bytes.HasPrefix(name, prefix); name, _ = c.Next() {
		n++
	}
	return n
}

func bucket(customer, engine int64) []byte {
	return fmt.Appendf(nil, "events/%d/%d", customer, engine)
}

func key(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// show is GET /_/events/{customer}/{engine}?kind=KIND: an array of Event.
func (r *Recorder) show(c *web.Call) (web.Reply, error) {
	kinds := []string{"", wire.EventQuery, wire.EventClick, wire.EventFeedback, wire.EventSummaryFeedback, wire.EventAnswerFeedback, wire.EventAnswerClick}
	kind := c.Request.URL.Query().Get("kind")
	if !slices.Contains(kinds, kind) {
		return web.Reply{}, web.BadRequest("kind must be one of %q", kinds[1:])
	}
	return web.OK(r.Events(c.Customer, c.Engine, kind))
}
