package query

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Limits for a search. Results beyond maxResults are never returned.
const (
	defaultPerPage  = 10
	strictPerPage   = 100
	maxPerPage      = 1_000
	maxResults      = 10_000
	maxSearchFields = 21 // fields in filters, facets and sort; each one costs a scan of all documents
	maxBody         = 8 << 10
)

// Request is a decoded search or autocomplete request.
type Request struct {
	Query         search.Query
	Page, PerPage int      // page number, counted from 1, and results per page
	Fields        []string // fields to return; empty: all except Content
	Highlight     bool

	loose        bool   // also accept what published client libraries send against the specification
	text         string // the query of older clients, from the key "text"
	hasQuery     bool
	responseType string
	ignored      []string
}

// decode decodes a request. keys maps each known key, in lower case, to a decoder or pointer for its value.
// If that is nil, the value is ignored. An unknown key is an error, unless ignoreUnknown is true.
func (r *Request) decode(body []byte, keys map[string]any, ignoreUnknown bool) error {
	if !r.loose {
		keys["text"] = nil
	}
	request := member{path: "the body", value: body, loose: r.loose}
	err := request.each("an object with a query", func(m member) error {
		key := strings.ToLower(m.name)
		to, known := keys[key]
		asked, _ := wire.Text(m.value)
		switch {
		case !known && !ignoreUnknown:
			return web.BadRequest("unknown key %.60q", m.name)
		case string(m.value) == "null":
		case to != nil:
			r.hasQuery = r.hasQuery || key == "query" || key == "text"
			return m.into(to)
		case !slices.Contains([]string{"", "false", "[]", "{}"}, asked): // the value is not empty
			r.ignored = append(r.ignored, m.name)
		}
		return nil
	})
	if r.Query.Text != "" && r.text != "" {
		r.ignored = append(r.ignored, "text")
	}
	r.Query.Text = cmp.Or(r.Query.Text, r.text)
	return err
}

// decodeSearch reads a search request. As in the hosted service, postFilterOperator has two spellings.
func decodeSearch(body []byte, strict bool) (Request, error) {
	r := Request{Page: 1, PerPage: defaultPerPage, Highlight: true, loose: !strict}
	q := &r.Query
	q.Facets = map[string][]string{"Category": nil} // this facet is always counted
	err := r.decode(body, map[string]any{
		"query": &q.Text, "text": &r.text, "operator": choice(&q.All, "OR", "AND"),
		"page": &r.Page, "perpage": &r.PerPage, "sort": order(&q.Sort),
		"fields": &r.Fields, "highlight": &r.Highlight, "responsetype": &r.responseType,
		"filters": filters(&q.Filters), "notfilters": filters(&q.NotFilters), "postfilters": filters(&q.PostFilters),
		"postfilteroperator": choice(&q.PostAny, "AND", "OR"), "postfiltersoperator": choice(&q.PostAny, "AND", "OR"),
		"facets": facets(q.Facets), "enablefacetfiltering": &q.FilterFacets,

		"enablehybridsearch": nil, "enablerelatedsearches": nil, "overlay": nil,
		"rangefacets": nil, "template": nil, "valueboost": nil,
	}, r.loose)
	most := strictPerPage
	if r.loose {
		most, r.Page = maxPerPage, max(r.Page, 1)
		if strings.TrimSpace(q.Text) == "" && r.hasQuery {
			q.Text = search.Everything
		}
	}
	return r, cmp.Or(err, r.check(most))
}

func (r *Request) check(most int) error {
	r.responseType = strings.ToLower(r.responseType)
	types := []string{"", "jsonobject"}
	if r.loose {
		types = append(types, "json", "jsonhtml")
	}
	switch {
	case !slices.Contains(types, r.responseType):
		return web.BadRequest("responseType must be JsonObject")
	case strings.TrimSpace(r.Query.Text) == "":
		return web.BadRequest("query is required; %s lists everything", search.Everything)
	case r.Page < 1 || r.PerPage < 1 || r.PerPage > most:
		return web.BadRequest("page must be 1 or more, perPage and results 1 to %d", most)
	}
	q := r.Query
	if len(q.Facets)+len(q.Sort)+len(q.Filters)+len(q.NotFilters)+len(q.PostFilters) > maxSearchFields {
		return web.BadRequest("filters, facets and sort can name no more than %d fields together", maxSearchFields)
	}
	return nil
}
