package events

import (
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
)

// Event is a recorded event, specification section 6.
type Event struct {
	At    time.Time         `json:"at"` // when it came, UTC
	Kind  string            `json:"kind"`
	ID    string            `json:"id"`    // server-generated
	Event map[string]string `json:"event"` // as sent, with all that it says of a visitor; feedback has its feedbackId
}

// record stores an event of one engine. Beyond the bytes for all, the oldest leave.
func (r *Recorder) record(customer, engine int64, e Event) error {
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	err = r.store.Update(func(tx *store.Tx) error {
		const insert = "INSERT INTO event(customer, engine, kind, uuid, json) VALUES(?, ?, ?, ?, ?)"
		err := tx.Do(insert, customer, engine, e.Kind, e.ID, value)
		for left := []int64{0}; err == nil && len(left) > 0; {
			const oldest = "DELETE FROM event WHERE id = (SELECT min(id) FROM event) AND (SELECT bytes FROM kept) > ? RETURNING id"
			left, err = store.Column[int64](tx, oldest, r.max)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("record an event: %w", err)
	}
	return nil
}

// Recorded yields the events of an engine, the oldest first.
func (r *Recorder) Recorded(customer, engine int64) iter.Seq2[Event, error] {
	return store.Decoded[Event](r.store, "SELECT json FROM event WHERE customer = ? AND engine = ? ORDER BY id", customer, engine)
}

// show is GET /_/events/{customer}/{engine}?kind=KIND&after=ID: an array of Event.
func (r *Recorder) show(c *web.Call) (web.Reply, error) {
	query := c.Request.URL.Query()
	for name := range query {
		if name != "kind" && name != "after" {
			return web.Reply{}, web.BadRequest("%.60q is no filter of events: there are kind and after", name)
		}
	}
	return web.List(r.store.List("SELECT json FROM event WHERE customer = ?1 AND engine = ?2 AND ?3 IN ('', kind) AND id > CASE ?4 WHEN '' THEN 0 ELSE"+
		" (SELECT id FROM event WHERE customer = ?1 AND engine = ?2 AND uuid = ?4) END ORDER BY id", c.Customer, c.Engine, query.Get("kind"), query.Get("after")))
}
