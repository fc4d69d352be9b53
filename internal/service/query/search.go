package query

import (
	"context"
	"html/template"
	"maps"
	"slices"
	"strings"
	"time"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Finder serves searches, autocomplete, answers and summaries.
type Finder struct {
	Store   *store.Store
	Tools   *tools.Tools
	Signer  web.Signer
	Content bool // a search returns the field Content even if the request does not list it
	Now     func() time.Time
}

// Routes returns the routes of the API: search and autocomplete in v3 and v4, answers and summaries in v4.
func (f *Finder) Routes() (routes []web.Route) {
	const v3, v4 = "/api/v3/{customer}/{engine}/", "/api/v4/{customer}/{engine}/"
	for pattern, handle := range map[string]web.Handler{
		"POST " + v3 + "search": f.search, "POST " + v4 + "search": f.search,
		"POST " + v3 + "autocomplete": f.autocomplete, "POST " + v4 + "autocomplete": f.autocomplete,
		"GET " + v3 + "autocomplete": f.autocomplete, "GET " + v4 + "autocomplete": f.autocomplete,
		"POST " + v4 + "search/answer": f.chat, "POST " + v4 + "search/summarize": f.summarize,
		"POST " + v4 + "search/summarize/stream": f.stream,
	} {
		routes = append(routes, web.Route{
			Pattern: pattern, Takes: web.SiteKey | web.Basic, Handle: handle, MaxBody: maxBody, InTurn: true,
		})
	}
	return routes
}

// run searches with the customer's synonyms, without the documents that editors of the engine (a site search)
// hide. If pins is true, it adds the documents that editors pin to a rank. rules holds the effects of all
// editors' settings (search tools) on the query.
func (f *Finder) run(ctx context.Context, customer, engine int64, q search.Query, pins bool) (
	found search.Result, rules tools.Rules, err error,
) {
	rules, err = f.Tools.Rules(customer, engine, q.Text, f.Now())
	if err != nil {
		return found, rules, err
	}
	q.Synonyms, err = tools.All[wire.SynonymGroup](f.Tools, customer, wire.KindSynonyms)
	if err != nil {
		return found, rules, err
	}
	q.NotFilters = append(q.NotFilters, search.Named(customer, rules.Hidden))
	if pins {
		q.Pins = rules.Pins
	}
	found, err = search.Search(ctx, f.Store, customer, q)
	return found, rules, err
}

// Limits for the field values in a response, in bytes.
const (
	answerRoom = 4 << 20 // for all values of a response together
	leastRoom  = 1000    // minimum for each value, even if answerRoom is used up
)

// Answer is the response of a search, with the keys that the vendor's component library reads. Extensions are
// Quicklinks, Ignored, Notes, and the Id and Type of documents. Members of type [0]string are always empty.
type Answer struct {
	TypedDocuments []TypedDocument
	TotalDocument  int
	QueryID        string `json:"QueryId"`
	FixedQuery     string // the corrected query, if no document matched the query as typed
	ResponseTime   int64
	Banners        []tools.Banner
	Quicklinks     []tools.Quicklink
	Facets         map[string]search.Facet
	Suggestions    []struct{ Text string } // corrected queries
	Ignored        []string                `json:",omitempty"` // keys of the request that had no effect
	Notes          []string                `json:",omitempty"` // messages about ignored parts of the query text

	TopHits, Synonyms, RelatedSearchDocuments [0]string
	GenerativeAnswerAvailable                 bool // true if the search found a document to quote
}

// TypedDocument is one document of a search's results.
type TypedDocument struct {
	ID          string `json:"Id"`
	Type        int
	ResultIndex int // position in all results, counted from 1
	Fields      map[string]TypedField
	FieldNames  []string // the keys of Fields, sorted
}

// TypedField is one field of a TypedDocument. Value is the only element of Values.
type TypedField struct {
	Field      string
	Value      string
	Values     []string
	Highlights []string // fragments in HTML: escaped, with the query's words in <b>
	IsArray    bool     // always false
}

func (f *Finder) search(c *web.Call) (web.Reply, error) {
	asked, err := decodeSearch(c.Body, c.Strict)
	if err != nil {
		return web.Reply{}, err
	}
	a, err := f.Find(c.Request.Context(), c.Customer, c.Engine, asked)
	if asked.responseType == "jsonhtml" && err == nil {
		return web.OK(rendered(a))
	}
	return web.OK(a, err)
}

// Find searches the documents of an engine. It returns an error if ctx ends or the store can't be read.
func (f *Finder) Find(ctx context.Context, customer, engine int64, asked Request) (a Answer, err error) {
	start := time.Now()
	q := asked.Query
	q.From = min(min(asked.Page-1, maxResults)*asked.PerPage, maxResults)
	q.Size = min(asked.PerPage, maxResults-q.From)
	found, rules, err := f.run(ctx, customer, engine, q, len(q.Sort) == 0)
	if err != nil {
		return a, err
	}
	a = Answer{
		TotalDocument: found.Total, QueryID: f.Signer.Issue(web.IDQuery, customer, engine, ""),
		Banners: rules.Banners, Quicklinks: rules.Quicklinks, Facets: found.Facets,
		Suggestions: []struct{ Text string }{}, Ignored: asked.ignored, Notes: found.Notes,
		GenerativeAnswerAvailable: found.Total > 0,
	}
	if found.Fixed != "" {
		a.Suggestions = append(a.Suggestions, struct{ Text string }{found.Fixed})
	}
	if !found.Typed {
		a.FixedQuery = found.Fixed
	}
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

// shown returns the found documents with the fields in names. If names is empty, it returns all fields, but
// Content only if f.Content is true. It cuts values when they exceed answerRoom together. The extra fields
// _type and, for files, fc_Title tell the vendor's web components which title to show.
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

// parts are the HTML templates of a response. By the data attributes, the vendor's script recognizes
// clicks on results and facet values.
var parts = template.Must(template.New("").Funcs(template.FuncMap{"marked": marked}).Parse(`
{{- define "SearchResult"}}<ul class="search-results">{{range .TypedDocuments}}
<li class="search-results-item">
<a href="{{(index .Fields "Url").Value}}" data-cludo-result="searchresult" data-cludo-index="{{.ResultIndex}}">
<h2>{{marked (index .Fields "Title")}}</h2><p>{{marked (index .Fields "Description")}}</p></a></li>{{end}}
</ul>{{end}}
{{- define "Facets"}}{{range .Facets}}{{$field := .FieldName}}
<ul class="search-facets" data-facet="{{$field}}">{{range .Items}}
<li><a href="#" data-facet="{{$field}}" data-value="{{.Key}}">{{.Key}} <span>{{.Count}}</span></a></li>{{end}}
</ul>{{end}}{{end}}
{{- define "DidYouMean"}}{{range .Suggestions}}<a href="#">{{.Text}}</a>{{end}}{{end}}`))

func marked(field TypedField) template.HTML {
	if len(field.Highlights) > 0 {
		return template.HTML(strings.Join(field.Highlights, " … ")) //nolint:gosec // Highlights are escaped
	}
	return template.HTML(template.HTMLEscapeString(field.Value)) //nolint:gosec // the line escapes it
}

// rendered returns the response of type JsonHtml, with results, facets and suggestions as HTML.
func rendered(a Answer) (map[string]any, error) {
	all := map[string]any{
		"TotalDocuments": a.TotalDocument, "QueryId": a.QueryID, "FixedQuery": a.FixedQuery,
		"ResponseTime": a.ResponseTime, "Banners": a.Banners, "RelatedSearchesResult": "", "Ignored": a.Ignored,
	}
	for _, name := range []string{"SearchResult", "Facets", "DidYouMean"} {
		var html strings.Builder
		if err := parts.ExecuteTemplate(&html, name, a); err != nil {
			return nil, err
		}
		all[name] = html.String()
	}
	return all, nil
}
