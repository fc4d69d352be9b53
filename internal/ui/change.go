package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"sitesync/internal/document"
)

type field struct {
	Name, Old, New string
	Had, Has       bool
}

type changePage struct {
	Change   change
	Old, New *document.Document // nil: no document, or the ledger (record of the index) keeps no text
	Fields   []field
	Same     []field
	Note     string
	Approve  bool
}

// Fields that are not in fieldOrder have the position 0, so they come last.
var fieldOrder = map[string]int{"Title": -6, "Url": -5, "Date": -4, "Category": -3, "Description": -2, "Content": -1}

func (s *Server) showChange(w http.ResponseWriter, r *http.Request) {
	p, why := s.pendingPlan()
	id := r.URL.Query().Get("id")
	if p == nil {
		s.lack(w, r, "No plan is shown. "+why)
		return
	}
	c, found, err := p.file.Find(id)
	switch {
	case err != nil:
		s.lack(w, r, "The plan can't be read: "+err.Error())
		return
	case !found:
		s.lack(w, r, "The plan has no change of "+id+".")
		return
	}
	page := changePage{Change: change{Entry: c.Entry(c.State, "")}, Approve: c.State == document.Held}
	page.Change.Class = classOf(&page.Change)
	page.Old, page.Note = s.oldText(r.Context(), id)
	page.New = merged(page.Old, &c)
	page.Fields, page.Same = fieldsOf(page.Old, page.New)
	if doc := cmp.Or(page.New, page.Old); doc != nil {
		page.Change.Title = doc.Fields["Title"]
	}
	s.show(w, r, "change", id, page)
}

// oldText returns the document that the search service last acknowledged, from the ledger (the record of the
// index). old is nil if the ledger has no text of it. If the ledger can't be read, note says why.
func (s *Server) oldText(ctx context.Context, id string) (old *document.Document, note string) {
	err := s.o.Ledger(ctx, func(l Ledger) error {
		doc, found, err := l.Text(id)
		if found {
			old = &doc
		}
		return err
	})
	if err != nil {
		note = "The old text can't be read now: " + err.Error()
	}
	return old, note
}

// merged returns the document after a change, or nil for a delete. A patch holds only the fields that differ.
func merged(old *document.Document, c *document.Change) *document.Document {
	var now document.Document
	if c.Op == document.Delete || c.Op == document.BulkDelete || json.Unmarshal(c.Doc, &now) != nil {
		return nil
	}
	if c.Op == document.Patch && old != nil {
		for name, value := range old.Fields {
			if _, has := now.Fields[name]; !has {
				now.Fields[name] = value
			}
		}
	}
	return &now
}

func fieldsOf(old, now *document.Document) (changed, same []field) {
	var was, is map[string]string
	if old != nil {
		was = old.Fields
	}
	if now != nil {
		is = now.Fields
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(fieldOrder[a], fieldOrder[b]), strings.Compare(a, b))
	})
	for _, name := range slices.Compact(names) {
		f := field{Name: name}
		f.Old, f.Had = was[name]
		f.New, f.Has = is[name]
		if f.Had == f.Has && f.Old == f.New {
			same = append(same, f)
		} else {
			changed = append(changed, f)
		}
	}
	return changed, same
}
