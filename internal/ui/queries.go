package ui

import (
	"context"
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

// How many queries are saved, how many results of each are compared, and how long one is.
const (
	maxQueries    = 10
	comparedHits  = 10
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
		if err := s.keep(queries); err != nil {
			s.flash = err.Error()
		}
	}
	back, _ := url.ParseQuery(r.PostFormValue("back")) // what is odd is left out
	http.Redirect(w, r, "/search?"+back.Encode(), http.StatusSeeOther)
}

// keep writes the saved queries; the file is the old one or the new one.
func (s *Server) keep(queries []string) error {
	raw, err := json.MarshalIndent(queries, "", "  ")
	if err != nil {
		return err
	}
	err = spool.WriteFile(s.o.Saved, 0o600, func(out io.Writer) error {
		_, err := out.Write(append(raw, '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("save the queries: %w", err)
	}
	return nil
}

// compared is a saved query with its first results on both sides.
type compared struct {
	Query, Sentence, Err string
	Sides                []ranking
}

type ranking struct {
	Name  string
	Total int
	Ranks []rank
}

// rank is a result with its way from the other side.
type rank struct {
	Hit  Hit
	Move *move // nil: it stays where it is
}

type move struct{ Text, Class string }

func (s *Server) compare(w http.ResponseWriter, r *http.Request) {
	var page struct {
		Building, Note string
		Compared       []compared
	}
	sides, building, note := s.sides()
	page.Building, page.Note = building, note
	if building != "" {
		again(w)
	}
	queries, err := s.saved()
	if err != nil {
		page.Note = err.Error()
	}
	if len(sides) > 0 {
		for _, query := range queries {
			page.Compared = append(page.Compared, s.compareOne(r.Context(), query, sides))
		}
	}
	s.show(w, r, "queries", "Saved queries", page)
}

func (s *Server) compareOne(ctx context.Context, query string, sides []Side) compared {
	c := compared{Query: query}
	var ids [2][]string
	for i, of := range sides {
		found, err := s.o.Search.Search(ctx, of, Query{Text: query, Size: comparedHits})
		if err != nil {
			c.Err = err.Error()
			return c
		}
		side := ranking{Name: sideName(of), Total: found.Total}
		for _, hit := range found.Hits {
			side.Ranks = append(side.Ranks, rank{Hit: hit})
			ids[i] = append(ids[i], hit.ID)
		}
		c.Sides = append(c.Sides, side)
	}
	if len(sides) < 2 {
		c.Sentence = "There is nothing to compare with: no plan is pending, or the old texts are not known."
		return c
	}
	moved := markMoves(c.Sides[0].Ranks, ids[1], "leaves") + markMoves(c.Sides[1].Ranks, ids[0], "new")
	c.Sentence = "The first results stay as they are."
	if moved > 0 {
		c.Sentence = document.Count(moved, "move") + " among the first results."
	}
	return c
}

// markMoves marks the results whose place differs from the other side's. Of one that both
// sides have the move is marked, and counted, on the side where others are new.
func markMoves(ranks []rank, other []string, missing string) (moved int) {
	for i := range ranks {
		was := slices.Index(other, ranks[i].Hit.ID)
		switch {
		case was < 0 && missing == "new":
			ranks[i].Move = &move{"new", "new"}
		case was < 0:
			ranks[i].Move = &move{"leaves", "deleted"}
		case missing != "new":
		case was > i:
			ranks[i].Move = &move{fmt.Sprintf("↑ from %d", was+1), "moved"}
		case was < i:
			ranks[i].Move = &move{fmt.Sprintf("↓ from %d", was+1), "held"}
		}
		if ranks[i].Move != nil {
			moved++
		}
	}
	return moved
}
