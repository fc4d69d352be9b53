package plan

import (
	"errors"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
)

// verdicts is everything that judging found to be due, on disk, with its totals.
type verdicts struct {
	*Planner
	changes  map[document.Op]*pile[dueChange]
	observed *pile[document.Observation]
	failures *pile[document.Failure]
	moves    *pile[document.Move]
	warnings *pile[document.Warning]

	totals    judge.Totals
	byGroup   groups
	turnings  turnings
	unchanged int
	sitemap   document.SitemapDiff
	fresh     int            // failures that the last run did not have
	told      map[string]int // how many warnings of a kind about links
	health    health
	groups    []document.HealthGroup // what that comes to
	misread   map[misreading]misread
	scope     scopeChange
	ruled     int // documents that differ because their rules do
}

func newVerdicts(p *Planner) (*verdicts, error) {
	v := &verdicts{Planner: p, changes: map[document.Op]*pile[dueChange]{}, told: map[string]int{}, misread: map[misreading]misread{}, scope: scopeChange{}}
	v.byGroup, v.turnings.sorted = newGroups(p.ofType), spool.NewSorter(p.work.Dir)
	var errs [9]error
	for i, op := range changeOrder {
		v.changes[op], errs[i] = newPile[dueChange](p.work.Dir, string(op))
	}
	v.observed, errs[4] = newPile[document.Observation](p.work.Dir, "observe")
	v.failures, errs[5] = newPile[document.Failure](p.work.Dir, "failure")
	v.moves, errs[6] = newPile[document.Move](p.work.Dir, "move")
	v.warnings, errs[7] = newPile[document.Warning](p.work.Dir, "warning")
	if err := errors.Join(errs[:]...); err != nil {
		v.close()
		return nil, err
	}
	v.totals.Documents = p.documents
	return v, nil
}

func (v *verdicts) close() {
	for _, changes := range v.changes {
		_ = changes.close()
	}
	_ = errors.Join(v.turnings.sorted.Close(), v.observed.close(), v.failures.close(), v.moves.close(), v.warnings.close())
}

// add piles up one verdict.
func (v *verdicts) add(f *judge.Facts, verdict judge.Verdict, draft document.Draft) error {
	if verdict.Change == nil && f.Record.IsDocument() && verdict.Failure == nil {
		v.unchanged++
	}
	v.scope.add(f, &verdict)
	v.countRules(&verdict)
	var errs []error
	if verdict.Change != nil {
		errs = append(errs, v.due(f, verdict.Change, draft))
	}
	if verdict.Next != nil || verdict.Drop {
		errs = append(errs, v.observed.add(document.Observation{ID: f.URL, Next: verdict.Next}, nil))
	}
	if verdict.Failure != nil {
		if verdict.Failure.Since == v.Run {
			v.fresh++
		}
		errs = append(errs, v.failures.add(*verdict.Failure, nil))
	}
	if verdict.Move != nil {
		errs = append(errs, v.moves.add(*verdict.Move, nil))
	}
	for _, warning := range verdict.Warnings {
		errs = append(errs, v.warn(warning))
	}
	return errors.Join(errs...)
}

// dueChange is a change with what the brakes must know of it.
type dueChange struct {
	document.Change
	Known  bool     `json:"known,omitempty"`  // judge.Due.Known
	Turned []string `json:"turned,omitempty"` // as judge.Turned returns it
	Rule   string   `json:"rule,omitempty"`   // judge.Due.Rule
}

// due piles up a change with its wire bytes.
func (v *verdicts) due(f *judge.Facts, change *document.Change, draft document.Draft) error {
	c := dueChange{Change: *change, Known: f.Record != nil && len(f.Record.Fields) > 0}
	if err := v.turn(f, &c); err != nil {
		return err
	}
	if c.Op == document.Delete {
		if judge.Counts(change) && c.State == document.Planned {
			v.totals.Deletes++
		}
		if c.Cause == document.CauseExpired {
			c.Rule = f.Rule
		}
		return v.changes[c.Op].add(c, nil)
	}
	doc := v.stages.Finish(draft, c.ID, v.profile)
	if c.Op == document.Patch {
		fields := make(map[string]string, len(c.Fields))
		for _, name := range c.Fields {
			fields[name] = doc.Fields[name]
		}
		doc.Fields = fields
	}
	wire, err := doc.Wire()
	if err != nil {
		return err
	}
	return v.changes[pileOf(&c.Change)].add(c, wire)
}

// turn counts a changed page, and what it turns to.
func (v *verdicts) turn(f *judge.Facts, c *dueChange) error {
	changed, to := judge.Turned(f, &c.Change)
	if changed {
		v.totals.Changed++
	}
	c.Turned = to
	for _, one := range to {
		if err := v.turnings.add(one, c.ID); err != nil {
			return err
		}
	}
	return nil
}

// compareSitemap counts how the sitemaps differ from what the records say.
func (v *verdicts) compareSitemap(f *judge.Facts, listed bool) {
	was := f.Record != nil && f.Record.Listed
	switch {
	case listed && !was:
		v.sitemap.Added++
	case was && !listed:
		v.sitemap.Removed++
	case listed && f.Sighting.Hints.Lastmod != f.Record.Hints.Lastmod:
		v.sitemap.Modified++
	}
}
