package service

import (
	"maps"
	"net/http"
	"slices"

	"sitesync/internal/wire"
)

func (s *Service) bulkDeleteRoutes() {
	s.route("/api/v4/{customer}/index/{crawler}/documents/bulk-delete", methods{
		http.MethodPost: s.answer(EndpointBulkDelete, s.bulkDelete),
	})
}

// bulkDelete is POST bulk-delete, specification section 4.1: every document of
// the crawler that passes all of the filter's keys goes, in one transaction.
func (s *Service) bulkDelete(c *call) (apply, error) {
	body, err := readJSON(c)
	if err != nil {
		return nil, err
	}
	tests, err := parseFilter(body, c.rules.AllowExists)
	if err != nil {
		return nil, err
	}
	return func() (reply, error) {
		deleted := 0
		err := s.store.update(c.customer, c.crawler, func(x *index) (err error) {
			deleted, err = x.removeMatching(tests, c.rules.IgnoreUnknownFields)
			return err
		})
		if err != nil {
			return reply{}, err
		}
		return jsonReply(http.StatusOK, wire.BulkDeleteResult{Success: true, Deleted: deleted})
	}, nil
}

// removeMatching deletes what passes the tests and returns how many that were.
func (x *index) removeMatching(tests []test, ignoreUnknown bool) (int, error) {
	if ignoreUnknown {
		known, err := x.fields()
		if err != nil {
			return 0, err
		}
		tests = slices.DeleteFunc(tests, func(t test) bool { return !known[t.key] })
	}
	var ids []string // a cursor must not run over a bucket that loses keys
	err := x.each(func(doc wire.Document) {
		if matches(doc, tests) {
			ids = append(ids, doc.ID)
		}
	})
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if _, err := x.remove(id); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// fields returns the names of all fields that the crawler's documents have.
func (x *index) fields() (map[string]bool, error) {
	known := map[string]bool{}
	err := x.each(func(doc wire.Document) {
		for name := range maps.Keys(doc.Fields) {
			known[name] = true
		}
		if known[dateField] {
			known[dateKey] = true
		}
	})
	return known, err
}

func (x *index) each(visit func(wire.Document)) error {
	b := x.bucket("documents")
	if b == nil {
		return nil
	}
	return b.ForEach(func(_, value []byte) error {
		doc, err := decodeStored(value)
		if err != nil {
			return err
		}
		visit(doc)
		return nil
	})
}
