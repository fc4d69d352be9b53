package ui

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
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
	Text, Form, Note, Building, SavedErr string
	Filters                              map[string][]string
	Sides                                []side
	Previous, More                       string
	Saved                                []string
	query                                url.Values
}

// Back is the query of the page itself.
func (p *searchPage) Back() string { return p.query.Encode() }

// Toggle returns the address of the search with one value of a facet chosen, or no longer.
func (p *searchPage) Toggle(field, value string) string {
	query := maps.Clone(p.query)
	query.Del("page")
	key := "f." + field
	if at := slices.Index(query[key], value); at >= 0 {
		query[key] = slices.Delete(slices.Clone(query[key]), at, at+1)
	} else {
		query[key] = append(slices.Clone(query[key]), value)
	}
	return "?" + query.Encode()
}

func (s *Server) searchPages() {
	s.mux.HandleFunc("GET /search", s.search)
	s.mux.HandleFunc("GET /queries", s.compare)
	s.mux.HandleFunc("POST /queries", s.saveQuery)
}

// sides are what can be searched now; none while that is built.
func (s *Server) sides() (sides []Side, building, note string) {
	switch p := s.o.Search.Progress(); {
	case p.Err != nil:
		return nil, "", "The search can't be shown: " + p.Err.Error() + ". Load this page again to try once more."
	case p.Doing != "" && p.Of > 0:
		return nil, fmt.Sprintf("The search is being prepared: %s, %d of %d.", p.Doing, p.Done, p.Of), p.Note
	case p.Doing != "":
		return nil, "The search is being prepared: " + p.Doing + ".", p.Note
	default:
		return p.Sides, "", p.Note
	}
}

// sideNames are what pages call the sides.
func sideName(of Side) string {
	if of == After {
		return "After the plan"
	}
	return "As it is now"
}

func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	page := searchPage{Form: s.guard.form, Filters: map[string][]string{}, query: r.URL.Query()}
	page.Text = page.query.Get("q")
	for name, values := range page.query {
		if field, is := strings.CutPrefix(name, "f."); is {
			page.Filters[field] = values
		}
	}
	number, _ := strconv.Atoi(page.query.Get("page"))
	number = max(0, number)
	sides, building, note := s.sides()
	page.Building, page.Note = building, note
	if building != "" {
		again(w)
	}
	if page.Text == "" && len(page.Filters) == 0 {
		sides = nil
	}
	for _, of := range sides {
		found := side{Name: sideName(of)}
		results, err := s.o.Search.Search(r.Context(), of, Query{Text: page.Text, Filters: page.Filters, Page: number, Size: searchHits})
		if err != nil {
			found.Err = err.Error()
		} else {
			found.Results = results
			if results.Total > (number+1)*searchHits {
				page.More = page.at(number + 1)
			}
		}
		page.Sides = append(page.Sides, found)
	}
	if number > 0 {
		page.Previous = page.at(number - 1)
	}
	var err error
	page.Saved, err = s.saved()
	if err != nil {
		page.SavedErr = err.Error()
	}
	s.show(w, r, "search", "Search", &page)
}

// at returns the address of another page of the results.
func (p *searchPage) at(number int) string {
	query := maps.Clone(p.query)
	query.Set("page", strconv.Itoa(number))
	return "?" + query.Encode()
}
