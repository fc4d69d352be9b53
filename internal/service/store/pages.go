package store

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"sitesync/internal/service/web"
)

// Routes returns the operations of specification section 4.1, of the API before v4, and of this service's own
// API under /_/, which shows stored data and activates crawlers (content sources of the index).
func (s *Store) Routes() []web.Route {
	const v4, own = "/api/v4/{customer}/", "/_/crawlers/{customer}/{crawler}"
	const older = "POST /api/v3/{customer}/content/{crawler}/"
	const documents = v4 + "index/{crawler}/documents"
	return []web.Route{
		{Pattern: "PUT " + documents, Handle: s.writeDocuments},
		{Pattern: "PATCH " + documents, Handle: s.writeDocuments},
		{Pattern: "DELETE " + documents, Handle: s.deleteDocument},
		{Pattern: "POST " + documents + "/bulk-delete", Handle: s.bulkDelete},
		{Pattern: "POST " + v4 + "crawler/{crawler}/paths", Handle: s.queuePaths},
		{Pattern: older + "push", Handle: s.pushOlder},
		{Pattern: older + "delete", Handle: s.deleteOlder},
		{Pattern: older + "pushurls", Handle: s.queuePaths},
		{Pattern: "GET " + own + "/documents", Handle: func(c *web.Call) (web.Reply, error) {
			after := c.Request.URL.Query().Get("after")
			return s.List("SELECT json "+named+"> ? ORDER BY name", c.Customer, c.Crawler, after)
		}},
		{Pattern: "GET " + own + "/queue", Handle: func(c *web.Call) (web.Reply, error) {
			return web.OK(s.Queue(c.Customer, c.Crawler))
		}},
		{Pattern: "PUT " + own + "/active", Handle: func(c *web.Call) (web.Reply, error) {
			var active *bool
			if json.Unmarshal(c.Body, &active) != nil || active == nil {
				return web.Reply{}, web.BadRequest("the body must be true or false")
			}
			return web.OK(*active, s.SetActive(c.Customer, c.Crawler, *active))
		}},
	}
}

// Queue holds the URLs that the paths endpoint queued for a crawler.
type Queue struct {
	Active bool     `json:"active"` // URLs sent to an active crawler are not queued
	URLs   []string `json:"urls"`   // sorted by bytes, without duplicates
}

// Queue returns the queue of one crawler. The queue of an unknown crawler is empty.
func (s *Store) Queue(customer int64, id string) (queue Queue, err error) {
	err = s.View(context.Background(), func(tx *Tx) error {
		active, err := Column[int](tx, "SELECT 1 FROM active WHERE customer = ? AND crawler = ?", customer, id)
		if err == nil {
			queue.Active = len(active) > 0
			const urls = "SELECT url FROM queue WHERE customer = ? AND crawler = ? ORDER BY url"
			queue.URLs, err = Column[string](tx, urls, customer, id)
		}
		return err
	})
	return queue, err
}

// SetActive makes a crawler active or inactive. It empties the URL queue of a crawler that becomes active.
// New crawlers are inactive (specification section 3).
func (s *Store) SetActive(customer int64, id string, active bool) error {
	return s.Update(func(tx *Tx) error {
		if !active {
			return tx.Do("DELETE FROM active WHERE customer = ? AND crawler = ?", customer, id)
		}
		return errors.Join(tx.Do("DELETE FROM queue WHERE customer = ? AND crawler = ?", customer, id),
			tx.Do("INSERT OR IGNORE INTO active VALUES(?, ?)", customer, id))
	})
}

// queuePaths serves POST paths (specification section 4.1). In the response, a well-formed URL has the status
// Ok, any other text Invalid. If the crawler is active, its URLs also get Ok, but are not queued (section 3).
func (s *Store) queuePaths(c *web.Call) (web.Reply, error) {
	urls, err := decodeArray[string](c, "an array of URL strings")
	if err != nil {
		return web.Reply{}, err
	}
	statuses := make([]map[string]string, len(urls))
	err = s.Update(func(tx *Tx) (err error) {
		const queued = `INSERT OR IGNORE INTO queue SELECT ?1, ?2, ?3
			WHERE NOT EXISTS(SELECT 1 FROM active WHERE customer = ?1 AND crawler = ?2)`
		for i, sent := range urls {
			statuses[i] = map[string]string{"url": *sent, "status": "Invalid"}
			if isWebURL(*sent) {
				statuses[i]["status"] = "Ok"
				err = errors.Join(err, tx.Do(queued, c.Customer, c.Crawler, *sent))
			}
		}
		return err
	})
	return web.OK(statuses, err)
}

// isWebURL reports whether s is an absolute http or https URL. The WHATWG parser alone is too lenient: it
// trims spaces and adds missing slashes.
func isWebURL(s string) bool {
	strict, err := url.Parse(s)
	if err != nil || strict.Host == "" || len(s) > maxURLBytes || strings.Contains(s, " ") {
		return false
	}
	_, err = whatwg.Parse(s)
	return err == nil && (strict.Scheme == "http" || strict.Scheme == "https")
}
