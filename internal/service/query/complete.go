package query

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// The bounds of an autocompletion.
const (
	defaultCompletions = 5
	maxCompletions     = 50
)

// completed is the answer to autocomplete. Ignored is ours.
type completed struct {
	Results          []completedResult `json:"results"`
	Suggestions      []string          `json:"suggestions"`
	TotalResults     int               `json:"totalResults"`
	TotalSuggestions int               `json:"totalSuggestions"`
	QueryID          string            `json:"queryId"`
	Ignored          []string          `json:"ignored,omitempty"` // parameters for which nothing was done
}

type completedResult struct {
	ID     string            `json:"id"`
	Fields map[string]string `json:"fields"` // Title and Url
}

// autocomplete is GET autocomplete: what begins with the last word of a query.
func (f *Finder) autocomplete(c *web.Call) (web.Reply, error) {
	q, ignored, err := decodeCompletion(c.Request.URL.RawQuery)
	if err != nil {
		return web.Reply{}, err
	}
	a := completed{Results: []completedResult{}, Suggestions: []string{}, QueryID: f.Signer.Issue(web.IDQuery, c.Customer, c.Engine, ""), Ignored: ignored}
	if _, err := f.scope(&q, c.Customer, c.Engine); err != nil {
		return web.Reply{}, err
	}
	found, err := search.Complete(c.Request.Context(), f.Store, c.Customer, q, q.Size)
	if err != nil {
		return web.Reply{}, err
	}
	room := answerRoom
	err = f.Store.Stored(c.Request.Context(), c.Customer, found.Hits, func(doc wire.Document) {
		fields := map[string]string{}
		for _, name := range []string{"Title", "Url"} {
			if value := store.Text(doc, name); value != "" {
				fields[name] = room.take(value)
			}
		}
		a.Results = append(a.Results, completedResult{doc.ID, fields})
	})
	a.Suggestions = append(a.Suggestions, found.Texts...)
	a.TotalResults, a.TotalSuggestions = found.Total, found.Count
	return web.OK(a, err)
}

// decodeCompletion reads the parameters of an autocompletion, each of which comes once, and
// lists those that are not known.
func decodeCompletion(parameters string) (q search.Query, ignored []string, err error) {
	values, err := url.ParseQuery(parameters)
	if err != nil {
		return q, nil, web.BadRequest("the parameters can't be read")
	}
	q.Size = defaultCompletions
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name][0]
		if len(values[name]) > 1 {
			return q, nil, web.BadRequest("%.100s comes twice", name)
		}
		switch name {
		case "query":
			q.Text = value
		case "results":
			q.Size, err = strconv.Atoi(value)
			if err != nil || q.Size < 1 || q.Size > maxCompletions {
				return q, nil, web.BadRequest("results must be one number, 1 to %d", maxCompletions)
			}
		case "filters":
			if value != "" { // as null in the body of a search
				q.Filters, err = member{path: name, value: json.RawMessage(value)}.filters()
			}
			if err == nil {
				err = checkFilters(map[string]search.Filters{name: q.Filters})
			}
		case "responseType":
			if !strings.EqualFold(value, "JsonObject") {
				err = web.BadRequest("responseType must be JsonObject, as no HTML is made here")
			}
		default:
			ignored = append(ignored, name)
		}
		if err != nil {
			return q, nil, err
		}
	}
	if strings.TrimSpace(q.Text) == "" || !utf8.ValidString(q.Text) {
		return q, nil, web.BadRequest("query is required, once")
	}
	return q, ignored, nil
}
