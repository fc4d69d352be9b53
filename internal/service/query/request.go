package query

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/web"
)

// request is the body of a search. Keys that are not named here are ignored, as
// the hosted service has more of them.
type request struct {
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
)

func decodeRequest(body []byte) (request, error) {
	var r *request
	err := json.Unmarshal(body, &r)
	var mismatch *json.UnmarshalTypeError
	var refused web.Problem
	switch {
	case errors.As(err, &refused):
		return request{}, refused
	case errors.As(err, &mismatch) && mismatch.Field != "":
		return request{}, web.BadRequest("%s can't be a JSON %s", mismatch.Field, mismatch.Value)
	case err != nil || r == nil:
		return request{}, web.BadRequest("the body must be an object with a query")
	}
	return *r, r.check()
}

func (r request) check() error {
	page, perPage := r.paging()
	switch {
	case r.Query == nil || strings.TrimSpace(*r.Query) == "":
		return web.BadRequest("query is required; %s lists everything", search.Everything)
	case page < 1:
		return web.BadRequest("page must be 1 or more")
	case perPage < 1 || perPage > maxPerPage:
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

func (r request) paging() (page, perPage int) {
	page, perPage = 1, defaultPerPage
	if r.Page != nil {
		page = *r.Page
	}
	if r.PerPage != nil {
		perPage = *r.PerPage
	}
	return page, perPage
}

// window returns the first result of the page and how many there may be: none beyond
// maxResults.
func (r request) window() (from, size int) {
	page, perPage := r.paging()
	from = min(page-1, maxResults) * perPage
	return from, max(0, min(perPage, maxResults-from))
}

// query returns what is searched for, as far as the request says.
func (r request) query() search.Query {
	from, size := r.window()
	return search.Query{
		Text: *r.Query, All: r.Operator == "and", Filters: r.Filters, NotFilters: r.NotFilters,
		Sort: r.Sort, Facets: r.Facets, From: from, Size: size,
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
