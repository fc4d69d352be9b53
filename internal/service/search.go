package service

import (
	"context"
	"fmt"
	"net/http"
	"time"

	bolt "go.etcd.io/bbolt"

	"sitesync/internal/service/search"
	"sitesync/internal/wire"
)

// searchRoutes are search and autocomplete, whose paths alone the specification gives
// (sections 4.5 and 9): v4, and v3 with the same answers.
func (s *Service) searchRoutes() (routes []route) {
	for _, version := range []string{"v3", "v4"} {
		engine := "/api/" + version + "/{customer}/{engine}/"
		routes = append(routes,
			route{"POST " + engine + "search", EndpointSearch, takesSiteKey | takesBasic, s.search},
			route{"GET " + engine + "autocomplete", EndpointAutocomplete, takesSiteKey | takesBasic, s.autocomplete})
	}
	return routes
}

// search is POST search.
func (s *Service) search(c *call) (reply, error) {
	start := time.Now()
	request, err := decodeSearch(c.body)
	if err != nil {
		return reply{}, err
	}
	answer, err := s.searchAnswer(c, request)
	answer.ResponseTime = time.Since(start).Milliseconds()
	return okReply(answer, cancelled(c, err))
}

// cancelled returns the error of a search, which is the client's where it left.
func cancelled(c *call, err error) error {
	if err != nil && c.r.Context().Err() != nil {
		return problem{http.StatusServiceUnavailable, "the search was given up"}
	}
	return err
}

// A hit is one document that a search found.
type hit struct {
	id     string
	fields map[string]string // as stored; of several values the first
}

// find returns the best documents of an engine for a text, size at most, best first.
func (s *Service) find(ctx context.Context, customer, engine int64, text string, size int) ([]hit, error) {
	k, err := s.searched(ctx, customer)
	if k == nil || err != nil {
		return []hit{}, err
	}
	synonyms, err := s.synonyms(customer)
	if err != nil {
		return nil, err
	}
	found, err := k.index.Search(ctx, search.Query{Text: text, Synonyms: synonyms, Crawlers: s.feeds[engine], Size: size})
	if err != nil {
		return nil, err
	}
	docs, err := s.stored(customer, found.Hits)
	hits := []hit{}
	for _, doc := range docs {
		hits = append(hits, hit{doc.ID, plainFields(doc)})
	}
	return hits, err
}

// plainFields returns a document's fields, of several values the first.
func plainFields(doc wire.Document) map[string]string {
	fields := map[string]string{}
	for name := range doc.Fields {
		for _, value := range valuesOf(doc, name) {
			fields[name] = value
			break
		}
	}
	return fields
}

// searched returns the customer's index once it holds what was written before; nil for a
// customer without documents.
func (s *Service) searched(ctx context.Context, customer int64) (*kept, error) {
	k, err := s.finds.of(customer)
	if err != nil || k == nil {
		return nil, err
	}
	return k, k.catchUp(ctx)
}

// synonyms returns the customer's synonym groups.
func (s *Service) synonyms(customer int64) (all []search.Synonyms, err error) {
	groups, err := tools[wire.SynonymGroup](s, customer, wire.KindSynonyms)
	for _, group := range groups {
		all = append(all, search.Synonyms{Language: group.Language, Words: group.Words})
	}
	return all, err
}

// stored returns documents as they are now, without those that are gone.
func (s *Service) stored(customer int64, keys []search.Key) (docs []wire.Document, err error) {
	err = s.db.View(func(tx *bolt.Tx) error {
		for _, key := range keys {
			doc, found, err := newIndex(tx, customer, key.Crawler).get(key.ID)
			if err != nil {
				return err
			}
			if found {
				docs = append(docs, doc)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the documents found for customer %d: %w", customer, err)
	}
	return docs, nil
}
