package service

import (
	"slices"

	"sitesync/internal/wire"
)

// bulkDelete is POST bulk-delete, specification section 4.1: every document of
// the crawler that passes all of the filter's keys goes, in one transaction.
func (s *Service) bulkDelete(c *call) (reply, error) {
	tests, err := parseFilter(c.body, c.switches.AllowExists)
	if err != nil {
		return reply{}, err
	}
	deleted := 0
	err = s.update(c.customer, c.crawler, func(x *index) (err error) {
		deleted, err = x.removeMatching(tests, c.switches)
		return err
	})
	return okReply(wire.BulkDeleteResult{Success: true, Deleted: deleted}, err)
}

// removeMatching deletes what passes the tests and returns how many that were.
func (x *index) removeMatching(tests []test, switches Switches) (int, error) {
	unknown := func(t test) bool { return slices.Contains(switches.Unfilterable, t.key) }
	if switches.IgnoreUnknownFields {
		known := map[string]bool{}
		err := x.each(func(doc wire.Document) {
			for _, t := range tests {
				known[t.key] = known[t.key] || valuesOf(doc, t.key) != nil
			}
		})
		if err != nil {
			return 0, err
		}
		tests = slices.DeleteFunc(tests, func(t test) bool { return unknown(t) || !known[t.key] })
	}
	if slices.ContainsFunc(tests, unknown) {
		return 0, nil
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
