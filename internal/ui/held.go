package ui

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"sitesync/internal/report"
)

// held is the JSON output of the command "held": the changes that a brake (a limit on changes) stopped.
type held struct {
	Groups []*heldGroup
	Held   []change
	Err    string `json:"-"`
}

type heldGroup struct {
	report.Held
	*view[change]
	By, Value string // flag of "sitesync approve", and its value, to approve the whole group
	At        int
}

// UnmarshalJSON decodes only the embedded report.Held. The method showHeld sets the other fields.
func (g *heldGroup) UnmarshalJSON(raw []byte) error { return json.Unmarshal(raw, &g.Held) }

func (s *Server) askHeld(ctx context.Context) (all held) {
	all.Err = s.o.Run(ctx, "held", "--format", "json").into(&all)
	return all
}

func (s *Server) showHeld(w http.ResponseWriter, r *http.Request) {
	page := s.askHeld(r.Context())
	for i, g := range page.Groups {
		query := r.URL.Query()
		if query.Get("group") != strconv.Itoa(i) {
			query = url.Values{"group": {strconv.Itoa(i)}}
		}
		var t table[change]
		for _, c := range page.Held {
			if g.Holds(&c.Entry) {
				t.add(c)
			}
		}
		g.At, g.view = i, t.view(query)
		g.By, g.Value = "group", g.Group
		if strings.Contains(string(g.Release), " --cause ") || g.Group == "" {
			g.By, g.Value = "cause", string(g.Cause)
		}
	}
	_ = s.o.Ledger(r.Context(), func(l Ledger) error { // if this fails, the page shows URLs without titles
		for _, g := range page.Groups {
			if err := addTitles(l, g.Rows); err != nil {
				return err
			}
		}
		return nil
	})
	s.show(w, r, "held", "Held changes", page)
}

type asked struct {
	By, Value string
	Count     int
	First     []change
	More      int
}

// askFirst asks the user to confirm an approval. If there is nothing to approve, it returns false.
func (s *Server) askFirst(w http.ResponseWriter, r *http.Request, by, value string) bool {
	page := asked{By: by, Value: value}
	for _, c := range s.askHeld(r.Context()).Held {
		fits := map[string]bool{"id": c.ID == value, "cause": string(c.Cause) == value, "group": c.Within(value)}
		if fits[by] && !c.Approved {
			if page.Count++; page.Count <= report.Few {
				page.First = append(page.First, c)
			}
		}
	}
	page.More = page.Count - len(page.First)
	if page.Count > 0 {
		_ = s.o.Ledger(r.Context(), func(l Ledger) error { return addTitles(l, page.First) })
		s.show(w, r, "sure", "Approve?", page)
	}
	return page.Count > 0
}

func (s *Server) approve(w http.ResponseWriter, r *http.Request) {
	var args []string
	by, value := r.PostFormValue("by"), r.PostFormValue("value")
	switch by {
	case "group", "cause":
		args = []string{"--" + by, value}
	case "id":
		args = []string{"--", value}
	}
	if args == nil || value == "" {
		http.Error(w, "The form does not say what to approve.", http.StatusBadRequest)
		return
	}
	done := "Nothing was approved: "
	switch then := r.PostFormValue("then"); {
	case then == "withdraw":
		args, done = append([]string{"--withdraw"}, args...), "Nothing was withdrawn: "
	case then != "send" && s.askFirst(w, r, by, value):
		return
	}
	answer := s.o.Run(r.Context(), "approve", args...)
	s.mu.Lock()
	s.flash = answer.Says()
	if answer.Exit != 0 {
		s.flash = done + strings.TrimPrefix(s.flash, "approve: ")
	}
	s.mu.Unlock()
	s.lead(w, r, "/held")
}
