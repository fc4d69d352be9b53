package query

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"sitesync/internal/service/search"
	"sitesync/internal/service/web"
)

// The bounds of a search: what is answered at once, and the last result that is
// answered at all.
const (
	defaultPerPage  = 10
	maxPerPage      = 100
	maxResults      = 10_000
	maxSearchFields = 20  // in filters, facets and sort, Category among them: each costs a look at all documents
	maxSearchValues = 100 // of a filter, and names in fields
	maxBody         = 8 << 10

	facetField = "Category" // whose values are counted without being asked for
)

// Request is a search.
type Request struct {
	Query         search.Query // as far as visitors say; Category is counted besides its Facets
	Page, PerPage int          // from 1 on
	Fields        []string     // to answer with; empty: all except Content
	Highlight     bool

	ignored []string // for the answer
}

// keys are those of a search, as the hosted service writes them; facets alone is ours. It
// writes postFilterOperator both ways.
func keys() []string {
	return []string{
		"enableFacetFiltering", "enableHybridSearch", "enableRelatedSearches", "facets", "fields", "filters", "highlight", "notFilters", "operator", "overlay", "page", "perPage",
		"postFilterOperator", "postFilters", "postFiltersOperator", "query", "rangeFacets", "responseType", "sort", "template", "text", "valueBoost",
	}
}

func decodeRequest(body []byte) (Request, error) {
	r := Request{Page: 1, PerPage: defaultPerPage, Highlight: true}
	sent, err := member{path: "the body", value: body}.members("an object with a query")
	var seen []string
	for _, m := range sent {
		i := slices.IndexFunc(keys(), func(key string) bool { return strings.EqualFold(key, m.name) })
		if i < 0 {
			edits := func(key string) int { return levenshtein.Distance(strings.ToLower(m.name), strings.ToLower(key), nil) }
			near := slices.MinFunc(keys(), func(a, b string) int { return edits(a) - edits(b) })
			return r, web.BadRequest("unknown key %.60q; the nearest known one is %s", m.name, near)
		}
		m.name, m.path = keys()[i], keys()[i]
		if slices.Contains(seen, m.name) {
			return r, web.BadRequest("%s comes twice", m.name)
		}
		seen = append(seen, m.name)
		if string(m.value) == "null" {
			continue
		}
		if err := r.read(m); err != nil {
			return r, err
		}
	}
	return r, cmp.Or(err, r.check())
}

// read reads the value of a key. What is known to the hosted service and not done here is
// listed in the answer, where it asks for something.
func (r *Request) read(m member) (err error) {
	const number, flag, text = "a whole number", "true or false", "a string"
	asked := false
	switch m.name {
	case "query":
		err = m.into(&r.Query.Text, text)
	case "page":
		err = m.into(&r.Page, number)
	case "perPage":
		err = m.into(&r.PerPage, number)
	case "operator":
		r.Query.All, err = m.choose("OR", "AND")
	case "filters":
		r.Query.Filters, err = m.filters()
	case "notFilters":
		r.Query.NotFilters, err = m.filters()
	case "postFilters":
		r.Query.PostFilters, err = m.filters()
	case "postFilterOperator", "postFiltersOperator":
		r.Query.PostAny, err = m.choose("AND", "OR")
	case "enableFacetFiltering":
		err = m.into(&r.Query.FilterFacets, flag)
	case "sort":
		r.Query.Sort, err = m.order()
	case "fields":
		err = m.into(&r.Fields, "an array of strings")
	case "highlight":
		err = m.into(&r.Highlight, flag)
	case "facets":
		r.Query.Facets, err = m.lists(func(member) (bool, error) { return false, nil })
	case "responseType":
		var kind string
		if m.into(&kind, text) != nil || !strings.EqualFold(kind, "JsonObject") {
			err = m.wrong("JsonObject, as no HTML is made here")
		}
	case "enableHybridSearch", "enableRelatedSearches":
		err = m.into(&asked, flag)
	case "rangeFacets", "valueBoost":
		var some map[string]any
		if m.value[0] != '[' {
			err = m.into(&some, "an object or an array")
		}
		asked = len(some) > 0 || m.value[0] == '[' && string(m.value) != "[]"
	default: // template, overlay and text
		var some string
		err = m.into(&some, text)
		asked = some != ""
	}
	if asked {
		r.ignored = append(r.ignored, m.name)
	}
	return err
}

func (r *Request) check() error {
	switch {
	case strings.TrimSpace(r.Query.Text) == "":
		return web.BadRequest("query is required; %s lists everything", search.Everything)
	case r.Page < 1:
		return web.BadRequest("page must be 1 or more")
	case r.PerPage < 1 || r.PerPage > maxPerPage:
		return web.BadRequest("perPage must be 1 to %d", maxPerPage)
	case len(r.Fields) > maxSearchValues:
		return web.BadRequest("fields must have no more than %d names", maxSearchValues)
	}
	others := slices.AppendSeq([]string{facetField}, maps.Keys(r.Query.Facets))
	for _, order := range r.Query.Sort {
		others = append(others, order.Field)
	}
	return checkFilters(map[string]search.Filters{"filters": r.Query.Filters, "notFilters": r.Query.NotFilters, "postFilters": r.Query.PostFilters}, others...)
}

// checkFilters errs where filters have too many values, or, with the other fields that are
// looked at in all documents, too many fields.
func checkFilters(filters map[string]search.Filters, fields ...string) error {
	for key, f := range filters {
		for name, values := range f.Values {
			if len(values) == 0 || len(values) > maxSearchValues {
				return web.BadRequest("%s.%.60s must have 1 to %d values; leave it out to allow any", key, name, maxSearchValues)
			}
			fields = append(fields, name)
		}
		for _, r := range f.Ranges {
			fields = append(fields, r.Field)
		}
	}
	slices.Sort(fields)
	if len(slices.Compact(fields)) > maxSearchFields {
		return web.BadRequest("filters, facets and sort can name no more than %d fields together", maxSearchFields)
	}
	return nil
}

// query returns what is searched for, as far as the request says: nothing beyond maxResults.
func (r *Request) query() search.Query {
	q := r.Query
	q.From = min(r.Page-1, maxResults) * r.PerPage
	q.Size = max(0, min(r.PerPage, maxResults-q.From))
	if q.Size == 0 {
		q.From = 0
	}
	q.Facets = map[string][]string{facetField: nil}
	maps.Copy(q.Facets, r.Query.Facets)
	return q
}
