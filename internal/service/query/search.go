package query

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Finder answers what visitors ask.
type Finder struct {
	Store  *store.Store
	Tools  *tools.Tools
	Signer web.Signer         // of the IDs in answers
	Feeds  map[int64][]string // the crawlers that feed an engine; all of its customer where it has none
	Now    func() time.Time
}

// Routes are search and autocomplete, v4 and v3 with the same answers, and the answers and
// summaries of v4.
func (f *Finder) Routes() (routes []web.Route) {
	const takes = web.SiteKey | web.Basic
	for _, version := range []string{"v3", "v4"} {
		engine := "/api/" + version + "/{customer}/{engine}/"
		routes = append(routes,
			web.Route{Pattern: "POST " + engine + "search", Takes: takes, Handle: f.search, MaxBody: maxBody, InTurn: true},
			web.Route{Pattern: "GET " + engine + "autocomplete", Takes: takes, Handle: f.autocomplete, InTurn: true})
	}
	const v4 = "POST /api/v4/{customer}/{engine}/search/"
	return append(routes,
		web.Route{Pattern: v4 + "answer", Takes: takes, Handle: f.chat, MaxBody: maxBody, InTurn: true},
		web.Route{Pattern: v4 + "summarize", Takes: takes, Handle: f.summarize, MaxBody: maxBody, InTurn: true})
}

// synonyms returns the customer's synonym groups.
func (f *Finder) synonyms(customer int64) (all []search.Synonyms, err error) {
	groups, err := tools.All[wire.SynonymGroup](f.Tools, customer, wire.KindSynonyms)
	for _, group := range groups {
		all = append(all, search.Synonyms{Language: group.Language, Words: group.Words})
	}
	return all, err
}

// Request is the body of a search. Keys that are not named here are ignored, as
// the hosted service has more of them.
type Request struct {
	Query      *string             `json:"query"`
	Page       *int                `json:"page"` // from 1 on
	PerPage    *int                `json:"perPage"`
	Filters    map[string][]string `json:"filters"`
	NotFilters map[string][]string `json:"notFilters"`
	Sort       sortOrder           `json:"sort"`
	Facets     map[string][]string `json:"facets"`
	Fields     []string            `json:"fields"` // to answer with; empty: all
	Operator   string              `json:"operator"`
}

// The bounds of a search: what is answered at once, and the last result that is
// answered at all.
const (
	defaultPerPage = 10
	maxPerPage     = 100
	maxResults     = 10_000
	maxSearchKeys  = 100 // fields, or values of one, in filters, facets and sort
	maxBody        = 8 << 10
)

// textRoom is how many bytes of values an answer still has room for.
type textRoom int

const (
	answerRoom textRoom = 4 << 20
	leastRoom  textRoom = 1000 // that each value has in any case
)

// take returns a value, cut where there is no room for it, and takes its room.
func (r *textRoom) take(value string) string {
	if room := max(*r, leastRoom); len(value) > int(room) {
		value = strings.ToValidUTF8(strings.Clone(value[:room]), "")
	}
	*r -= textRoom(len(value))
	return value
}

func decodeRequest(body []byte) (Request, error) {
	var r *Request
	err := json.Unmarshal(body, &r)
	var mismatch *json.UnmarshalTypeError
	var refused web.Problem
	switch {
	case errors.As(err, &refused):
		return Request{}, refused
	case errors.As(err, &mismatch) && mismatch.Field != "":
		return Request{}, web.BadRequest("%s can't be a JSON %s", mismatch.Field, mismatch.Value)
	case err != nil || r == nil:
		return Request{}, web.BadRequest("the body must be an object with a query")
	}
	return *r, nil
}

func (r *Request) check() error {
	r.Page, r.PerPage = cmp.Or(r.Page, new(1)), cmp.Or(r.PerPage, new(defaultPerPage))
	switch {
	case r.Query == nil || strings.TrimSpace(*r.Query) == "":
		return web.BadRequest("query is required; %s lists everything", search.Everything)
	case *r.Page < 1:
		return web.BadRequest("page must be 1 or more")
	case *r.PerPage < 1 || *r.PerPage > maxPerPage:
		return web.BadRequest("perPage must be 1 to %d", maxPerPage)
	case r.Operator != "" && r.Operator != "and" && r.Operator != "or":
		return web.BadRequest("the operator %q is none of and, or", r.Operator)
	case max(len(r.Filters), len(r.NotFilters), len(r.Facets), len(r.Sort), len(r.Fields)) > maxSearchKeys:
		return web.BadRequest("no more than %d fields can be named", maxSearchKeys)
	}
	for _, filter := range []map[string][]string{r.Filters, r.NotFilters} {
		for name, values := range filter {
			if len(values) == 0 || len(values) > maxSearchKeys {
				return web.BadRequest("the filter of %q must have 1 to %d values", name, maxSearchKeys)
			}
		}
	}
	return nil
}

// query returns what is searched for, as far as the request says: nothing beyond maxResults.
func (r *Request) query() search.Query {
	from := min(*r.Page-1, maxResults) * *r.PerPage
	return search.Query{
		Text: *r.Query, All: r.Operator == "and", Filters: r.Filters, NotFilters: r.NotFilters,
		Sort: r.Sort, Facets: r.Facets, From: from, Size: max(0, min(*r.PerPage, maxResults-from)),
	}
}

// sortOrder is an object of asc and desc by field, in its order.
type sortOrder []search.Order

// UnmarshalJSON reads the object.
func (o *sortOrder) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return web.BadRequest("sort must be an object of asc or desc by field")
	}
	for dec.More() {
		field, err := dec.Token()
		direction, err2 := dec.Token()
		if err := cmp.Or(err, err2); err != nil || direction != "asc" && direction != "desc" {
			return web.BadRequest("sort: a field is sorted asc or desc")
		}
		name, _ := field.(string)
		*o = append(*o, search.Order{Field: name, Desc: direction == "desc"})
	}
	return nil
}

// Answer is the answer to a search. Id and Type of documents, and the entries of
// Banners, Quicklinks and Facets, are shapes of ours.
type Answer struct {
	TypedDocuments []TypedDocument           `json:"TypedDocuments"`
	TotalDocument  int                       `json:"TotalDocument"`
	QueryID        string                    `json:"QueryId"`
	FixedQuery     string                    `json:"FixedQuery"` // what was searched for in place of a query that finds nothing
	ResponseTime   int64                     `json:"ResponseTime"`
	Banners        []tools.Banner            `json:"Banners"`
	Quicklinks     []tools.Quicklink         `json:"Quicklinks"`
	Facets         map[string][]search.Count `json:"Facets"`
	Suggestions    []string                  `json:"Suggestions"`
}

// TypedDocument is a document that was found.
type TypedDocument struct {
	ID     string                `json:"Id"`
	Type   int                   `json:"Type"`
	Fields map[string]TypedField `json:"Fields"`
}

// TypedField is a field of a document that was found; Value is the first of Values.
type TypedField struct {
	Value      string   `json:"Value"`
	Values     []string `json:"Values"`
	Highlights []string `json:"Highlights"` // HTML: escaped, with the words searched for in <b>
	IsArray    bool     `json:"IsArray"`
}

// search is POST search.
func (f *Finder) search(c *web.Call) (web.Reply, error) {
	asked, err := decodeRequest(c.Body)
	if err != nil {
		return web.Reply{}, err
	}
	return web.OK(f.Find(c.Request.Context(), c.Customer, c.Engine, asked))
}

// Find searches for visitors of an engine, once more in other words when nothing is found.
// It errs with web.Problem for a request that makes no sense, and with ctx's error.
func (f *Finder) Find(ctx context.Context, customer, engine int64, asked Request) (a Answer, err error) {
	start := time.Now()
	if err := asked.check(); err != nil {
		return a, err
	}
	rules, err := f.Tools.Rules(customer, engine, *asked.Query, f.Now())
	if err != nil {
		return a, err
	}
	a = Answer{
		TypedDocuments: []TypedDocument{}, Suggestions: []string{}, Facets: map[string][]search.Count{},
		QueryID: f.Signer.Issue(web.IDQuery, customer, engine, ""), Banners: rules.Banners, Quicklinks: rules.Quicklinks,
	}
	index, err := f.Store.Searched(customer)
	if index == nil || err != nil {
		return a, err
	}
	q := asked.query()
	q.Crawlers = f.Feeds[engine]
	q.Synonyms, err = f.synonyms(customer)
	if err != nil {
		return a, err
	}
	found, err := ranked(ctx, index, q, rules)
	if err == nil && found.Total == 0 {
		found, a.FixedQuery, err = searchFixed(ctx, index, q, rules)
	}
	if err != nil {
		return a, err
	}
	if a.FixedQuery != "" {
		a.Suggestions = append(a.Suggestions, a.FixedQuery)
	}
	a.TotalDocument, a.Facets = found.Total, found.Facets
	room := answerRoom
	err = f.Store.Stored(ctx, customer, found.Hits, func(doc wire.Document) {
		a.TypedDocuments = append(a.TypedDocuments, typed(doc, asked.Fields, found.Marker, &room))
	})
	a.ResponseTime = time.Since(start).Milliseconds()
	return a, err
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

// typed returns a document as it is answered, with the fields that were asked for, as far
// as there is room.
func typed(doc wire.Document, names []string, marker *search.Marker, room *textRoom) TypedDocument {
	t := TypedDocument{ID: doc.ID, Type: store.TypeNumber(doc), Fields: map[string]TypedField{}}
	for name := range doc.Fields {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		field := TypedField{Values: store.Values(doc, name), Highlights: []string{}}
		field.IsArray = strings.HasPrefix(string(doc.Fields[name]), "[")
		for i, value := range field.Values {
			field.Highlights = append(field.Highlights, marker.Mark(store.First(doc, "Language"), value)...)
			field.Values[i] = room.take(value)
		}
		if len(field.Values) > 0 {
			field.Value = field.Values[0]
		}
		t.Fields[name] = field
	}
	return t
}
