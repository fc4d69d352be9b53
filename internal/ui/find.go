package ui

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sitesync/internal/document"
)

// searchHits is how many results a page shows.
const searchHits = 10

// side is what one side of a search found.
type side struct {
	Name    string
	Results *Results
	Err     string
}

// searchPage is a search on both sides.
type searchPage struct {
	Text, Note, Building string
	Filters              map[string][]string
	Sides                []side
	Previous, More       string
	query                url.Values
}

// Toggle returns the address of the search with one value of a facet chosen, or no longer.
func (p *searchPage) Toggle(field, value string) string {
	query, key := maps.Clone(p.query), "f."+field
	query.Del("page")
	values := slices.Clone(query[key])
	if at := slices.Index(values, value); at >= 0 {
		return with(query, key, slices.Delete(values, at, at+1)...)
	}
	return with(query, key, append(values, value)...)
}

// sides are what can be searched now; none while that is built.
func (s *Server) sides(w http.ResponseWriter) (sides []Side, building, note string) {
	p := s.o.Search.Progress()
	switch {
	case p.Err != nil:
		return nil, "", "The search can't be shown: " + p.Err.Error() + ". Load this page again to try once more."
	case p.Doing == "":
		return p.Sides, "", p.Note
	}
	again(w)
	building = "The search is being prepared: " + p.Doing
	if p.Of > 0 {
		building += fmt.Sprintf(", %s of %s", document.Number(p.Done), document.Number(p.Of))
	}
	return nil, building + ".", p.Note
}

// sideNames are what pages call the sides.
var sideNames = map[Side]string{Before: "As it is now", After: "After the plan"}

// find searches the sides. Of the first results it marks those whose place differs from the
// other side's: one that both sides have is marked on the later side.
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
		for i := range p.changes.rows {
			changed[p.changes.rows[i].ID] = p.changes.rows[i].Class == string(document.KindChanged)
		}
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
	page := searchPage{Filters: map[string][]string{}, query: r.URL.Query()}
	page.Text = page.query.Get("q")
	for name, values := range page.query {
		if field, is := strings.CutPrefix(name, "f."); is {
			page.Filters[field] = values
		}
	}
	number, _ := strconv.Atoi(page.query.Get("page"))
	number = max(0, number)
	var sides []Side
	sides, page.Building, page.Note = s.sides(w)
	if page.Text != "" || len(page.Filters) > 0 {
		page.Sides = s.find(r.Context(), sides, Query{Text: page.Text, Filters: page.Filters, Page: number, Size: searchHits})
	}
	for _, found := range page.Sides {
		if found.Results != nil && found.Results.Total > (number+1)*searchHits {
			page.More = with(page.query, "page", strconv.Itoa(number+1))
		}
	}
	if number > 0 {
		page.Previous = with(page.query, "page", strconv.Itoa(number-1))
	}
	s.show(w, r, "search", "Search", &page)
}
