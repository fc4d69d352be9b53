package query

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
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

// keys are those of a search, as the hosted service writes them: postFilterOperator both ways. With
// each is what reads its value; nil where nothing is done for it.
func (r *Request) keys() map[string]func(member) error {
	into := func(v any, what string) func(member) error {
		return func(m member) error { return m.into(v, what) }
	}
	filters := func(to *search.Filters) func(member) error {
		return func(m member) (err error) { *to, err = m.filters(); return err }
	}
	choose := func(to *bool, no, yes string) func(member) error {
		return func(m member) (err error) { *to, err = m.choose(no, yes); return err }
	}
	const number, flag, text = "a whole number", "true or false", "a string"
	q := &r.Query
	return map[string]func(member) error{
		"query":                into(&q.Text, text),
		"text":                 into(&r.text, text),
		"page":                 into(&r.Page, number),
		"perPage":              into(&r.PerPage, number),
		"fields":               into(&r.Fields, "an array of strings"),
		"highlight":            into(&r.Highlight, flag),
		"enableFacetFiltering": into(&q.FilterFacets, flag),
		"operator":             choose(&q.All, "OR", "AND"),
		"postFilterOperator":   choose(&q.PostAny, "AND", "OR"),
		"postFiltersOperator":  choose(&q.PostAny, "AND", "OR"),
		"filters":              filters(&q.Filters),
		"notFilters":           filters(&q.NotFilters),
		"postFilters":          filters(&q.PostFilters),
		"facets":               func(m member) (err error) { q.Facets, err = m.facets(); return err },
		"sort":                 func(m member) (err error) { q.Sort, err = m.order(); return err },
		"responseType":         r.responseType,

		"enableHybridSearch": nil, "enableRelatedSearches": nil, "overlay": nil,
		"rangeFacets": nil, "template": nil, "valueBoost": nil,
	}
}

func decodeRequest(body []byte, strict bool) (Request, error) {
	r := Request{Page: 1, PerPage: defaultPerPage, Highlight: true, loose: !strict}
	sent, err := member{path: "the body", value: body}.members("an object with a query")
	var seen []string
	keys := r.keys()
	for _, m := range sent {
		m.loose = r.loose
		for key := range keys {
			if strings.EqualFold(key, m.name) {
				m.name, m.path = key, key
			}
		}
		read, known := keys[m.name]
		switch asked, _ := wire.Text(m.value); {
		case !known && strict:
			return r, web.BadRequest("unknown key %.60q", m.name)
		case slices.Contains(seen, m.name):
			return r, web.BadRequest("%s comes twice", m.name)
		case string(m.value) == "null":
		case read != nil:
			err = read(m)
		case !slices.Contains([]string{"", "false", "[]", "{}"}, asked): // it asks for something
			r.ignored = append(r.ignored, m.name)
		}
		seen = append(seen, m.name)
		if err != nil {
			return r, err
		}
	}
	if r.loose && r.Query.Text == "" {
		r.Query.Text, r.text = r.text, ""
	}
	if r.text != "" {
		r.ignored = append(r.ignored, "text")
	}
	if r.loose {
		r.Page = max(r.Page, 1)
		if strings.TrimSpace(r.Query.Text) == "" && (slices.Contains(seen, "query") || slices.Contains(seen, "text")) {
			r.Query.Text = search.Everything
		}
	}
	return r, cmp.Or(err, r.check())
}

func (r *Request) responseType(m member) error {
	var kind string
	err := m.into(&kind, "a string")
	r.html = r.loose && strings.EqualFold(kind, "JsonHtml")
	if err == nil && !r.html && !strings.EqualFold(kind, "JsonObject") && !(r.loose && strings.EqualFold(kind, "json")) {
		err = m.wrong("JsonObject")
	}
	return err
}

func (r *Request) check() error {
	most := strictPerPage
	if r.loose {
		most = maxPerPage
	}
	switch {
	case strings.TrimSpace(r.Query.Text) == "":
		return web.BadRequest("query is required; %s lists everything", search.Everything)
	case r.Page < 1:
		return web.BadRequest("page must be 1 or more")
	case r.PerPage < 1 || r.PerPage > most:
		return web.BadRequest("perPage must be 1 to %d", most)
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
	narrowed := map[string][]string{}
	maps.Copy(narrowed, to.Values)
	for name, values := range r.Query.Facets {
		q.Facets[name] = nil
		have, both := narrowed[name]
		if len(values) > 0 {
			narrowed[name] = slices.DeleteFunc(slices.Clone(values), func(value string) bool { return both && !slices.Contains(have, value) })
		}
	}
	to.Values = narrowed
	return q
}
