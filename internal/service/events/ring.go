package events

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"sync"
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

// ring keeps events. Beyond its bytes the oldest leave, each time those of the engine that
// has most: whoever floods one engine, or many, takes no room from one with fewer.
type ring struct {
	store *store.Store
	log   *slog.Logger
	max   int64

	mu    sync.Mutex       // held while an event is recorded; guards what follows
	sizes map[engine]*size // of each engine's events
	told  bool             // that the oldest leave
}

type engine struct{ customer, id int64 }

type size struct{ events, bytes int64 }

func newRing(s *store.Store, max int64, log *slog.Logger) (*ring, error) {
	r := &ring{store: s, log: log, max: max, sizes: map[engine]*size{}}
	err := s.View(context.Background(), func(tx *store.Tx) error {
		return tx.Each(func(scan func(...any) error) error {
			var of engine
			var has size
			err := scan(&of.customer, &of.id, &has.events, &has.bytes)
			r.sizes[of] = &has
			return err
		}, "SELECT customer, engine, count(*), sum(length(json)) FROM event GROUP BY customer, engine")
	})
	return r, err
}

// record stores an event of one engine, in place of older ones where there is no room.
func (r *ring) record(of engine, e Event) error {
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sizes[of] == nil && len(r.sizes) >= maxEngines {
		return web.BadRequest("events of more than %d engines are not kept here", maxEngines)
	}
	sizes, dropped := map[engine]*size{of: {}}, 0
	for other, has := range r.sizes {
		sizes[other] = new(*has)
	}
	sizes[of].events++
	sizes[of].bytes += int64(len(value))
	err = r.store.Update(func(tx *store.Tx) error {
		err := tx.Do("INSERT INTO event(customer, engine, kind, uuid, json) VALUES(?, ?, ?, ?, ?)", of.customer, of.id, e.Kind, e.ID, value)
		for full, over := r.full(sizes, of); err == nil && over; full, over = r.full(sizes, of) {
			var left []int64
			left, err = store.Column[int64](tx, "DELETE FROM event WHERE id = (SELECT min(id) FROM event WHERE customer = ? AND engine = ?) RETURNING length(json)", full.customer, full.id)
			for _, bytes := range left {
				sizes[full].events--
				sizes[full].bytes -= bytes
			}
			dropped++
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("record an event: %w", err)
	}
	if dropped > 0 && !r.told {
		r.log.Warn("the oldest events leave: there is no room for more", "max_bytes", r.max, "max_of_an_engine", maxEvents)
	}
	r.sizes, r.told = sizes, r.told || dropped > 0
	return nil
}

// full returns the engine that the oldest event leaves: this one, or the one that has most.
func (r *ring) full(sizes map[engine]*size, of engine) (most engine, over bool) {
	if sizes[of].events > maxEvents {
		return of, true
	}
	sum := int64(0)
	for other, has := range sizes {
		sum += has.bytes
		if sizes[most] == nil || has.bytes > sizes[most].bytes {
			most = other
		}
	}
	return most, sum > r.max
}

// Recorded yields the events of an engine, the oldest first.
func (r *Recorder) Recorded(customer, engine int64) iter.Seq2[Event, error] {
	return store.Decoded[Event](r.store, "SELECT json FROM event WHERE customer = ? AND engine = ? ORDER BY id", customer, engine)
}

// show is GET /_/events/{customer}/{engine}?kind=KIND&after=ID&limit=N: an array of Event.
func (r *ring) show(c *web.Call) (web.Reply, error) {
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
