package ui

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"

	"sitesync/internal/document"
)

// explained holds the data of the page "Why", which explains why a URL is in the index, or is not. Most
// fields come from the JSON output of the command "explain".
type explained struct {
	Asked, Err string
	Query      string // a search text that should find the document; may be empty
	Sides      []side `json:"-"` // results of Query for this document, before and after planned changes
	Found      string `json:"discovery"`
	Document   *document.Document
	Warnings   []string
	Ledger     *struct {
		Push, Reason string
		Fetched      int64
	}
	Verdict string
	Last    *struct {
		Run, Op, Cause, State, Evidence string
	} `json:"last_change"`
	Due *struct {
		Op, Cause, Evidence string
	}
	Fields []field `json:"-"`
}

func (s *Server) why(w http.ResponseWriter, r *http.Request) {
	page := explained{Asked: strings.TrimSpace(r.URL.Query().Get("url")), Query: r.URL.Query().Get("q")}
	if page.Asked != "" {
		answer := s.o.Run(r.Context(), "explain", "--format", "json", "--", page.Asked)
		page.Err = answer.into(&page)
		if page.Document != nil {
			page.Fields, _ = fieldsOf(nil, page.Document)
			if page.Query != "" {
				sides := s.o.Search.Progress().Sides
				url := map[string][]string{"Url": {page.Document.Fields["Url"]}}
				page.Sides = s.find(r.Context(), sides, Query{Text: page.Query, Filters: url, Size: 1})
			}
		}
	}
	s.show(w, r, "why", "Why", page)
}

func (s *Server) newPlan(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.making == nil {
		var ctx context.Context
		ctx, s.making = context.WithCancel(s.ctx)
		s.work.Go(func() { s.makePlan(ctx) })
	}
	s.mu.Unlock()
	s.lead(w, r, "/plan/changes")
}

func (s *Server) makePlan(ctx context.Context) {
	path := filepath.Join(s.o.Dir, "plan")
	before := stateOf(path)
	answer := s.o.Run(ctx, "plan", "--output", path)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		s.flash = "No plan was made: you ended it."
	case stateOf(path) == before:
		s.flash = "No plan was made. " + Answer{Err: answer.Err}.Says()
	default:
		s.plan = s.openPlan(path)
	}
	s.making()
	s.making = nil
}

func (s *Server) cancelPlan(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.making != nil {
		s.making()
		s.flash = "The plan is being ended."
	}
	s.mu.Unlock()
	s.lead(w, r, "/plan/changes")
}
