package query

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// The bounds of a search: results of a page, and the last result that is ever answered.
const (
	defaultPerPage  = 10
	strictPerPage   = 100
	maxPerPage      = 1_000
	maxResults      = 10_000
	maxSearchFields = 21 // in filters, facets and sort: each costs a look at all documents
	maxBody         = 8 << 10

	facetField = "Category" // whose values are counted without being asked for
)

// Request is a search, or an autocompletion.
type Request struct {
	Query         search.Query // as far as visitors say
	Page, PerPage int          // from 1 on
	Fields        []string     // to answer with; empty: all except Content
	Highlight     bool

	loose   bool   // the forms of public clients beyond the specification are taken, too
	text    string // as older clients call the query
	kind    string // of the answer, in lower case
	ignored []string
}

// read reads the keys of a request, in any case, into what keys name; nil does nothing for a key.
// Unless others are ignored, it errs for a key that is not known.
func (r *Request) read(sent []member, keys map[string]any, others bool) error {
	if !r.loose {
		keys["text"] = nil
	}
	for _, m := range sent {
		for key := range keys {
			if strings.EqualFold(key, m.name) {
				m.name, m.path = key, key
			}
		}
		to, known := keys[m.name]
		asked, _ := wire.Text(m.value)
		switch {
		case !known && !others:
			return web.BadRequest("unknown key %.60q", m.name)
		case string(m.value) == "null":
		case to != nil:
			if err := m.into(to); err != nil {
				return err
			}
		case !slices.Contains([]string{"", "false", "[]", "{}"}, asked): // it asks for something
			r.ignored = append(r.ignored, m.name)
		}
	}
	if r.Query.Text != "" && r.text != "" {
		r.ignored = append(r.ignored, "text")
	}
	r.Query.Text = cmp.Or(r.Query.Text, r.text)
	return nil
}

// decodeSearch reads a search. Its keys are those that the hosted service takes: postFilterOperator
// is written both ways.
func decodeSearch(body []byte, strict bool) (Request, error) {
	r := Request{Page: 1, PerPage: defaultPerPage, Highlight: true, loose: !strict}
	r.Query.Facets = map[string][]string{facetField: nil}
	sent, err := member{path: "the body", value: body, loose: r.loose}.members("an object with a query")
	if err != nil {
		return r, err
	}
	q := &r.Query
	err = r.read(sent, map[string]any{
		"query": &q.Text, "text": &r.text, "operator": choice{&q.All, "OR", "AND"},
		"page": &r.Page, "perPage": &r.PerPage, "sort": &q.Sort,
		"fields": &r.Fields, "highlight": &r.Highlight, "responseType": &r.kind,
		"filters": &q.Filters, "notFilters": &q.NotFilters, "postFilters": &q.PostFilters,
		"postFilterOperator": choice{&q.PostAny, "AND", "OR"}, "postFiltersOperator": choice{&q.PostAny, "AND", "OR"},
		"facets": q.Facets, "enableFacetFiltering": &q.FilterFacets,

		"enableHybridSearch": nil, "enableRelatedSearches": nil, "overlay": nil,
		"rangeFacets": nil, "template": nil, "valueBoost": nil,
	}, r.loose)
	most := strictPerPage
	if r.loose {
		most, r.Page = maxPerPage, max(r.Page, 1)
		asks := func(m member) bool { return strings.EqualFold(m.name, "query") || strings.EqualFold(m.name, "text") }
		if strings.TrimSpace(q.Text) == "" && slices.ContainsFunc(sent, asks) {
			q.Text = search.Everything
		}
	}
	return r, cmp.Or(err, r.check(most))
}

// check errs where the bounds are not kept to, and for a type of answer that is not known.
func (r *Request) check(most int) error {
	r.kind = strings.ToLower(r.kind)
	switch {
	case r.kind != "" && r.kind != "jsonobject" && (!r.loose || r.kind != "json" && r.kind != "jsonhtml"):
		return web.BadRequest("responseType must be JsonObject")
	case strings.TrimSpace(r.Query.Text) == "":
		return web.BadRequest("query is required; %s lists everything", search.Everything)
	case r.Page < 1 || r.PerPage < 1 || r.PerPage > most:
		return web.BadRequest("page must be 1 or more, perPage and results 1 to %d", most)
	}
	fields := len(r.Query.Facets) + len(r.Query.Sort)
	for _, f := range []search.Filters{r.Query.Filters, r.Query.NotFilters, r.Query.PostFilters} {
		fields += len(f.Values) + len(f.Ranges)
	}
	if fields > maxSearchFields {
		return web.BadRequest("filters, facets and sort can name no more than %d fields together", maxSearchFields)
	}
	return nil
}
