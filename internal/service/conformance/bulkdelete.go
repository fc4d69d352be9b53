package conformance

import (
	"maps"
	"net/http"
	"slices"
)

func bulkDeleteRules() []rule {
	return []rule{
		{"2.3 Eq matches any of its values", true, func(s *session) {
			s.bulkDeletes(`{"Category":{"operator":"Eq","values":["news","events"]}}`, "a", "b", "c")
		}},
		{"2.3 several keys are ANDed", true, func(s *session) {
			s.bulkDeletes(`{"Category":{"operator":"Eq","values":["news"]},"Date_date":{"operator":"Lt","values":["2024/01/01"]}}`, "a")
		}},
		{"2.3 Lt on a date", true, func(s *session) {
			s.bulkDeletes(`{"Date_date":{"operator":"Lt","values":["2024/02/29"]}}`, "a")
		}},
		{"2.3 Gte on a date", true, func(s *session) {
			s.bulkDeletes(`{"Date_date":{"operator":"Gte","values":["2024/02/29"]}}`, "b", "c")
		}},
		{"2.3 Eq compares the stored string exactly", true, func(s *session) {
			s.bulkDeletes(`{"Category":{"operator":"Eq","values":["News"]}}`)
		}},
		{"2.3 an unknown field matches nothing", true, func(s *session) {
			s.bulkDeletes(`{"category":{"operator":"Eq","values":["news"]}}`)
		}},
		{"2.3 what is no filter is refused and deletes nothing", true, bulkDeleteWrong},
	}
}

// shelf stores five documents, named a to e, with different categories and dates.
func (s *session) shelf() {
	s.Helper()
	dated := func(name, category, date string) doc {
		d := page(s.id(name))
		d.Fields["Category"], d.Fields["Date"] = category, date
		return d
	}
	docs := []doc{
		dated("a", "news", "2023/12/31"), dated("b", "news", "2024/02/29"), dated("c", "events", "2024-03-01T00:30:00Z"),
		dated("d", "other", "in spring"), page(s.id("e")),
	}
	s.rows(s.upsert(docs...), []string{docs[0].ID, docs[4].ID}, nil)
}

// bulkDeletes stores the documents of shelf, and checks that a filter deletes only the documents in want.
func (s *session) bulkDeletes(filter string, want ...string) {
	s.Helper()
	s.shelf()
	a := s.ok(s.bulk(filter))
	var result struct {
		Success bool    `json:"success"`
		Deleted int     `json:"deleted"`
		Failed  *int    `json:"failed"`
		Reason  *string `json:"reason"`
	}
	s.decode(a, &result)
	if !result.Success || result.Deleted != len(want) || result.Failed == nil || *result.Failed != 0 || result.Reason == nil {
		s.Errorf("want success and %d deleted, got %s", len(want), a)
	}
	left := slices.DeleteFunc([]string{"a", "b", "c", "d", "e"}, func(name string) bool { return slices.Contains(want, name) })
	if got := slices.Sorted(maps.Keys(s.stored())); !slices.Equal(got, left) {
		s.Errorf("want %v left, got %v", left, got)
	}
}

func (s *session) bulk(filter string) request {
	return request{method: http.MethodPost, path: s.indexPath() + "/bulk-delete", body: filter}
}

func bulkDeleteWrong(s *session) {
	s.shelf()
	for _, filter := range []string{
		``, `null`, `[]`, `{}`, `{"Category":{}}`, `{"Category":null}`, `{"":{"operator":"Eq","values":["x"]}}`,
		`{"Category":{"operator":"Eq"}}`, `{"Category":{"operator":"Eq","values":[]}}`, `{"Category":{"operator":"Eq","values":[1]}}`, `{"Category":{"operator":"Eq","values":[null]}}`,
		`{"Category":{"operator":"eq","values":["news"]}}`, `{"Category":{"operator":"Ne","values":["news"]}}`,
		`{"Category":{"operator":"Exists","values":[]}}`, `{"Date_date":{"operator":"Lt","values":["2024/01/01","2025/01/01"]}}`,
		`{"Date_date":{"operator":"Lt","values":["2024-01-01"]}}`, `{"Date_date":{"operator":"Lt","values":["2024/02/30"]}}`,
		`{"Category":{"operator":"Eq","values":["x"]},"Category":{"operator":"Eq","values":["news"]}}`,
		`{"Category":{"operator":"Eq","values":["news"]}} {}`, `{"Category":{"operator":"Eq","values":["news"]}`,
	} {
		s.refused(s.bulk(filter), http.StatusBadRequest)
	}
	if got := len(s.stored()); got != 5 {
		s.Errorf("refused filters left %d of 5 documents", got)
	}
}
