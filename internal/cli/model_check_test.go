package cli_test

import (
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// checked is what is checked of one run that may write: what the index was before, what
// the run was told, and what it said.
type checked struct {
	before map[string]indexed
	only   string // a folder; empty: the whole site
	limit  int    // pages
	allows bool   // --allow-deletes
	faults string // of the service
	result result
}

// counts reports whether a delete counts in the brakes.
func counts(e *document.Entry) bool {
	return e.Op == document.Delete && e.Cause != document.CauseMoved && e.Cause != document.CauseDuplicate
}

// check holds the invariants against one night.
func (h *house) check(n *checked) {
	after := h.index()
	recs, held := h.book()
	h.checkRecords(after, recs)
	h.checkTexts(n, after)
	h.checkMass(n, after)
	h.checkDeletes(n, after, recs)
	if !n.result.told {
		return
	}
	if len(held) != len(n.result.Held) {
		h.rt.Fatalf("the run holds %v, and the command held would name %v", n.result.Held, held)
	}
	h.checkResult(n)
	h.checkBrakes(n)
	if !n.result.Complete || n.result.Stopped != "" {
		return
	}
	clear(h.approved)
	if n.only == "" && n.limit == 0 {
		h.checkNamed(n, after)
		h.listed = h.listed || h.model.mapped && h.trouble.kind != sitemapBroken && !h.readOnly()
	}
}

// Invariant 1: what a record says is acknowledged, the service holds, field by field;
// and what the service holds, a record knows of.
func (h *house) checkRecords(after map[string]indexed, recs map[string]*document.Record) {
	for id, rec := range recs {
		if rec.Push != document.PushOK {
			continue
		}
		doc, ok := after[id]
		fields := document.Document{Fields: doc.fields}.FieldHashes()
		if !ok || !maps.Equal(fields, rec.Fields) || string(rec.Type) != doc.kind {
			h.rt.Fatalf("invariant 1: the record of %s is ok, but the index holds %v, not what the record says", id, doc)
		}
	}
	for id := range after {
		if !recs[id].IsDocument() {
			h.rt.Fatalf("invariant 1: the index holds %s, which no record knows of", id)
		}
	}
}

// Invariants 3 and 10, and section 2: a text in the index is what it was, or what its
// page shows tonight for all to see.
func (h *house) checkTexts(n *checked, after map[string]indexed) {
	for path, doc := range after {
		page, was := h.model.pages[path], n.before[path]
		if page == nil || doc.edition == was.edition && was.fields != nil {
			continue
		}
		shown := h.model.editionOf(path, h.trouble)
		if doc.edition != shown || h.trouble.silent(path) {
			h.rt.Fatalf("%s turned to edition %d (%q); it was %d, and the site shows %d (%s)",
				path, doc.edition, doc.fields["Content"], was.edition, shown, h.trouble.kind)
		}
	}
}

// Section 3, mass update and health: five documents or more do not turn to one body,
// nor lose their text in more than half of the cases, without approval.
func (h *house) checkMass(n *checked, after map[string]indexed) {
	var same, thin []string
	for path, doc := range after {
		was, id := n.before[path], h.model.site.URL()+path
		if was.fields == nil || was.edition == sameEdition || h.approved[string(document.Patch)+id] || h.approved[string(document.Put)+id] {
			continue
		}
		if doc.edition == sameEdition {
			same = append(same, path)
		}
		if h.trouble.kind == thinAll && 5*len(doc.fields["Content"]) < len(was.fields["Content"]) {
			thin = append(thin, path)
		}
	}
	if len(same) >= 5 || len(thin) >= 5 && 2*len(thin) > len(n.before) {
		h.rt.Fatalf("section 3: with %s, these were updated: %v %v", h.trouble.kind, same, thin)
	}
}

// Invariant 3: nothing is deleted on silence.
func (h *house) checkDeletes(n *checked, after map[string]indexed, recs map[string]*document.Record) {
	for path := range n.before {
		if _, there := after[path]; there || recs[path].IsDocument() && n.faults != "" {
			continue // a document in doubt comes back, see settle
		}
		if why := h.spared(n, path); why != "" {
			h.rt.Fatalf("invariant 3: %s was deleted: %s", path, why)
		}
	}
}

// spared says why a document must not be deleted tonight; empty when it may.
func (h *house) spared(n *checked, path string) string {
	page, f := h.model.pages[path], h.model.fate(path, h.trouble)
	if page == nil { // of another origin, that a slip had started at
		return ""
	}
	released := n.allows || h.approved[string(document.Delete)+h.model.site.URL()+path]
	own := page.is == "gone" || page.is == "moved" // which no place and no host holds back
	proof := own || page.is == "hidden" || h.trouble.kind == noindexAll
	switch {
	case h.readOnly() && !own:
		return "nothing goes from a host that is not ok: " + string(h.trouble.kind)
	case f == lives, f == stays, f == silent && h.trouble.kind != fallsIll:
		return "its page is " + string(f)
	case h.trouble.kind == fallsIll && page.is == "live":
		return "its page is live, and the site fell ill"
	case h.trouble.kind == lostAll && len(n.before) > 4:
		return "the host is soft-404"
	case n.only != "" && !strings.HasPrefix(path, n.only):
		return "the run was for " + n.only + " only"
	case n.limit > 0 && len(n.before) > n.limit && f == dies && !proof && !released && !h.trouble.excludes(path):
		return "the run was limited"
	case n.only == "" && h.model.dark(n.before, h.trouble) > 0.15 && f == dies && !proof && !released:
		return "too much of the site can't be read"
	}
	return ""
}

// readOnly reports whether nothing may be deleted on the host at all.
func (h *house) readOnly() bool {
	return h.trouble.silent("/") || h.trouble.kind == robotsOutage || h.trouble.kind == sitemapBroken && h.listed
}

// Invariants 4 and 14, on what a result says of itself.
func (h *house) checkResult(n *checked) {
	r, seen := &n.result, map[string]bool{}
	for _, e := range append(slices.Clone(r.Changes), r.Held...) {
		if seen[e.ID] {
			h.rt.Fatalf("invariant 13: %s stands in the result twice", e.ID)
		}
		seen[e.ID] = true
		if e.Op == document.Delete && e.Evidence == "" {
			h.rt.Fatalf("invariant 4: the delete of %s has no evidence", e.ID)
		}
	}
	for _, e := range r.Held {
		if e.Brake == document.BrakeNone {
			h.rt.Fatalf("invariant 4: %s is held by nothing", e.ID)
		}
	}
	for _, move := range r.Moved {
		if end := h.model.last(h.path(move.From)); end != "" && end != h.path(move.To) && h.trouble.kind != frontAll {
			h.rt.Fatalf("%s moved to %s, and the run says to %s", move.From, end, move.To)
		}
	}
	switch {
	case r.Counts.Held != len(r.Held):
		h.rt.Fatalf("the result counts %d held and names %d", r.Counts.Held, len(r.Held))
	case len(r.Held) > 0 && r.Exit != 4 && r.Stopped == "":
		h.rt.Fatalf("invariant 4: %d are held, and the run exits %d", len(r.Held), r.Exit)
	case len(n.before) == 0 && len(r.Changes)+len(r.Held) == 0 && r.Exit == 1: // no document was found, and none is there yet
	case n.faults == "" && r.Exit != 0 && r.Exit != 3 && r.Exit != 4:
		h.rt.Fatalf("nothing was wrong with the service, and the run exits %d: %s", r.Exit, r.Stopped)
	}
}

// Section 3: beyond the brakes nothing goes that was not approved. What a narrower brake
// holds doesn't count in the total, nor does what was approved.
func (h *house) checkBrakes(n *checked) {
	var due, sent []string
	for _, e := range append(slices.Clone(n.result.Changes), n.result.Held...) {
		if counts(&e) && (e.Brake == document.BrakeNone || e.Brake == document.BrakeTotal) && e.State != document.Refused && !h.approved[string(e.Op)+e.ID] {
			due = append(due, e.ID)
			if e.Brake == document.BrakeNone {
				sent = append(sent, e.ID)
			}
		}
	}
	share := float64(len(due)) / float64(len(n.before)+3)
	if len(due) > h.max && share > 0.1 && len(sent) > 0 && !n.allows {
		h.rt.Fatalf("invariant 15: %d deletes of %d documents were due, and %v went", len(due), len(n.before), sent)
	}
	if half := len(n.before) / 2; len(n.before) >= 20 && len(sent) > half+1 && !n.allows {
		h.rt.Fatalf("invariant 15: more than half of %d documents went: %v", len(n.before), sent)
	}
}

// Invariant 14: what differs from the index is named.
func (h *house) checkNamed(n *checked, after map[string]indexed) {
	named := h.named(&n.result)
	ok := h.trouble.kind == allWell && n.faults == ""
	for path, page := range h.model.pages {
		doc, there := after[path]
		f := h.model.fate(path, h.trouble)
		switch {
		case f == dies && there && ok:
			if h.dead[path]++; h.dead[path] > 1+max(2, h.confirm) && !named[path] {
				h.rt.Fatalf("invariant 14: %s is %s for %d runs, still in the index, and not named", path, page.is, h.dead[path])
			}
		default:
			delete(h.dead, path)
		}
		if f != lives || h.readOnly() || named[path] || page.lied || !there && (page.shunned || !h.model.found(path, h.trouble)) ||
			!there && h.model.waits(path, h.trouble) ||
			!there && h.trouble.kind == sameBody && strings.Contains(path, "?") { // a new variant of another page
			continue
		}
		if doc.edition != h.model.editionOf(path, h.trouble) {
			h.rt.Fatalf("invariant 14: %s shows edition %d, the index holds %d, and the run does not name it", path, h.model.editionOf(path, h.trouble), doc.edition)
		}
	}
}

// named are the paths that a result speaks of as not done.
func (h *house) named(r *result) map[string]bool {
	all := map[string]bool{}
	name := func(id string) { all[h.path(id)] = true }
	for _, e := range append(slices.Clone(r.Changes), r.Held...) {
		if e.State != document.Acknowledged {
			name(e.ID)
		}
	}
	for _, f := range r.Failed {
		name(f.URL)
	}
	for _, w := range r.Warnings {
		if w.Kind == "unhealthy" {
			name(w.URL)
		}
	}
	return all
}

// Invariant 5: what can't write leaves service and ledger as they are.
func (h *house) checkDry(args ...string) {
	before, was := h.bytes(h.ledger()), h.clerk.count()
	h.run(h.rt.Context(), args...)
	if string(h.bytes(h.ledger())) != string(before) {
		h.rt.Fatalf("invariant 5: %v changed the ledger", args)
	}
	if h.clerk.count() != was {
		h.rt.Fatalf("invariant 5: %v called the service", args)
	}
}
