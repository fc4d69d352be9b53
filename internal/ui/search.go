package ui

import (
	"context"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sitesync/internal/document"
)

// Side selects the index to search: before or after the pending plan (changes that the next run would send).
type Side string

const (
	Before Side = "before" // the index as it is now
	After  Side = "after"  // the index after the pending plan
)

// Query is a search request.
type Query struct {
	Text    string
	Filters map[string][]string
	Page    int // page number, starting at 0
	Size    int
}

// Hit is one document in the search results.
type Hit struct {
	ID, URL, Date, Type string
	Title, Snippet      template.HTML // HTML, escaped, with <mark> around matching words
	Move, Class         string        // text and CSS class for a change of rank between the sides
	Changed             bool          // the pending plan changes this document
}

// Value is one value of a facet.
type Value struct {
	Text  string
	Count int
	On    bool // the query filters by this value
}

// Facet is a field whose values can narrow the results.
type Facet struct {
	Field  string
	Values []Value
}

// Results is one page of hits.
type Results struct {
	Total  int
	Hits   []Hit
	Facets []Facet
	Meant  string // suggested query, such as a spelling correction; may be empty
}

// Progress says how much of the search indexes is built.
type Progress struct {
	Doing string // the current step, such as "reading documents"; empty when the indexes are ready
	Done  int
	Of    int
	Sides []Side // the sides that can be searched when the indexes are ready
	Note  string // a sentence for the user, such as which documents are left out
	Err   error
}

// Search searches the indexes before and after the pending plan.
type Search interface {
	// Search returns an error while the index of the side is not ready.
	Search(ctx context.Context, side Side, q Query) (*Results, error)
	Progress() Progress
	// Pending sets the plan file whose result the side After shows. An empty name means no plan.
	Pending(plan string)
}

const searchHits = 10

type side struct {
	Name    string
	Results *Results
	Err     string
}

type searchPage struct {
	Text, Note, Building string
	Filters              map[string][]string
	Sides                []side
	Previous, More       string
	query                url.Values
}

// Toggle returns the URL of this search with the filter for a facet value switched on, or off if it was on.
func (p *searchPage) Toggle(field, value string) string {
	query, key := maps.Clone(p.query), "f."+field
	query.Del("page")
	values := slices.Clone(query[key])
	if at := slices.Index(values, value); at >= 0 {
		return with(query, key, slices.Delete(values, at, at+1)...)
	}
	return with(query, key, append(values, value)...)
}

var sideNames = map[Side]string{Before: "As it is now", After: "After the plan"}

// find searches the given sides. If there are two, it compares the first page of results. On the first side
// it marks hits that the second lacks. On the second side it marks hits that are new or have another rank.
func (s *Server) find(ctx context.Context, sides []Side, q Query) (found []side) {
	for _, of := range sides {
		one := side{Name: sideNames[of]}
		var err error
		one.Results, err = s.o.Search.Search(ctx, of, q)
		if err != nil {
			one.Err = err.Error()
		}
		found = append(found, one)
	}
	if len(found) < 2 || q.Page > 0 || found[0].Results == nil || found[1].Results == nil {
		return found
	}
	was, now := found[0].Results.Hits, found[1].Results.Hits
	changed := map[string]bool{}
	if p, _ := s.pendingPlan(); p != nil {
		changed = p.changed
	}
	place := func(hits []Hit, id string) int { return slices.IndexFunc(hits, func(h Hit) bool { return h.ID == id }) }
	for i := range was {
		if place(now, was[i].ID) < 0 {
			was[i].Move, was[i].Class = "leaves", "deleted"
		}
	}
	for i := range now {
		hit := &now[i]
		hit.Changed = changed[hit.ID]
		switch at := place(was, hit.ID); {
		case at < 0:
			hit.Move, hit.Class = "new", "new"
		case at > i:
			hit.Move, hit.Class = fmt.Sprintf("↑ from %d", at+1), "moved"
		case at < i:
			hit.Move, hit.Class = fmt.Sprintf("↓ from %d", at+1), "held"
		}
	}
	return found
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	page := searchPage{Text: query.Get("q"), Filters: map[string][]string{}, query: query}
	for name, values := range query {
		if field, is := strings.CutPrefix(name, "f."); is {
			page.Filters[field] = values
		}
	}
	number, _ := strconv.Atoi(query.Get("page"))
	number = max(0, number)
	p := s.o.Search.Progress()
	page.Note = p.Note
	switch {
	case p.Err != nil:
		page.Note = "The search can't be shown: " + p.Err.Error() + ". Load this page again to try once more."
	case p.Doing != "":
		again(w)
		page.Building = "The search is being prepared: " + p.Doing
		if p.Of > 0 {
			page.Building += fmt.Sprintf(", %s of %s", document.Number(p.Done), document.Number(p.Of))
		}
	case page.Text != "" || len(page.Filters) > 0:
		find := Query{Text: page.Text, Filters: page.Filters, Page: number, Size: searchHits}
		page.Sides = s.find(r.Context(), p.Sides, find)
	}
	for _, found := range page.Sides {
		if found.Results != nil && found.Results.Total > (number+1)*searchHits {
			page.More = with(query, "page", strconv.Itoa(number+1))
		}
	}
	if number > 0 {
		page.Previous = with(query, "page", strconv.Itoa(number-1))
	}
	s.show(w, r, "search", "Search", &page)
}
