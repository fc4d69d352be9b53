package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// How many queries are saved, and how long one is.
const (
	maxQueries    = 10
	maxQueryBytes = 500
)

// saved returns the saved queries, in the order in which they were.
func (s *Server) saved() (queries []string, err error) {
	raw, err := os.ReadFile(s.o.Saved)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &queries)
	}
	if err != nil {
		return nil, fmt.Errorf("read the saved queries: %w; move %s away to begin anew", err, s.o.Saved)
	}
	return queries[:min(len(queries), maxQueries)], nil
}

// saveQuery adds a query to the saved ones, or removes one.
func (s *Server) saveQuery(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	queries, err := s.saved()
	query := strings.TrimSpace(r.PostFormValue("add"))
	queries = slices.DeleteFunc(queries, func(q string) bool { return q == query || q == r.PostFormValue("remove") })
	switch {
	case err != nil:
		s.flash = err.Error()
	case query != "" && len(queries) == maxQueries:
		s.flash = fmt.Sprintf("There are %d saved queries already. Remove one first.", maxQueries)
	case len(query) > maxQueryBytes:
		s.flash = "The query is too long to be saved."
	default:
		if query != "" {
			queries = append(queries, query)
		}
		err = spool.WriteFile(s.o.Saved, 0o600, func(out io.Writer) error { return json.NewEncoder(out).Encode(queries) })
		if err != nil {
			s.flash = "The queries could not be saved: " + err.Error()
		}
	}
	back, _ := url.ParseQuery(r.PostFormValue("back")) // what is odd is left out
	s.lead(w, r, "/search?"+back.Encode())
}

// compared is a saved query with its first results on both sides.
type compared struct {
	Query, Sentence string
	Sides           []side
}

func (s *Server) compare(w http.ResponseWriter, r *http.Request) {
	var page struct {
		Building, Note string
		Compared       []compared
	}
	var sides []Side
	sides, page.Building, page.Note = s.sides(w)
	queries, err := s.saved()
	if err != nil {
		page.Note = err.Error()
	}
	for _, query := range queries {
		if len(sides) == 0 {
			break
		}
		c := compared{Query: query, Sentence: "There is nothing to compare with: no plan is pending, or the old texts are not known."}
		moved := 0
		c.Sides, moved = s.find(r.Context(), sides, Query{Text: query, Size: searchHits})
		switch {
		case len(sides) < 2:
		case moved > 0:
			c.Sentence = document.Count(moved, "move") + " among the first results."
		default:
			c.Sentence = "The first results stay as they are."
		}
		page.Compared = append(page.Compared, c)
	}
	s.show(w, r, "queries", "Saved queries", page)
}
