package events

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
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

// record stores an event of one engine. Beyond the bytes for all, the oldest leave, each time those
// of the engine that has most: whoever floods one engine, or many, takes no room from one with fewer.
func (r *Recorder) record(customer, engine int64, e Event) error {
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	err = r.store.Update(func(tx *store.Tx) error {
		const insert = "INSERT INTO event(customer, engine, kind, uuid, json) VALUES(?, ?, ?, ?, ?)"
		if err := tx.Do(insert, customer, engine, e.Kind, e.ID, value); err != nil {
			return err
		}
		engines, err := store.Column[int](tx, "SELECT count(*) FROM kept WHERE events > 0")
		if err == nil && engines[0] > maxEngines {
			return web.BadRequest("events of more than %d engines are not kept here", maxEngines)
		}
		for left := []int64{0}; err == nil && len(left) > 0; {
			left, err = store.Column[int64](tx, oldest, maxEvents, r.max)
			if len(left) > 0 {
				r.told.Do(func() {
					r.log.Warn("the oldest events leave: there is no room for more", "max_bytes", r.max, "max_of_an_engine", maxEvents)
				})
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("record an event: %w", err)
	}
	return nil
}

// oldest deletes one event where there are too many of an engine, or too many bytes of all.
const oldest = `DELETE FROM event WHERE id = (SELECT min(id) FROM event WHERE (customer, engine) =
	(SELECT customer, engine FROM kept WHERE events > ?1 OR (SELECT sum(bytes) FROM kept) > ?2
		ORDER BY events > ?1 DESC, bytes DESC LIMIT 1)) RETURNING id`

// Recorded yields the events of an engine, the oldest first.
func (r *Recorder) Recorded(customer, engine int64) iter.Seq2[Event, error] {
	return store.Decoded[Event](r.store, "SELECT json FROM event WHERE customer = ? AND engine = ? ORDER BY id", customer, engine)
}

// show is GET /_/events/{customer}/{engine}?kind=KIND&after=ID&limit=N: an array of Event.
func (r *Recorder) show(c *web.Call) (web.Reply, error) {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	query := c.Request.URL.Query()
	for name := range query {
		if !slices.Contains([]string{"kind", "after", "limit"}, name) {
			return web.Reply{}, web.BadRequest("%.60q is no filter of events: there are kind, after and limit", name)
		}
	}
	kind := query.Get("kind")
	if kind != "" && !slices.Contains(names, kind) {
		return web.Reply{}, web.BadRequest("kind must be one of %q", names)
	}
	return web.List(c, r.store.List("SELECT json FROM event WHERE customer = ?1 AND engine = ?2 AND (?3 = '' OR kind = ?3) AND id > CASE ?4 WHEN '' THEN 0 ELSE"+
		" (SELECT id FROM event WHERE customer = ?1 AND engine = ?2 AND uuid = ?4) END ORDER BY id", c.Customer, c.Engine, kind, query.Get("after")))
}
