package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Routes are those of section 4.1, and the pages that read back what is stored.
func (s *Store) Routes() []web.Route {
	const v4, own = "/api/v4/{customer}/", "/_/crawlers/{customer}/{crawler}"
	const documents = v4 + "index/{crawler}/documents"
	return []web.Route{
		{Pattern: "PUT " + documents, Takes: web.Basic, Handle: s.writeDocuments},
		{Pattern: "PATCH " + documents, Takes: web.Basic, Handle: s.writeDocuments},
		{Pattern: "DELETE " + documents, Takes: web.Basic, Handle: s.deleteDocument},
		{Pattern: "POST " + documents + "/bulk-delete", Takes: web.Basic, Handle: s.bulkDelete},
		{Pattern: "POST " + v4 + "crawler/{crawler}/paths", Takes: web.Basic, Handle: s.queuePaths},
		{Pattern: "GET " + own + "/documents", Takes: web.Basic, Handle: func(c *web.Call) (web.Reply, error) { // ?after=ID
			return web.List(s.DocumentRows(c.Customer, c.Crawler, c.Request.URL.Query().Get("after")))
		}},
		{Pattern: "GET " + own + "/queue", Takes: web.Basic, Handle: func(c *web.Call) (web.Reply, error) { return web.OK(s.Queue(c.Customer, c.Crawler)) }},
		{Pattern: "PUT " + own + "/active", Takes: web.Basic, Handle: func(c *web.Call) (web.Reply, error) {
			var active *bool
			if json.Unmarshal(c.Body, &active) != nil || active == nil {
				return web.Reply{}, web.BadRequest("the body must be true or false")
			}
			return web.OK(*active, s.SetActive(c.Customer, c.Crawler, *active))
		}},
	}
}

// Queue is what the paths endpoint left for a crawler.
type Queue struct {
	Active bool     `json:"active"` // an active crawler takes its URLs at once
	URLs   []string `json:"urls"`   // waiting, in byte order, each once
}

// Queue returns the queue of one crawler of a customer; an unknown crawler's is
// empty.
func (s *Store) Queue(customer int64, id string) (Queue, error) {
	queue := Queue{URLs: []string{}}
	err := s.View(context.Background(), func(tx *Tx) error {
		active, err := tx.active(customer, id)
		if err != nil {
			return err
		}
		urls, err := Column[string](tx, "SELECT url FROM queue WHERE customer = ? AND crawler = ? ORDER BY url", customer, id)
		queue = Queue{active, append(queue.URLs, urls...)}
		return err
	})
	if err != nil {
		return Queue{}, fmt.Errorf("read the queue of crawler %s: %w", id, err)
	}
	return queue, nil
}

func (tx *Tx) active(customer int64, id string) (bool, error) {
	there, err := Column[int](tx, "SELECT 1 FROM active WHERE customer = ? AND crawler = ?", customer, id)
	return len(there) > 0, err
}

// SetActive makes a crawler active, which takes the URLs that wait, or inactive
// as it is at first (specification section 3).
func (s *Store) SetActive(customer int64, id string, active bool) error {
	err := s.Update(func(tx *Tx) error {
		if !active {
			return tx.Do("DELETE FROM active WHERE customer = ? AND crawler = ?", customer, id)
		}
		return errors.Join(tx.Do("DELETE FROM queue WHERE customer = ? AND crawler = ?", customer, id),
			tx.Do("INSERT OR IGNORE INTO active VALUES(?, ?)", customer, id))
	})
	if err != nil {
		return fmt.Errorf("set crawler %s active or inactive: %w", id, err)
	}
	return nil
}

// queuePaths is POST paths, specification section 4.1: each well-formed URL is
// Ok, whether the crawler is active or not (section 3); any other is Invalid. An
// active crawler takes its URLs at once.
func (s *Store) queuePaths(c *web.Call) (web.Reply, error) {
	urls, err := decodeArray[string](c, "an array of URL strings")
	if err != nil {
		return web.Reply{}, err
	}
	statuses := make([]wire.PathStatus, len(urls))
	err = s.Update(func(tx *Tx) error {
		active, err := tx.active(c.Customer, c.Crawler)
		for i, url := range urls {
			statuses[i] = wire.PathStatus{URL: *url, Status: "Invalid"}
			if !isWebURL(*url) {
				continue
			}
			statuses[i].Status = "Ok"
			if !active {
				err = errors.Join(err, tx.Do("INSERT OR IGNORE INTO queue VALUES(?, ?, ?)", c.Customer, c.Crawler, *url))
			}
		}
		return err
	})
	return web.OK(statuses, err)
}

// isWebURL reports whether s is an absolute http or https URL as it stands: the
// WHATWG parser alone would trim spaces and supply missing slashes.
func isWebURL(s string) bool {
	scheme, rest, _ := strings.Cut(s, "://")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return false
	}
	isSpaceOrControl := func(r rune) bool { return r <= ' ' || r == 0x7f }
	if len(s) > maxURL || rest == "" || strings.ContainsFunc(s, isSpaceOrControl) || strings.ContainsRune(`/\?#`, rune(rest[0])) {
		return false
	}
	parsed, err := whatwg.Parse(s)
	return err == nil && parsed.Hostname() != ""
}
