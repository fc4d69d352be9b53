package ui

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"net/http"
	"strings"
	"time"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/weburl"
)

// change is a change as a list shows it. A document that moves is one of them, not two.
type change struct {
	document.Entry
	Class, Title, From, Folder string // Class: its kind, or held
}

// pending is the plan that is shown. It is read in the background; before ready is closed
// nothing else is touched.
type pending struct {
	ready    chan struct{}
	file     *planfile.File
	err      error // it is damaged, or gone
	changes  *table[change]
	moves    *table[document.Move]
	failures *table[document.Failure]
	warnings *table[document.Warning]
}

// patience is how long a page waits for what is read in the background, before it says so
// and is asked for again.
const patience = 150 * time.Millisecond

// openPlan begins to read a plan.
func (s *Server) openPlan(path string) *pending {
	p := &pending{ready: make(chan struct{})}
	s.work.Go(func() error {
		defer close(p.ready)
		p.err = p.read(s.ctx, path)
		return nil
	})
	return p
}

func (p *pending) read(ctx context.Context, path string) (err error) {
	p.file, err = planfile.Open(path)
	if err != nil {
		return err
	}
	p.moves = &table[document.Move]{sorts: []order[document.Move]{{Label: "as in the plan"}}}
	for m, err := range p.file.Moves() {
		if err != nil {
			return err
		}
		p.moves.add(m, m.From, m.To)
	}
	p.failures = &table[document.Failure]{sorts: []order[document.Failure]{{Label: "as in the plan"}}}
	for f, err := range p.file.Failures() {
		if err != nil {
			return err
		}
		p.failures.add(f, f.URL, f.Error)
	}
	p.warnings = &table[document.Warning]{
		sorts:  []order[document.Warning]{{Label: "as in the plan"}},
		facets: []facet[document.Warning]{{"kind", "Kind", func(w *document.Warning, visit func(string)) { visit(w.Kind) }}},
	}
	for w, err := range p.file.Warnings() {
		if err != nil {
			return err
		}
		p.warnings.add(w, w.URL, w.Text)
	}
	p.changes, err = readChanges(ctx, p.file.Changes())
	return err
}

// readChanges reads changes into a table.
func readChanges(ctx context.Context, changes iter.Seq2[document.Change, error]) (*table[change], error) {
	t := newChanges()
	lists := map[string][]string{} // equal lists of fields are one
	names := map[string]string{}
	one := func(s string) string {
		if known, found := names[s]; found {
			return known
		}
		names[s] = s
		return s
	}
	pairs := map[string]int{} // rows of documents that moved there, by the new ID
	for c, err := range changes {
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if at, told := pairs[c.Needs]; told && c.Pair {
			t.rows[at].From = c.ID
			t.keys[at] += "\n" + strings.ToLower(c.ID)
			continue
		}
		row := change{Entry: c.Entry(c.State, ""), Title: titleOf(c.Doc), Folder: one(folderOf(c.ID))}
		key := strings.Join(c.Fields, " ")
		if lists[key] == nil {
			lists[key] = c.Fields
		}
		row.Fields, row.Group, row.Evidence = lists[key], one(row.Group), one(row.Evidence)
		row.Class = classOf(&row)
		if row.Pair {
			pairs[row.ID] = len(t.rows)
		}
		t.add(row, row.ID, row.Title)
	}
	t.seal()
	return t, nil
}

func newChanges() *table[change] {
	byID := func(a, b *change) int { return strings.Compare(a.ID, b.ID) }
	return &table[change]{
		facets: []facet[change]{
			{"kind", "Kind", func(c *change, visit func(string)) { visit(c.Class) }},
			{"cause", "Cause", func(c *change, visit func(string)) { visit(string(c.Cause)) }},
			{"folder", "Folder", func(c *change, visit func(string)) { visit(c.Folder) }},
			{"type", "Type", func(c *change, visit func(string)) { visit(string(c.Type)) }},
			{"field", "Field", func(c *change, visit func(string)) {
				for _, name := range c.Fields {
					visit(name)
				}
			}},
		},
		sorts: []order[change]{
			{"", "in the order of the plan", nil}, {"url", "by address", byID},
			{"title", "by title", func(a, b *change) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) }},
			{"cause", "by cause", func(a, b *change) int { return strings.Compare(string(a.Cause), string(b.Cause)) }},
		},
	}
}

// titleOf returns the title in a document's wire bytes; empty where they have none.
func titleOf(doc json.RawMessage) string {
	var fields struct {
		Fields struct{ Title string } `json:"fields"`
	}
	_ = json.Unmarshal(doc, &fields) // which a plan's checksums cover
	return fields.Fields.Title
}

// folderOf returns the host of a URL, and its first folder where it stands in one.
func folderOf(id string) string {
	_, rest, found := strings.Cut(id, "://")
	if !found {
		return ""
	}
	host := weburl.FolderEnd(id, 0)
	if end := weburl.FolderEnd(id, host); host > 0 && end > host+1 {
		return rest[:end-len(id)+len(rest)]
	}
	return weburl.Host(id) + "/"
}

// classOf returns the kind of a change as pages show it: what is held is a kind of its own.
func classOf(c *change) string {
	if c.State == document.Held {
		return string(document.Held)
	}
	return string(c.Entry.Kind())
}

// pendingPlan returns the plan that is shown, once it was read; nil while it is not, with
// the reason in words.
func (s *Server) pendingPlan() (p *pending, why string) {
	s.mu.Lock()
	p, making := s.plan, s.making
	s.mu.Unlock()
	if p == nil {
		if making {
			return nil, "A plan is being made: the site is read now. This page shows it when it is ready."
		}
		return nil, ""
	}
	select {
	case <-p.ready:
	case <-time.After(patience):
		return nil, "The plan is being read. This page shows it in a moment."
	}
	switch {
	case errors.Is(p.err, fs.ErrNotExist):
		return nil, "The plan file is gone. Make a new plan."
	case p.err != nil:
		return nil, "The plan can't be shown: " + p.err.Error()
	}
	return p, ""
}

// planPage is what every page of a plan needs.
type planPage struct {
	Part, Wait, Form string
	Making           bool
	Plan             *document.PlanTrailer
	Sentence, Stale  string
	View             any
}

// planOf returns what a page of the plan shows; list makes its view of what there is.
func (s *Server) planOf(w http.ResponseWriter, r *http.Request, list func(p *pending) any) planPage {
	p, why := s.pendingPlan()
	page := planPage{Wait: why, Form: s.guard.form}
	s.mu.Lock()
	page.Making = s.making
	s.mu.Unlock()
	if page.Wait != "" {
		later(w)
	}
	if p != nil {
		page.Plan, page.Stale = &p.file.Trailer, s.stale(r.Context(), p)
		page.Sentence = report.Sentence(&report.Run{Summary: page.Plan.Summary, Site: report.SiteName(p.file.Header.Target.Origins), Dry: true})
		if list != nil {
			page.View = list(p)
		}
	}
	return page
}

func (s *Server) planPages() {
	for part, list := range map[string]func(p *pending, r *http.Request) any{
		"changes":  func(p *pending, r *http.Request) any { return s.titled(r.Context(), p.changes.view(r.URL.Query())) },
		"moved":    func(p *pending, r *http.Request) any { return p.moves.view(r.URL.Query()) },
		"unread":   func(p *pending, r *http.Request) any { return p.failures.view(r.URL.Query()) },
		"warnings": func(p *pending, r *http.Request) any { return p.warnings.view(r.URL.Query()) },
		"health":   func(*pending, *http.Request) any { return nil },
	} {
		s.mux.HandleFunc("GET /plan/"+part, func(w http.ResponseWriter, r *http.Request) {
			page := s.planOf(w, r, func(p *pending) any { return list(p, r) })
			page.Part = part
			s.show(w, r, "plan", "Plan", page)
		})
	}
	s.mux.HandleFunc("GET /plan/change", s.showChange)
	s.mux.HandleFunc("POST /plan/new", s.newPlan)
}

// titled adds titles that a plan does not have, such as those of deletes, from the ledger.
func (s *Server) titled(ctx context.Context, v *view[change]) *view[change] {
	if s.o.Ledger == nil {
		return v
	}
	_ = s.o.Ledger(ctx, func(l Ledger) error { // without it they are shown by their addresses
		for i := range v.Rows {
			if row := &v.Rows[i]; row.Title == "" {
				doc, _, err := l.Text(row.ID)
				if err != nil {
					return err
				}
				row.Title = doc.Fields["Title"]
			}
		}
		return nil
	})
	return v
}

// stale says why a plan can't be applied any more; empty when it can.
func (s *Server) stale(ctx context.Context, p *pending) (why string) {
	if s.o.Ledger == nil {
		return ""
	}
	err := s.o.Ledger(ctx, func(l Ledger) error {
		identity, err := l.Identity()
		if err != nil {
			return err
		}
		generation, err := l.Generation()
		if err == nil && (identity != p.file.Header.Ledger || generation != p.file.Header.Generation) {
			why = "The ledger has moved on since this plan was made: apply would refuse it. Plan again."
		}
		return err
	})
	if err != nil {
		why = "The ledger can't be read now, so old texts are missing: " + err.Error()
	}
	return why
}
