package query

import (
	"bytes"
	"cmp"
	"encoding/json"
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
	strictPerPage   = 100
	maxPerPage      = 1_000
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

	loose   bool // what clients send beyond the specification is taken, too
	text    string
	html    bool     // the answer holds HTML
	ignored []string // for the answer
}

// keys are those of a search, as the hosted service writes them: postFilterOperator both ways.
func keys() []string {
	return []string{
		"enableFacetFiltering", "enableHybridSearch", "enableRelatedSearches", "facets", "fields", "filters", "highlight", "notFilters", "operator", "overlay", "page", "perPage",
		"postFilterOperator", "postFilters", "postFiltersOperator", "query", "rangeFacets", "responseType", "sort", "template", "text", "valueBoost",
	}
}

func decodeRequest(body []byte, strict bool) (Request, error) {
	r := Request{Page: 1, PerPage: defaultPerPage, Highlight: true, loose: !strict}
	sent, err := member{path: "the body", value: body}.members("an object with a query")
	var seen []string
	for _, m := range sent {
		i := slices.IndexFunc(keys(), func(key string) bool { return strings.EqualFold(key, m.name) })
		m.loose = r.loose
		if i < 0 && r.loose {
			_ = r.ignore(m, nil, "")
			continue
		}
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
	if r.loose {
		r.complete(seen)
	}
	return r, cmp.Or(err, r.check())
}

// complete sets what clients leave out or empty: text stands for the query, an empty query is
// for everything, and pages begin at 1.
func (r *Request) complete(seen []string) {
	given := slices.Contains(seen, "query") || slices.Contains(seen, "text")
	if r.Query.Text == "" {
		r.Query.Text, r.text = r.text, ""
	}
	if r.text != "" {
		r.ignored = append(r.ignored, "text")
	}
	if given && strings.TrimSpace(r.Query.Text) == "" {
		r.Query.Text = search.Everything
	}
	r.Page = max(r.Page, 1)
}

// read reads the value of a key.
func (r *Request) read(m member) (err error) {
	const number, flag, text = "a whole number", "true or false", "a string"
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
		r.Query.Facets, err = m.facets()
	case "responseType":
		var kind string
		err = m.into(&kind, text)
		r.html = r.loose && strings.EqualFold(kind, "JsonHtml")
		if err == nil && !r.html && !strings.EqualFold(kind, "JsonObject") && !(r.loose && strings.EqualFold(kind, "json")) {
			err = m.wrong("JsonObject")
		}
	case "enableHybridSearch", "enableRelatedSearches":
		err = r.ignore(m, new(bool), flag)
	case "rangeFacets", "valueBoost":
		if m.value[0] == '[' {
			return r.ignore(m, new([]any), "")
		}
		err = r.ignore(m, &map[string]any{}, "an object or an array")
	case "text":
		if r.loose {
			return m.into(&r.text, text)
		}
		err = r.ignore(m, new(string), text)
	default: // template and overlay
		err = r.ignore(m, new(string), text)
	}
	return err
}

// ignore reads a value for which nothing is done. Where it asks for something, the answer says
// so; loosely it may be anything.
func (r *Request) ignore(m member, v any, what string) error {
	var plain bytes.Buffer
	_ = json.Compact(&plain, m.value) // it is JSON
	if !slices.Contains([]string{`""`, "false", "null", "[]", "{}"}, plain.String()) {
		r.ignored = append(r.ignored, m.name)
	}
	if m.loose {
		return nil
	}
	return m.into(v, what)
}

func (r *Request) check() error {
	switch {
	case strings.TrimSpace(r.Query.Text) == "":
		return web.BadRequest("query is required; %s lists everything", search.Everything)
	case r.Page < 1:
		return web.BadRequest("page must be 1 or more")
	case r.PerPage < 1 || r.PerPage > r.most():
		return web.BadRequest("perPage must be 1 to %d", r.most())
	case len(r.Fields) > maxSearchValues:
		return web.BadRequest("fields must have no more than %d names", maxSearchValues)
	}
	chosen := maps.Clone(r.Query.Facets)
	maps.DeleteFunc(chosen, func(_ string, values []string) bool { return len(values) == 0 })
	others := slices.AppendSeq([]string{facetField}, maps.Keys(r.Query.Facets))
	for _, order := range r.Query.Sort {
		others = append(others, order.Field)
	}
	filters := map[string]search.Filters{"filters": r.Query.Filters, "notFilters": r.Query.NotFilters, "postFilters": r.Query.PostFilters, "facets": {Values: chosen}}
	return checkFilters(filters, others...)
}

// most is how many results a page may have.
func (r *Request) most() int {
	if r.loose {
		return maxPerPage
	}
	return strictPerPage
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
	to := &q.PostFilters
	if q.PostAny { // which is for postFilters alone
		to = &q.Filters
	}
	for name, values := range r.Query.Facets {
		q.Facets[name] = nil
		if len(values) > 0 {
			to.Values = narrowed(to.Values, name, values)
		}
	}
	return q
}

// narrowed returns filters by values of one more field, or of those that a field has already.
func narrowed(filters map[string][]string, name string, values []string) map[string][]string {
	filters = maps.Clone(filters)
	if filters == nil {
		filters = map[string][]string{}
	}
	if have, there := filters[name]; there {
		values = slices.DeleteFunc(slices.Clone(values), func(value string) bool { return !slices.Contains(have, value) })
	}
	filters[name] = values
	return filters
}
