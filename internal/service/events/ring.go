package events

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"maps"
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
	sizes map[string]int64 // bytes of each engine's events, by bucket
	told  bool             // that the oldest leave
}

// prefix begins the name of each bucket of events.
const prefix = "events/"

func bucket(customer, engine int64) string {
	return fmt.Sprintf("%s%d/%d", prefix, customer, engine)
}

func newRing(s *store.Store, max int64, log *slog.Logger) (*ring, error) {
	r := &ring{store: s, log: log, max: max, sizes: map[string]int64{}}
	err := s.DB.View(func(tx *store.Tx) error {
		cursor := tx.Cursor()
		for name, _ := cursor.Seek([]byte(prefix)); bytes.HasPrefix(name, []byte(prefix)); name, _ = cursor.Next() {
			r.sizes[string(name)] = 0
			_ = tx.Bucket(name).ForEach(func(_, value []byte) error { // nothing errs
				r.sizes[string(name)] += int64(len(value))
				return nil
			})
		}
		return nil
	})
	return r, err
}

// record stores an event of one engine, in place of older ones where there is no room.
func (r *ring) record(name string, e Event) error {
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an event: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	sizes, dropped := maps.Clone(r.sizes), 0
	if _, known := sizes[name]; !known && len(sizes) >= maxEngines {
		return web.BadRequest("events of more than %d engines are not kept here", maxEngines)
	}
	err = r.store.DB.Update(func(tx *store.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte(name))
		if err != nil {
			return err
		}
		n, err := b.NextSequence()
		if err != nil {
			return err
		}
		if err := b.Put(store.NumberKey(n), value); err != nil {
			return err
		}
		sizes[name] += int64(len(value))
		for full := ""; ; dropped++ {
			oldest, _ := b.Cursor().First()
			full = r.fullest(sizes)
			if n > maxEvents && bytes.Compare(oldest, store.NumberKey(n-maxEvents)) <= 0 {
				full = name
			}
			if full == "" {
				return nil
			}
			most := tx.Bucket([]byte(full))
			first, left := most.Cursor().First()
			sizes[full] -= int64(len(left))
			if err := most.Delete(first); err != nil {
				return err
			}
		}
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

// fullest returns the engine that has most, "" while there is room.
func (r *ring) fullest(sizes map[string]int64) (name string) {
	sum := int64(0)
	for other, size := range sizes {
		sum += size
		if size > sizes[name] {
			name = other
		}
	}
	if sum <= r.max {
		return ""
	}
	return name
}

// rows returns the events of an engine as JSON, those of one kind unless kind is empty,
// and those after the one with an ID unless that is empty.
func (r *ring) rows(name, kind, after string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for row, err := range r.store.Rows([]byte(name), nil) {
			var e struct{ Kind, ID string }
			if err == nil {
				err = json.Unmarshal(row, &e)
			}
			if after != "" && err == nil {
				if e.ID == after {
					after = ""
				}
				continue
			}
			if (err != nil || kind == "" || e.Kind == kind) && !yield(row, err) {
				return
			}
		}
	}
}

// Recorded yields the events of an engine, the oldest first.
func (r *Recorder) Recorded(customer, engine int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for row, err := range r.rows(bucket(customer, engine), "", "") {
			var e Event
			if err == nil {
				err = json.Unmarshal(row, &e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
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
	return web.List(c, r.rows(bucket(c.Customer, c.Engine), kind, query.Get("after")))
}
