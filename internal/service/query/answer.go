package query

import (
	"context"
	"slices"
	"strings"
	"time"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// answer is the answer to a search. Id and Type of documents, and the entries of
// Banners, Quicklinks and Facets, are shapes of ours.
type answer struct {
	TypedDocuments []typedDocument           `json:"TypedDocuments"`
	TotalDocument  int                       `json:"TotalDocument"`
	QueryID        string                    `json:"QueryId"`
	FixedQuery     string                    `json:"FixedQuery"` // what was searched for in place of a query that finds nothing
	ResponseTime   int64                     `json:"ResponseTime"`
	Banners        []tools.Banner            `json:"Banners"`
	Quicklinks     []tools.Quicklink         `json:"Quicklinks"`
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

// search is POST search. It searches once more in other words when nothing is found.
func (f *Finder) search(c *web.Call) (web.Reply, error) {
	start, ctx := time.Now(), c.Request.Context()
	asked, err := decodeRequest(c.Body)
	if err != nil {
		return web.Reply{}, err
	}
	rules, err := f.Tools.Rules(c.Customer, c.Engine, *asked.Query, f.Now())
	if err != nil {
		return web.Reply{}, err
	}
	a := answer{
		TypedDocuments: []typedDocument{}, Suggestions: []string{}, Facets: map[string][]search.Count{},
		QueryID: f.Signer.Issue(web.IDQuery, c.Customer, c.Engine, ""), Banners: rules.Banners, Quicklinks: rules.Quicklinks,
	}
	index, err := f.Store.Searched(ctx, c.Customer)
	if index == nil || err != nil {
		return web.OK(a, cancelled(c, err))
	}
	q := asked.query()
	q.Crawlers = f.Feeds[c.Engine]
	if q.Synonyms, err = f.synonyms(c.Customer); err != nil {
		return web.Reply{}, err
	}
	found, err := ranked(ctx, index, q, rules)
	if err == nil && found.Total == 0 {
		found, a.FixedQuery, err = searchFixed(ctx, index, q, rules)
	}
	if err != nil {
		return web.Reply{}, cancelled(c, err)
	}
	if a.FixedQuery != "" {
		a.Suggestions = append(a.Suggestions, a.FixedQuery)
	}
	a.TotalDocument, a.Facets = found.Total, found.Facets
	docs, err := f.Store.Stored(c.Customer, found.Hits)
	for _, doc := range docs {
		a.TypedDocuments = append(a.TypedDocuments, typed(doc, asked.Fields, found.Marker))
	}
	a.ResponseTime = time.Since(start).Milliseconds()
	return web.OK(a, err)
}

// searchFixed searches for the words of the index that are nearest to the query's.
func searchFixed(ctx context.Context, index *search.Index, q search.Query, rules tools.Rules) (search.Result, string, error) {
	fixed, changed, err := index.Fix(q.Text)
	if err != nil || !changed {
		return search.Result{Facets: map[string][]search.Count{}}, "", err
	}
	q.Text = fixed
	found, err := ranked(ctx, index, q, rules)
	if found.Total == 0 {
		fixed = ""
	}
	return found, fixed, err
}

// typed returns a document as it is answered, with the fields that were asked for.
func typed(doc wire.Document, names []string, marker *search.Marker) typedDocument {
	t := typedDocument{ID: doc.ID, Type: store.TypeNumber(doc), Fields: map[string]typedField{}}
	for name := range doc.Fields {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		field := typedField{Values: store.Values(doc, name), Highlights: []string{}}
		field.IsArray = strings.HasPrefix(string(doc.Fields[name]), "[")
		for i, value := range field.Values {
			if i == 0 {
				field.Value = value
			}
			field.Highlights = append(field.Highlights, marker.Mark(store.First(doc, "Language"), value)...)
		}
		t.Fields[name] = field
	}
	return t
}
