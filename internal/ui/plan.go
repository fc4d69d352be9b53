package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// change is one row of a list of changes. A moved document has two changes, but only one row.
type change struct {
	document.Entry
	Class, Title, From, Folder string // Class is the kind of the change, or "held" if a brake (a limit) holds it
	Approved                   bool   // a user approved it: the next run sends it if it is still due
}

// pending is the plan (the changes that the next run would send) that the web interface shows.
type pending struct {
	path, state string
	read        func() (*lists, error)
}

type lists struct {
	file     *planfile.File
	changes  *table[change]
	changed  map[string]bool // document ID → whether the class of its change is "changed"
	moves    *table[document.Move]
	failures *table[document.Failure]
	warnings *table[document.Warning]
}

func (s *Server) openPlan(path string) *pending {
	s.o.Search.Pending(path)
	p := &pending{path: path, state: stateOf(path)}
	p.read = sync.OnceValues(func() (*lists, error) { return readPlan(s.ctx, path) })
	s.work.Go(func() { _, _ = p.read() })
	return p
}

// stateOf returns the size and the modification time of a file, so that callers notice a replaced file.
func stateOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "gone"
	}
	return fmt.Sprint(info.Size(), info.ModTime())
}

func readPlan(ctx context.Context, path string) (p *lists, err error) {
	p = &lists{changed: map[string]bool{}}
	p.file, err = planfile.Open(path)
	if err != nil {
		return nil, err
	}
	p.moves, err = list(p.file.Moves(), func(m *document.Move) []string { return []string{m.From, m.To} })
	if err != nil {
		return nil, err
	}
	p.failures, err = list(p.file.Failures(), func(f *document.Failure) []string { return []string{f.URL, f.Error} })
	if err != nil {
		return nil, err
	}
	p.warnings, err = list(p.file.Warnings(), func(w *document.Warning) []string { return []string{w.URL, w.Text} },
		facet[document.Warning]{"kind", "Kind", func(w *document.Warning) []string { return []string{w.Kind} }})
	if err != nil {
		return nil, err
	}
	p.changes, err = readChanges(ctx, p.file.Changes(), func(c *document.Change) change {
		row := change{Entry: c.Entry(c.State, ""), Title: titleOf(c.Doc)}
		p.changed[row.ID] = classOf(&row) == string(document.KindChanged)
		return row
	})
	return p, err
}

func readChanges[T any](
	ctx context.Context, changes iter.Seq2[T, error], shown func(*T) change,
) (*table[change], error) {
	t := newChanges()
	pairs := map[string]int{} // new ID of a moved document → index of its row
	for c, err := range changes {
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := shown(&c)
		if at, told := pairs[row.To]; told && row.Pair {
			t.rows[at].From = row.ID
			t.keys[at] += "\n" + strings.ToLower(row.ID)
			continue
		}
		row.Folder, row.Class = report.Folder(row.ID), classOf(&row)
		if row.Pair {
			pairs[row.ID] = len(t.rows)
		}
		t.add(row, row.ID, row.Title)
	}
	return t, nil
}

func newChanges() *table[change] {
	kinds := report.Order()
	return &table[change]{
		order: func(a, b *change) int { return slices.Index(kinds, a.Class) - slices.Index(kinds, b.Class) },
		facets: []facet[change]{
			{"kind", "Kind", func(c *change) []string { return []string{c.Class} }},
			{"cause", "Cause", func(c *change) []string { return []string{string(c.Cause)} }},
			{"folder", "Folder", func(c *change) []string { return []string{c.Folder} }},
			{"type", "Type", func(c *change) []string { return []string{string(c.Type)} }},
			{"field", "Field", func(c *change) []string { return c.Fields }},
		},
	}
}

func titleOf(doc json.RawMessage) string {
	var fields struct {
		Fields struct{ Title string } `json:"fields"`
	}
	_ = json.Unmarshal(doc, &fields) // the checksums of the plan guarantee valid JSON
	return fields.Fields.Title
}

func classOf(c *change) string {
	if c.State == document.Held {
		return string(document.Held)
	}
	return string(c.Entry.Kind())
}

// pendingPlan returns the plan to show, and a note for the page. If no plan can be shown, p is nil and note
// says why. Both are empty if nobody asked for a plan. If the plan file was replaced, it is read again.
func (s *Server) pendingPlan() (p *lists, note string) {
	s.mu.Lock()
	if s.plan != nil && s.plan.state != stateOf(s.plan.path) {
		s.plan = s.openPlan(s.plan.path)
	}
	plan, making := s.plan, s.making != nil
	s.mu.Unlock()
	switch {
	case plan == nil && making:
		return nil, "A plan is being made: " + s.looked() + ". This page shows it when it is ready."
	case plan == nil:
		return nil, ""
	case making:
		note = "A new plan is being made: " + s.looked() + ". This is the one before."
	}
	p, err := plan.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "The plan file " + plan.path + " is gone. Make a new plan."
	case err != nil:
		return nil, "The plan can't be shown: " + err.Error()
	}
	return p, note
}

func (s *Server) looked() string {
	if s.o.Looked != nil {
		if looked, found := s.o.Looked(); found > 0 {
			return fmt.Sprintf("%s of %s known addresses are read", document.Number(looked), document.Number(found))
		}
	}
	return "the site is read now"
}

type planPage struct {
	Part, Note      string
	Making          bool
	Plan            *document.PlanTrailer
	Sentence, Stale string
	View            any
}

// planOf returns the data of a plan page. part is a name from the function parts, or "" on the overview page.
func (s *Server) planOf(w http.ResponseWriter, r *http.Request, part string) planPage {
	p, note := s.pendingPlan()
	page := planPage{Part: part, Note: note}
	s.mu.Lock()
	page.Making = s.making != nil
	s.mu.Unlock()
	if p == nil {
		if page.Making {
			again(w)
		}
		return page
	}
	page.Plan = &p.file.Trailer
	name := report.SiteName(p.file.Header.Target.Origins)
	page.Sentence = report.Sentence(&report.Run{Summary: page.Plan.Summary, Site: name, Dry: true})
	query, rows := r.URL.Query(), []change{}
	switch part {
	case "changes":
		view := p.changes.view(query)
		page.View, rows = view, view.Rows
	case "moved":
		page.View = p.moves.view(query)
	case "unread":
		page.View = p.failures.view(query)
	case "warnings":
		page.View = p.warnings.view(query)
	}
	err := s.o.Ledger(r.Context(), func(l Ledger) error {
		identity, err := l.Identity()
		if err != nil {
			return err
		}
		generation, err := l.Generation()
		if err == nil && (identity != p.file.Header.Ledger || generation != p.file.Header.Generation) {
			page.Stale = "The ledger has changed since this plan was made, so apply would refuse it. Plan again."
		}
		return cmp.Or(err, addTitles(l, rows))
	})
	if err != nil {
		page.Stale = "The ledger can't be read now, so old texts are missing: " + err.Error() +
			". Load this page again later."
	}
	return page
}

// addTitles takes missing titles, such as those of deletes, from the ledger (the record of the index).
func addTitles(l Ledger, rows []change) error {
	for i := range rows {
		if rows[i].Title == "" {
			doc, _, err := l.Text(rows[i].ID)
			if err != nil {
				return err
			}
			rows[i].Title = doc.Fields["Title"]
		}
	}
	return nil
}

func parts() []string { return []string{"changes", "moved", "unread", "warnings"} }
