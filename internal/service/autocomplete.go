package service

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"sitesync/internal/service/search"
)

// The bounds of an autocompletion.
const (
	defaultCompletions = 5
	maxCompletions     = 50
)

// completed is the answer to autocomplete.
type completed struct {
	Results          []completedResult `json:"results"`
	Suggestions      []string          `json:"suggestions"`
	TotalResults     int               `json:"totalResults"`
	TotalSuggestions int               `json:"totalSuggestions"`
	QueryID          string            `json:"queryId"`
}

type completedResult struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"`
}

// autocomplete is GET autocomplete: what begins with the last word of a query.
func (s *Service) autocomplete(c *call) (reply, error) {
	text, size, err := completionOf(c.r.URL.RawQuery)
	if err != nil {
		return reply{}, err
	}
	answer := completed{Results: []completedResult{}, Suggestions: []string{}, QueryID: s.issue(idQuery, c.customer, c.engine, "")}
	k, err := s.searched(c.r.Context(), c.customer)
	if k == nil || err != nil {
		return okReply(answer, cancelled(c, err))
	}
	found, err := k.index.Complete(c.r.Context(), search.Query{Text: text, Crawlers: s.feeds[c.engine], Size: size}, size)
	if err != nil {
		return reply{}, cancelled(c, err)
	}
	docs, err := s.stored(c.customer, found.Hits)
	for _, doc := range docs {
		answer.Results = append(answer.Results, completedResult{doc.ID, plainFields(doc)})
	}
	answer.Suggestions = append(answer.Suggestions, found.Texts...)
	answer.TotalResults, answer.TotalSuggestions = found.Total, found.Count
	return okReply(answer, err)
}

// completionOf reads the query of an autocompletion: query and results, each once.
func completionOf(raw string) (text string, size int, err error) {
	values, err := url.ParseQuery(raw)
	if texts := values["query"]; err != nil || len(texts) != 1 || strings.TrimSpace(texts[0]) == "" || !utf8.ValidString(texts[0]) {
		return "", 0, badRequest("query is required, once")
	}
	size = defaultCompletions
	if sizes, given := values["results"]; given {
		if size, err = strconv.Atoi(sizes[0]); err != nil || len(sizes) > 1 || size < 1 || size > maxCompletions {
			return "", 0, badRequest("results must be one number, 1 to %d", maxCompletions)
		}
	}
	return values["query"][0], size, nil
}
