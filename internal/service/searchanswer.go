package service

import (
	"slices"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/wire"
)

// searchAnswer is the answer to a search. Id and Type of documents, and the entries of
// Banners, Quicklinks and Facets, are shapes of ours.
type searchAnswer struct {
	TypedDocuments []typedDocument           `json:"TypedDocuments"`
	TotalDocument  int                       `json:"TotalDocument"`
	QueryID        string                    `json:"QueryId"`
	FixedQuery     string                    `json:"FixedQuery"` // what was searched for in place of a query that finds nothing
	ResponseTime   int64                     `json:"ResponseTime"`
	Banners        []shownBanner             `json:"Banners"`
	Quicklinks     []shownQuicklink          `json:"Quicklinks"`
	Facets         map[string][]search.Count `json:"Facets"`
	Suggestions    []string                  `json:"Suggestions"`
}

type typedDocument struct {
	ID     string                `json:"Id"`
	Type   int                   `json:"Type"`
	Fields map[string]typedField `json:"Fields"`
}

// typedField is a field of a document that was found; Value is the first of Values.
type typedField struct {
	Value      string   `json:"Value"`
	Values     []string `json:"Values"`
	Highlights []string `json:"Highlights"` // HTML: escaped, with the words searched for in <b>
	IsArray    bool     `json:"IsArray"`
}

// searchAnswer searches, and once more in other words when nothing is found.
func (s *Service) searchAnswer(c *call, request searchRequest) (searchAnswer, error) {
	answer := searchAnswer{
		TypedDocuments: []typedDocument{}, Suggestions: []string{}, Facets: map[string][]search.Count{},
		QueryID: s.issue(idQuery, c.customer, c.engine, ""),
	}
	rules, err := s.rulesFor(c, *request.Query)
	if err != nil {
		return answer, err
	}
	answer.Banners, answer.Quicklinks = rules.banners, rules.quicklinks
	k, err := s.searched(c.r.Context(), c.customer)
	if k == nil || err != nil {
		return answer, err
	}
	q := request.query()
	q.Crawlers = s.feeds[c.engine]
	if q.Synonyms, err = s.synonyms(c.customer); err != nil {
		return answer, err
	}
	found, err := ranked(c.r.Context(), k.index, q, rules)
	if err == nil && found.Total == 0 {
		found, answer.FixedQuery, err = s.searchFixed(c, k.index, q, rules)
	}
	if err != nil {
		return answer, err
	}
	if answer.FixedQuery != "" {
		answer.Suggestions = append(answer.Suggestions, answer.FixedQuery)
	}
	answer.TotalDocument, answer.Facets = found.Total, found.Facets
	docs, err := s.stored(c.customer, found.Hits)
	for _, doc := range docs {
		answer.TypedDocuments = append(answer.TypedDocuments, typed(doc, request.Fields, found.Marker))
	}
	return answer, err
}

// searchFixed searches for the words of the index that are nearest to the query's.
func (s *Service) searchFixed(c *call, index *search.Index, q search.Query, rules rules) (search.Result, string, error) {
	fixed, changed, err := index.Fix(q.Text)
	if err != nil || !changed {
		return search.Result{Facets: map[string][]search.Count{}}, "", err
	}
	q.Text = fixed
	found, err := ranked(c.r.Context(), index, q, rules)
	if found.Total == 0 {
		fixed = ""
	}
	return found, fixed, err
}

// typed returns a document as it is answered, with the fields that were asked for.
func typed(doc wire.Document, names []string, marker *search.Marker) typedDocument {
	t := typedDocument{ID: doc.ID, Fields: map[string]typedField{}}
	if doc.Type != nil && *doc.Type == fileContent {
		t.Type = 1
	}
	for name := range doc.Fields {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		field := typedField{Values: valuesOf(doc, name), Highlights: []string{}}
		field.IsArray = strings.HasPrefix(string(doc.Fields[name]), "[")
		for i, value := range field.Values {
			if i == 0 {
				field.Value = value
			}
			field.Highlights = append(field.Highlights, marker.Mark(languageOf(doc), value)...)
		}
		t.Fields[name] = field
	}
	return t
}
