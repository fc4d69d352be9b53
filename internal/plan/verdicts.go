package plan

import (
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/tally"
	"sitesync/internal/spool"
)

type verdicts struct {
	site     *site
	changes  map[document.Op]*spool.Spill[dueChange]
	observed *spool.Spill[document.Observation]
	failures *spool.Spill[document.Failure]
	moves    *spool.Spill[document.Move]

	bulk           *judge.Bulk
	totals         judge.Totals
	places         tally.Places
	turnings       tally.Turnings
	vanished       int
	unchanged      int
	sitemap        document.SitemapDiff
	newFailures    int
	changedByRules int
	named          int // number of URLs that make no document, including those on other hosts
	leftOut        int // number of URLs of the site that make no document
}

// changeOrder is the order of operations in a plan. Puts come before deletes, so that a document stays in the
// index until the document that replaces it is there. Bulk deletes come last.
var changeOrder = [...]document.Op{putNew, document.Put, document.Patch, document.Delete, document.BulkDelete}

// putNew is a put of a document that the index may lack.
const putNew document.Op = "put-new"

func (s *site) newVerdicts(bulk *judge.Bulk) *verdicts {
	v := &verdicts{
		site: s, bulk: bulk, changes: map[document.Op]*spool.Spill[dueChange]{},
		observed: spool.NewSpill[document.Observation](s.scratch, "observe"),
		failures: spool.NewSpill[document.Failure](s.scratch, "failure"),
		moves:    spool.NewSpill[document.Move](s.scratch, "move"),
		totals:   judge.Totals{Documents: s.past.Documents}, vanished: s.past.Vanished,
		places: tally.NewPlaces(s.past.OfType), turnings: tally.NewTurnings(s.scratch),
	}
	if s.options.Ran && s.past.Documents > 0 { // growth is not limited if the index is empty
		v.totals.Room = max(growth, s.past.Documents)
	}
	for _, op := range changeOrder {
		v.changes[op] = spool.NewSpill[dueChange](s.scratch, string(op))
	}
	return v
}

const growth = 500

func (v *verdicts) addEntry(f *judge.Facts, verdict judge.Verdict, doc document.Document) {
	if verdict.Change == nil && f.Record.IsDocument() && verdict.Failure == nil && !verdict.Unseen && !verdict.Waiting {
		v.unchanged++
	}
	if why := f.Sighting.Why; f.Sighting.Seen == document.OutOfScope && f.Record.IsDocument() {
		if verdict.Change == nil {
			why += `; it is kept by delete.out_of_scope = "keep"`
		}
		v.site.warnings.Add(document.WarnScope, f.URL, why)
	}
	changed, turned := judge.Turned(f, verdict.Change)
	if changed {
		v.totals.Changed++
		for _, to := range turned {
			v.turnings.Add(to, f.URL)
		}
	}
	if c := verdict.Change; c != nil {
		if c.Cause == document.CauseRules {
			v.changedByRules++
		}
		v.due(f, &verdict, doc, turned)
	}
	if (verdict.Next != nil || verdict.Drop) && !isVisit(f) {
		v.observed.Add(document.Observation{ID: f.URL, Next: verdict.Next}, nil)
	}
	if verdict.Failure != nil {
		if verdict.Failure.Since == v.site.options.Run {
			v.newFailures++
		}
		v.failures.Add(*verdict.Failure, nil)
	}
	if verdict.Move != nil {
		v.moves.Add(*verdict.Move, nil)
		v.site.movers.Mark(spool.Fingerprint(verdict.Move.To), movedTo)
	}
	for _, w := range verdict.Warnings {
		v.site.warnings.Add(w.Kind, w.URL, w.Text)
	}
}

func (v *verdicts) leaveOut(f *judge.Facts, out Writer) (told bool, err error) {
	seen, isDocument := f.Sighting.Seen, f.Record.IsDocument()
	if seen == "" { // the method recall has marked the URL as forgotten
		return true, out.Page(document.SitePage{URL: f.URL})
	}
	hub := seen == document.Kept && !isDocument && f.Record.Canonical == ""
	if !isDocument && (seen.LeavesOut() || hub || seen == document.Read && f.Expired != "") {
		v.leftOut++
	}
	if seen != document.LeftOut && seen != document.OtherHost {
		return false, nil
	}
	v.named++
	if v.named > max(mostVanished, v.site.past.Documents) {
		return true, nil
	}
	return true, out.Page(sitePage(f, 0))
}

type dueChange struct {
	document.Change
	Seen    *document.Record `json:"seen,omitempty"`    // record to write if a brake (limit) holds the change
	Turned  []judge.Turn     `json:"turned,omitempty"`  // what the changed page now shows: see judge.Turned
	Returns bool             `json:"returns,omitempty"` // for this field and those below, see judge.Due
	NoPage  bool             `json:"no_page,omitempty"`
	Folds   int              `json:"folds,omitempty"`
	Rule    string           `json:"rule,omitempty"`
}

func (v *verdicts) due(f *judge.Facts, verdict *judge.Verdict, doc document.Document, turned []judge.Turn) {
	change := verdict.Change
	c := dueChange{
		Change: *change, Seen: verdict.Seen, Turned: turned, Returns: f.Returns(), Folds: f.Target.Folds,
		NoPage: f.Sighting.Interstitial == document.Soft404,
	}
	if c.Op == document.Delete {
		if c.Cause == document.CauseExpired {
			c.Rule = f.Rule
		}
		to := document.Delete
		if v.bulk.Takes(change, f.Record) {
			to = document.BulkDelete
		}
		v.changes[to].Add(c, nil)
		return
	}
	if c.Op == document.Patch {
		fields := make(map[string]string, len(c.Fields))
		for _, name := range c.Fields {
			fields[name] = doc.Fields[name]
		}
		doc.Fields = fields
	}
	to := c.Op
	switch c.Cause {
	case document.CauseNew, document.CauseRetry, document.CauseInDoubt:
		to = putNew
	}
	v.changes[to].Add(c, doc.Wire())
}

func (v *verdicts) warnOfRules() {
	if v.changedByRules == 0 {
		return
	}
	var changed []string
	if before, now := v.site.options.RulesBefore, v.site.options.RulesNow; before != nil {
		names := maps.Clone(before)
		maps.Copy(names, now)
		maps.DeleteFunc(names, func(name string, _ uint64) bool { return before[name] == now[name] })
		changed = slices.Sorted(maps.Keys(names))
	}
	if n := len(v.site.learned); n > 0 {
		changed = append(changed, "the profile of "+document.Count(n, "section"))
	}
	if len(changed) == 0 {
		changed = []string{"what the last run knew"}
	}
	all := strings.Join(changed, ", ")
	v.site.warn(document.WarnRules, all+" changed; documents that differ by that: "+document.Number(v.changedByRules))
}
