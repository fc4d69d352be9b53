package ui

import (
	"net/http"
	"path/filepath"
	"strings"

	"sitesync/internal/document"
)

// explained is what the command explain says of a URL, as far as the page shows it.
type explained struct {
	Asked, Err string
	Query      string // with which its page is searched for, if any
	Sides      []side `json:"-"` // what that found of it
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

// why shows what explain says of a URL: why it is in the index, or why it is not.
func (s *Server) why(w http.ResponseWriter, r *http.Request) {
	page := explained{Asked: strings.TrimSpace(r.URL.Query().Get("url")), Query: r.URL.Query().Get("q")}
	if page.Asked != "" {
		answer := s.o.Run(r.Context(), "explain", "--json", "--", page.Asked)
		page.Err = answer.into(&page)
		if page.Document != nil {
			page.Fields, _ = fieldsOf(nil, page.Document)
			if page.Query != "" && s.o.Search != nil {
				sides := s.o.Search.Progress().Sides
				page.Sides = s.find(r.Context(), sides, Query{Text: page.Query, Filters: map[string][]string{"Url": {page.Document.Fields["Url"]}}, Size: 1})
			}
		}
	}
	s.show(w, r, "why", "Why", page)
}

// approve releases what is held, as the command of that name does.
func (s *Server) approve(w http.ResponseWriter, r *http.Request) {
	var args []string
	switch by, value := r.PostFormValue("by"), r.PostFormValue("value"); by {
	case "group", "cause":
		args = []string{"--" + by, value}
	case "id":
		args = []string{"--", value}
	}
	if args == nil || args[1] == "" {
		http.Error(w, "The form does not say what to approve.", http.StatusBadRequest)
		return
	}
	answer := s.o.Run(r.Context(), "approve", args...)
	s.mu.Lock()
	s.flash = answer.Says()
	if answer.Exit != 0 {
		s.flash = "Nothing was approved: " + strings.TrimPrefix(s.flash, "approve: ")
	}
	s.mu.Unlock()
	s.lead(w, r, "/held")
}

// heldShown is how many changes of one group the page of held changes lists.
const heldShown = 10

// heldGroup is what one brake holds for one cause, as the command held says.
type heldGroup struct {
	Op, Cause, Brake, Group, Why, Release string
	Count, Approved                       int
	By, Value                             string   `json:"-"` // what approves all of them
	Changes                               []change `json:"-"`
	More                                  int      `json:"-"`
}

// held shows what the last runs held, and what releases it.
func (s *Server) held(w http.ResponseWriter, r *http.Request) {
	var page struct {
		Groups []heldGroup
		Held   []change
		Err    string
	}
	answer := s.o.Run(r.Context(), "held", "--json")
	page.Err = answer.into(&page)
	at := map[[4]string]*heldGroup{}
	for i := range page.Groups {
		g := &page.Groups[i]
		at[[4]string{g.Op, g.Cause, g.Brake, g.Group}] = g
		g.By, g.Value = "group", g.Group
		if strings.Contains(g.Release, " --cause ") || g.Group == "" {
			g.By, g.Value = "cause", g.Cause
		}
	}
	for _, c := range page.Held {
		switch g := at[[4]string{string(c.Op), string(c.Cause), string(c.Brake), c.Group}]; {
		case g == nil:
		case len(g.Changes) < heldShown:
			g.Changes = append(g.Changes, c)
		default:
			g.More++
		}
	}
	_ = s.o.Ledger(r.Context(), func(l Ledger) error { // else addresses are shown
		for _, g := range at {
			if err := addTitles(l, g.Changes); err != nil {
				return err
			}
		}
		return nil
	})
	s.show(w, r, "held", "Held changes", page)
}

// newPlan makes a plan in the background, and shows it from then on.
func (s *Server) newPlan(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	busy := s.making
	s.making = true
	s.mu.Unlock()
	if !busy {
		s.work.Go(func() error {
			path := filepath.Join(s.o.Dir, "plan")
			before := stateOf(path)
			answer := s.o.Run(s.ctx, "plan", "--output", path)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.making = false
			if stateOf(path) == before {
				s.flash = "No plan was made. " + Answer{Err: answer.Err}.Says()
				return nil
			}
			s.plan = s.openPlan(path)
			return nil
		})
	}
	s.lead(w, r, "/plan/changes")
}
