package search

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
)

// Result is what a search found.
type Result struct {
	Hits   []Key // from Query.From on
	Total  int
	Facets map[string][]Count // most frequent values first
	Marker *Marker            // of the words that were searched for
}

// Count is how many of the documents found have a value.
type Count struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// maxFacet is how many values of a field are counted out.
const maxFacet = 1000

// Search returns what the query finds. It errs when the context ends.
func (x *Index) Search(ctx context.Context, q Query) (Result, error) {
	fields, err := x.bleve.Fields()
	if err != nil {
		return Result{}, fmt.Errorf("read the search index: %w", err)
	}
	x.asking.Lock()
	matching := q.match(x.asker, fields)
	x.asking.Unlock()
	found, err := x.bleve.SearchInContext(ctx, q.request(q.narrow(matching)))
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	result := Result{Total: int(found.Total), Facets: q.facets(found.Facets), Marker: x.marker(q)}
	for _, hit := range found.Hits {
		result.Hits = append(result.Hits, parseID(hit.ID))
	}
	return result, nil
}

func (q Query) request(what query.Query) *bleve.SearchRequest {
	request := bleve.NewSearchRequestOptions(what, q.Size, q.From, false)
	if len(q.Sort) > 0 {
		request.Sort = search.SortOrder{}
		for _, order := range q.Sort {
			request.Sort = append(request.Sort, &sorter{Order: order, shelf: shelf(order.Field)})
		}
		request.Score = "none"
	}
	for name := range q.Facets {
		facet := bleve.NewFacetRequest(shelf(name), maxFacet)
		facet.SetPrefixFilter(valueTerm(name, ""))
		request.AddFacet(name, facet)
	}
	return request
}

// facets returns the counts that were asked for.
func (q Query) facets(found search.FacetResults) map[string][]Count {
	all := map[string][]Count{}
	for name, wanted := range q.Facets {
		all[name] = []Count{}
		for _, term := range found[name].Terms.Terms() {
			value := strings.TrimPrefix(term.Term, valueTerm(name, ""))
			if len(wanted) == 0 || slices.Contains(wanted, value) {
				all[name] = append(all[name], Count{value, term.Count})
			}
		}
	}
	return all
}

// Order sorts by a field's values: as dates where its name ends in _date, as numbers
// where it ends in _number. Documents without one come last.
type Order struct {
	Field string
	Desc  bool
}

// sorter is an Order as the engine asks for it. Of several values the first in the
// order counts.
type sorter struct {
	Order
	shelf string
	key   string
	has   bool
}

func (s *sorter) UpdateVisitor(field string, term []byte) {
	value, mine := strings.CutPrefix(string(term), valueTerm(s.Field, ""))
	if field != s.shelf || !mine {
		return
	}
	key, ok := sortKey(s.Field, value)
	if ok && (!s.has || (key < s.key) != s.Desc) {
		s.key, s.has = key, true
	}
}

func (s *sorter) Value(*search.DocumentMatch) string {
	key := s.key
	if !s.has && !s.Desc {
		key = "\xff" // after all text
	}
	s.key, s.has = "", false
	return key
}

func (s *sorter) DecodeValue(value string) string { return value }
func (s *sorter) Descending() bool                { return s.Desc }
func (s *sorter) RequiresDocID() bool             { return false }
func (s *sorter) RequiresScoring() bool           { return false }
func (s *sorter) RequiresFields() []string        { return []string{s.shelf} }
func (s *sorter) Reverse()                        { s.Desc = !s.Desc }
func (s *sorter) Copy() search.SearchSort         { c := *s; return &c }

// sortKey returns a text in whose order values are sorted, between 0x01 and 0xfe.
func sortKey(field, value string) (string, bool) {
	switch {
	case strings.HasSuffix(field, "_number"):
		number, err := strconv.ParseFloat(value, 64)
		bits := math.Float64bits(number)
		if bits>>63 == 1 {
			bits = ^bits
		} else {
			bits |= 1 << 63
		}
		return "\x01" + string(binary.BigEndian.AppendUint64(nil, bits)), err == nil && !math.IsNaN(number)
	case strings.HasSuffix(field, "_date"):
		at, ok := ParseDate(value)
		return at.UTC().Format(time.RFC3339Nano), ok
	}
	return "\x01" + value, true
}

// ParseDate returns the time of a date field's value, false for what is no date.
func ParseDate(value string) (time.Time, bool) {
	for _, layout := range []string{"2006/01/02", time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, value); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
