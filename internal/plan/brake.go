package plan

import (
	"maps"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/tally"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// writePlan applies the brakes (limits that hold suspicious changes) to the due changes, and writes the plan.
func writePlan(s *site, v *verdicts, out Writer) (trailer document.PlanTrailer, err error) {
	b := &braking{
		site: s, verdicts: v, out: out, counts: s.survey.Counts, origins: s.options.Origins, trips: tally.Trips{},
	}
	for _, op := range [...]document.Op{document.Delete, document.BulkDelete} {
		if err := v.changes[op].Each(b.countDelete); err != nil {
			return trailer, err
		}
	}
	for _, op := range changeOrder {
		if err := b.writeChanges(op); err != nil {
			return trailer, err
		}
	}
	if err := v.observed.Each(func(o document.Observation, _ []byte) error { return out.Observe(o) }); err != nil {
		return trailer, err
	}
	if err := v.failures.Each(func(f document.Failure, _ []byte) error { return out.Failure(f) }); err != nil {
		return trailer, err
	}
	if err := v.moves.Each(func(m document.Move, _ []byte) error { return out.Move(m) }); err != nil {
		return trailer, err
	}
	if b.counts.Queue > 0 {
		s.warn(document.WarnQueue, "accepted does not mean crawled: an inactive crawler answers Ok and never fetches; "+
			"look in the management console whether it is active, or set push.mode = \"documents\"")
	}
	if b.forgotten > 0 {
		s.warn(document.WarnQueue, "the configuration now excludes "+document.Count(b.forgotten, "document")+
			": sitesync forgets them and does not tell the hosted crawler, which would fetch them; "+
			"exclude them in the management console too")
	}
	for _, w := range slices.Concat(s.survey.Warnings, s.warnings.All()) {
		if err := out.Warning(w); err != nil {
			return trailer, err
		}
	}
	return b.trailer(), nil
}

type braking struct {
	site       *site
	verdicts   *verdicts
	out        Writer
	bulk       *document.Bulk // the bulk delete; nil if expired documents are deleted by ID
	counts     document.Counts
	kinds      document.Kinds
	origins    []string // origins of start URLs: those of earlier runs, and those approved in this run
	unapproved string
	trips      tally.Trips
	retention  []string
	forgotten  int
}

func (b *braking) countDelete(c dueChange, _ []byte) error {
	if c.State != document.Planned {
		return nil
	}
	limits, totals := b.site.options.Limits, &b.verdicts.totals
	d, err := b.due(&c)
	if err != nil {
		return err
	}
	narrow := judge.Brakes(d, judge.Totals{Documents: totals.Documents, Changed: totals.Changed}, limits)
	if !d.Counts() || narrow.Brake != document.BrakeNone {
		return nil
	}
	released, err := b.site.released(c.Change)
	if !released {
		totals.Deletes++
	}
	return err
}

func (b *braking) change(due dueChange, wire []byte) error {
	c := due.Change
	if len(wire) > 0 {
		c.Doc = wire
	}
	if c.State == document.Planned {
		hold, err := b.holds(&due)
		switch {
		case err != nil:
			return err
		case hold.Brake != document.BrakeNone:
			c.State, c.Brake, c.Group = document.Held, hold.Brake, hold.Place
			b.trips.Count(hold)
		case c.Cause == document.CauseNew:
			b.verdicts.totals.Fresh++
		case due.Rule != "" && !slices.Contains(b.retention, due.Rule):
			b.retention = append(b.retention, due.Rule)
		}
	}
	if err := b.tellBulk(&c); err != nil {
		return err
	}
	c.Pair = b.pairs(&c)
	c = b.site.asSent(c)
	if b.site.options.Queue && c.Cause == document.CauseOutOfScope && c.State == document.Planned {
		// with Queue, a change asks the service's crawler to fetch its URL, but this URL is excluded
		b.forgotten++
		b.verdicts.observed.Add(document.Observation{ID: c.ID, Next: c.Next}, nil)
		return nil
	}
	switch c.State {
	case document.Held:
		b.counts.Held++
	case document.Refused:
		b.counts.Refused++
	default:
		b.counts.Count(c.Op)
		b.kinds.Count(c.Entry(c.State, ""))
	}
	if c.State == document.Held && due.Seen != nil {
		b.verdicts.observed.Add(document.Observation{ID: c.ID, Next: due.Seen}, nil)
	}
	return b.out.Change(c)
}

func (b *braking) pairs(c *document.Change) bool {
	movers := b.site.movers
	switch at := spool.Fingerprint(c.ID); {
	case c.State != document.Planned:
	case c.Cause == document.CauseNew:
		if flags, _ := movers.Get(at); flags&movedTo != 0 {
			movers.Mark(at, movedPut)
			return true
		}
	case c.Cause == document.CauseMoved && c.Needs != "":
		before := movers.Mark(spool.Fingerprint(c.Needs), movedPaired)
		return before&movedPut != 0 && before&movedPaired == 0
	}
	return false
}

func (s *site) asSent(c document.Change) document.Change {
	if s.options.Queue {
		c.Op, c.Doc, c.Needs = document.Queue, nil, ""
	}
	return c
}

// holds returns the brake that holds a change, and why. The result is zero if no brake holds the change, or
// if the owner has released the change.
func (b *braking) holds(c *dueChange) (h judge.Hold, err error) {
	o, at := b.site.options, weburl.Origin(c.ID)
	d, err := b.due(c)
	if err != nil {
		return h, err
	}
	h = judge.Brakes(d, b.verdicts.totals, o.Limits)
	switch {
	case !b.newPlace(c, at):
	case c.Op == document.Delete:
		h = judge.HoldOrigin(d, b.unapproved)
	case h.Brake == document.BrakeNone:
		h = judge.HoldOrigin(d, d.Host.Host+"/")
	}
	switch {
	case h.Brake == document.BrakeNone, h.Release == judge.ReleaseNone:
		return h, nil
	case h.Brake == document.BrakeHost, h.Brake == document.BrakeOrigin:
	case c.Op == document.Delete && o.AllowDeletes, c.Cause == document.CauseOutOfScope && o.AcceptScope:
		return judge.Hold{}, nil
	}
	approved, err := b.site.released(c.Change)
	switch {
	case err != nil:
		return h, err
	case !approved && h.Brake == document.BrakeOrigin:
		b.unapproved = h.Place
	case approved && h.Brake == document.BrakeOrigin && c.Op != document.Delete:
		b.origins = append(b.origins, at)
	}
	if !approved {
		return h, nil
	}
	return judge.Hold{}, nil
}

func (s *site) released(c document.Change) (bool, error) {
	sent := s.asSent(c)
	entry := sent.Entry(document.Held, "")
	return s.ledger.Approved(&entry)
}

// newPlace reports whether a change must wait for the owner to approve a new origin among the start URLs.
// Puts at a new origin wait. Out-of-scope deletes on a former host of the site also wait while an origin is
// not approved. So a new document is sent before the old one is deleted.
func (b *braking) newPlace(c *dueChange, at string) bool {
	if c.Op != document.Delete {
		return b.origins != nil && !slices.Contains(b.origins, at) && !slices.Contains(b.site.options.FileOrigins, at)
	}
	_, ours := b.site.hosts[at]
	return !ours && b.unapproved != "" && c.Cause == document.CauseOutOfScope
}

// due returns the change with the facts that the brakes need. A former host of the site has no state in this
// run. An out-of-scope delete there gets the state HostOK. Another delete there gets the state of the host to
// which its page redirects.
func (b *braking) due(c *dueChange) (*judge.Due, error) {
	v := b.verdicts
	flags, _ := b.site.table.Get(spool.Fingerprint(c.ID))
	d := &judge.Due{
		Change: &c.Change, Turning: v.turnings.First(c.Turned),
		Start: slices.Contains(b.site.options.StartPages, c.ID), Grew: flags&spool.Grown != 0,
		Returns: c.Returns, NoPage: c.NoPage, Folds: c.Folds,
		Places: v.places.Of(c.ID, c.Type), Rule: c.Rule,
		NewRule: c.Rule != "" && !slices.Contains(b.site.options.Retention, c.Rule),
	}
	at := weburl.Origin(c.ID)
	h, ours := b.site.hosts[at]
	if !ours && c.Cause == document.CauseOutOfScope {
		h.State, h.Covered = document.HostOK, true
	} else if !ours && c.Op == document.Delete {
		seen, err := b.site.sighting(c.ID)
		if err != nil {
			return nil, err
		}
		if seen != nil && seen.Target != "" {
			at = weburl.Origin(seen.Target)
			h = b.site.hosts[at]
		}
	}
	h.Host = at
	if h.Covered && c.Op == document.Delete {
		d.Pattern = b.site.notFollowed(c.ID)
		h.Covered = d.Pattern == ""
	}
	d.Host, d.Last = h, b.site.past.OfHost[weburl.Origin(c.ID)] == 1
	return d, nil
}

func (b *braking) trailer() document.PlanTrailer {
	s, v, counts := b.site, b.verdicts, b.counts
	counts.Unchanged, counts.Failed, counts.LeftOut = v.unchanged, v.failures.Len(), v.leftOut
	for _, h := range s.survey.Hosts {
		counts.Unseen += h.Unseen
	}
	var rules document.Rules
	if !s.options.Only && s.survey.Complete { // a complete run without --only makes every document by RulesNow
		rules = s.options.RulesNow
	}
	learned := maps.Clone(s.learned) // profile sections (text that pages share) of broken hosts are dropped
	maps.DeleteFunc(learned, func(section string, _ document.Section) bool {
		return s.hosts[weburl.Origin(section)].State != document.HostOK
	})
	empty := !s.options.Only && s.past.Documents == 0 && counts.Calls()+counts.Held+counts.Refused == 0
	return document.PlanTrailer{
		Summary: document.Summary{
			Run: s.options.Run, Start: s.options.Start.Unix(), ClockOff: s.options.Limits.ClockOff,
			Complete: s.survey.Complete, Part: s.options.Only, Empty: empty,
			Looked: s.table.Count(spool.Sighted), Hosts: s.survey.Hosts,
			Counts: counts, Kinds: b.kinds, Bulk: b.bulk, Sitemap: v.sitemap, New: v.newFailures,
			Brakes: b.trips.Sums(s.stages.Told, s.options.Held, s.options.Start.Unix()),
		},
		Hosts: s.remember(), Origins: b.origins, Retention: b.retention, Profile: learned, Rules: rules,
	}
}
