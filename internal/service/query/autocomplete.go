package query

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
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

// autocomplete is GET autocomplete: what begins with the last word of a query, which comes
// once, as does the number of results.
func (f *Finder) autocomplete(c *web.Call) (web.Reply, error) {
	values, err := url.ParseQuery(c.Request.URL.RawQuery)
	texts, size := values["query"], defaultCompletions
	if err != nil || len(texts) != 1 || strings.TrimSpace(texts[0]) == "" || !utf8.ValidString(texts[0]) {
		return web.Reply{}, web.BadRequest("query is required, once")
	}
	if sizes, given := values["results"]; given {
		if size, err = strconv.Atoi(sizes[0]); err != nil || len(sizes) > 1 || size < 1 || size > maxCompletions {
			return web.Reply{}, web.BadRequest("results must be one number, 1 to %d", maxCompletions)
		}
	}
	a := completed{Results: []completedResult{}, Suggestions: []string{}, QueryID: f.Signer.Issue(web.IDQuery, c.Customer, c.Engine, "")}
	index, err := f.Store.Searched(c.Customer)
	if index == nil || err != nil {
		return web.OK(a, cancelled(c, err))
	}
	found, err := index.Complete(c.Request.Context(), search.Query{Text: texts[0], Crawlers: f.Feeds[c.Engine], Size: size}, size)
	if err != nil {
		return web.Reply{}, cancelled(c, err)
	}
	docs, err := f.Store.Stored(c.Customer, found.Hits)
	for _, doc := range docs {
		fields := map[string]string{}
		for name := range doc.Fields {
			fields[name] = store.First(doc, name)
		}
		a.Results = append(a.Results, completedResult{doc.ID, fields})
	}
	a.Suggestions = append(a.Suggestions, found.Texts...)
	a.TotalResults, a.TotalSuggestions = found.Total, found.Count
	return web.OK(a, err)
}
