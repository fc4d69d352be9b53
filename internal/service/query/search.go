package query

import (
	"context"
	"maps"
	"slices"
	"time"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Finder answers visitors.
type Finder struct {
	Store   *store.Store
	Tools   *tools.Tools
	Signer  web.Signer // of the IDs in answers
	Content bool       // a search answers Content also where fields does not name it
	Now     func() time.Time
}

// Routes are search and autocomplete, v4 and v3 with the same answers, and the answers and
// summaries of v4.
func (f *Finder) Routes() (routes []web.Route) {
	add := func(pattern string, handle web.Handler) {
		const takes = web.SiteKey | web.Basic
		routes = append(routes, web.Route{Pattern: pattern, Takes: takes, Handle: handle, MaxBody: maxBody, InTurn: true})
	}
	for _, version := range []string{"v3", "v4"} {
		engine := "/api/" + version + "/{customer}/{engine}/"
		add("POST "+engine+"search", f.search)
		add("POST "+engine+"autocomplete", f.autocomplete)
		add("GET "+engine+"autocomplete", f.autocomplete)
	}
	const v4 = "POST /api/v4/{customer}/{engine}/search/"
	add(v4+"answer", f.chat)
	add(v4+"summarize", f.summarize)
	add(v4+"summarize/stream", f.stream)
	return routes
}

// scope completes a query with the synonyms of an engine, and with the documents that its rankings
// hide. It returns all rules of search tools for the query.
func (f *Finder) scope(q *search.Query, customer, engine int64) (tools.Rules, error) {
	rules, err := f.Tools.Rules(customer, engine, q.Text, f.Now())
	if err != nil {
		return rules, err
	}
	q.Without = rules.Hidden
	q.Synonyms, err = tools.All[wire.SynonymGroup](f.Tools, customer, wire.KindSynonyms)
	return rules, err
}

// The bounds of an answer, in bytes.
const (
	answerRoom = 4 << 20 // for all values together
	leastRoom  = 1000    // that each value has in any case
)

// Answer is the answer to a search, with the keys that the vendor's component library reads.
// Id and Type of documents, Quicklinks and Ignored are ours. TopHits, Synonyms and
// RelatedSearchDocuments are empty.
type Answer struct {
	TypedDocuments []TypedDocument
	TotalDocument  int
	QueryID        string `json:"QueryId"`
	FixedQuery     string // the query that replaced one that finds nothing
	ResponseTime   int64
	Banners        []tools.Banner
	Quicklinks     []tools.Quicklink
	Facets         map[string]search.Facet
	Suggestions    []Suggestion
	Ignored        []string `json:",omitempty"` // keys of the request for which nothing was done
	Notes          []string `json:",omitempty"` // parts of the query that make no difference

	TopHits, Synonyms, RelatedSearchDocuments [0]string
	GenerativeAnswerAvailable                 bool // a summary has something to quote
}

// Suggestion is a query that may be meant.
type Suggestion struct{ Text string }

// TypedDocument is a document that was found.
type TypedDocument struct {
	ID          string `json:"Id"`
	Type        int
	ResultIndex int // from 1 on
	Fields      map[string]TypedField
	FieldNames  []string // of Fields
}

// TypedField is a field of a document that was found; Value is the only one of Values.
type TypedField struct {
	Field      string
	Value      string
	Values     []string
	Highlights []string // HTML: escaped, with the words searched for in <b>
	IsArray    bool     // never
}

// search is POST search.
func (f *Finder) search(c *web.Call) (web.Reply, error) {
	asked, err := decodeSearch(c.Body, c.Strict)
	if err != nil {
		return web.Reply{}, err
	}
	a, err := f.Find(c.Request.Context(), c.Customer, c.Engine, asked)
	if asked.kind == "jsonhtml" && err == nil {
		return web.OK(rendered(a))
	}
	return web.OK(a, err)
}

// Find searches for visitors of an engine. It errs with ctx's error.
func (f *Finder) Find(ctx context.Context, customer, engine int64, asked Request) (a Answer, err error) {
	start := time.Now()
	q := asked.Query
	q.From = min(min(asked.Page-1, maxResults)*asked.PerPage, maxResults)
	q.Size = min(asked.PerPage, maxResults-q.From)
	rules, err := f.scope(&q, customer, engine)
	if err != nil {
		return a, err
	}
	a = Answer{
		Suggestions: []Suggestion{}, Ignored: asked.ignored,
		QueryID: f.Signer.Issue(web.IDQuery, customer, engine, ""), Banners: rules.Banners, Quicklinks: rules.Quicklinks,
	}
	if len(q.Sort) == 0 {
		q.Pins = rules.Pins
	}
	found, err := search.Search(ctx, f.Store, customer, q)
	if err != nil {
		return a, err
	}
	if found.Fixed != "" {
		a.Suggestions = append(a.Suggestions, Suggestion{found.Fixed})
	}
	if !found.Typed {
		a.FixedQuery = found.Fixed
	}
	a.TotalDocument, a.Facets, a.Notes = found.Total, found.Facets, found.Notes
	a.GenerativeAnswerAvailable = found.Total > 0
	if !asked.Highlight {
		found.Marker = nil
	}
	a.TypedDocuments, err = f.shown(ctx, customer, found, asked.Fields)
	for i := range a.TypedDocuments {
		a.TypedDocuments[i].ResultIndex += q.From
	}
	a.ResponseTime = time.Since(start).Milliseconds()
	return a, err
}

// shown returns the documents that were found as they are answered, with the fields that are named, as far as
// there is room. Without names they have all fields, and those by which the vendor's components choose
// a title: _type, and the title of a file as fc_Title.
func (f *Finder) shown(ctx context.Context, customer int64, r search.Result, names []string) ([]TypedDocument, error) {
	all, room := []TypedDocument{}, answerRoom
	err := f.Store.Stored(ctx, customer, r.Hits, func(doc wire.Document) {
		t := TypedDocument{ID: doc.ID, Type: store.TypeNumber(doc), ResultIndex: len(all) + 1}
		t.Fields = map[string]TypedField{}
		values := map[string]string{"Id": doc.ID, "_type": "PageContent"}
		if t.Type == 1 {
			values["_type"], values["fc_Title"] = "FileContent", store.Text(doc, "Title")
		}
		for name := range doc.Fields {
			values[name] = store.Text(doc, name)
		}
		for name, value := range values {
			if len(names) > 0 && !slices.Contains(names, name) || len(names) == 0 && name == "Content" && !f.Content {
				continue
			}
			field := TypedField{Field: name, Highlights: []string{}}
			if r.Marker != nil {
				field.Highlights = append(field.Highlights, r.Marker.Mark(store.Text(doc, "Language"), value)...)
			}
			field.Value = head(value, max(room, leastRoom))
			room -= len(field.Value)
			field.Values = []string{field.Value}
			t.Fields[name] = field
		}
		t.FieldNames = slices.Sorted(maps.Keys(t.Fields))
		all = append(all, t)
	})
	return all, err
}
