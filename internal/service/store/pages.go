package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	bolt "go.etcd.io/bbolt"

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
		{Pattern: "GET " + own + "/documents", Takes: web.Basic, Handle: func(c *web.Call) (web.Reply, error) { // ?after=ID&limit=N
			return web.List(c, s.DocumentRows(c.Customer, c.Crawler, c.Request.URL.Query().Get("after")))
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

// Documents returns what one crawler of a customer holds, in order of ID bytes.
func (s *Store) Documents(customer int64, id string) ([]wire.Document, error) {
	return All[wire.Document](s, newCrawler(nil, customer, id).key("documents"))
}

// DocumentRows is Documents after an ID, as Rows reads: each as JSON.
func (s *Store) DocumentRows(customer int64, id, after string) iter.Seq2[[]byte, error] {
	return s.Rows(newCrawler(nil, customer, id).key("documents"), []byte(after))
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
	err := s.DB.View(func(tx *bolt.Tx) error {
		x := newCrawler(tx, customer, id)
		queue.Active = x.bucket("active") != nil
		return visit(tx, x.key("queue"), func(url, _ []byte) error {
			queue.URLs = append(queue.URLs, string(url))
			return nil
		})
	})
	if err != nil {
		return Queue{}, fmt.Errorf("read the queue of crawler %s: %w", id, err)
	}
	return queue, nil
}

// SetActive makes a crawler active, which takes the URLs that wait, or inactive
// as it is at first (specification section 3).
func (s *Store) SetActive(customer int64, id string, active bool) error {
	err := s.update(customer, id, func(x *crawler) error {
		if !active {
			return x.drop("active")
		}
		return errors.Join(x.drop("queue"), x.store("active", "yes", nil))
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
	err = s.update(c.Customer, c.Crawler, func(x *crawler) error {
		for i, url := range urls {
			status := "Invalid"
			if isWebURL(*url) {
				status = "Ok"
			}
			statuses[i] = wire.PathStatus{URL: *url, Status: status}
			if status != "Ok" || x.bucket("active") != nil {
				continue
			}
			if err := x.store("queue", *url, nil); err != nil {
				return err
			}
		}
		return nil
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
