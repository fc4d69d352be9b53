package plan

import (
	"cmp"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// brake writes the plan: every due change, held where a brake holds it, then what
// is to be kept and told. It returns the trailer.
func (p *Planner) brake(v *verdicts, out Writer) (document.PlanTrailer, error) {
	bulk, err := newBulkWriter(p, out)
	if err != nil {
		return document.PlanTrailer{}, err
	}
	defer bulk.close()
	b := &braking{verdicts: v, out: bulk, trips: trips{}}
	for _, op := range changeOrder {
		if err := v.changes[op].each(b.change); err != nil {
			return document.PlanTrailer{}, err
		}
	}
	if err := bulk.finish(&b.counts); err != nil {
		return document.PlanTrailer{}, err
	}
	err = firstError(
		v.observed.each(func(o document.Observation, _ []byte) error { return out.Observe(o) }),
		v.failures.each(func(f document.Failure, _ []byte) error { return out.Failure(f) }),
		v.moves.each(func(m document.Move, _ []byte) error { return out.Move(m) }),
		b.warnings(),
	)
	trailer := p.trailer(v, b)
	trailer.Summary.Bulk = bulk.chosen
	return trailer, err
}

type braking struct {
	*verdicts
	out    Writer
	counts document.Counts
	trips  trips
	rules  []string // of retention, of which an effect goes out

	excluded int // documents that queue mode can tell nobody of
}

// change decides on one due change and writes it.
func (b *braking) change(due dueChange, wire []byte) error {
	c := due.Change
	if len(wire) > 0 {
		c.Doc = wire
	}
	if c.State == document.Planned {
		trip, err := b.holds(&due)
		switch {
		case err != nil:
			return err
		case trip.Brake != document.BrakeNone:
			c.State, c.Brake, c.Group = document.Held, trip.Brake, trip.Group
			b.trips.add(trip)
		case due.Rule != "" && !slices.Contains(b.rules, due.Rule):
			b.rules = append(b.rules, due.Rule)
		}
	}
	c = b.sent(c)
	if b.untold(&c) {
		return b.observed.add(document.Observation{ID: c.ID, Next: c.Next}, nil)
	}
	b.count(&c)
	if c.State == document.Held && c.Cause == document.CauseNew {
		// Known from now on, or it would be found again only when a link to it changes.
		if err := b.observed.add(document.Observation{ID: c.ID, Next: &document.Record{ID: c.ID, First: document.First{From: c.Next.First.From}}}, nil); err != nil {
			return err
		}
	}
	return b.out.Change(c)
}

// holds returns what holds a change, of no brake when nothing does, or when the owner
// released it. What a host that is not ok shows is no evidence: nothing releases that.
func (b *braking) holds(c *dueChange) (trip document.Tripped, err error) {
	d := b.due(c)
	brake, group := judge.Brakes(d, b.totals, b.Limits)
	at := weburl.Origin(c.ID)
	if brake == document.BrakeNone && c.Op != document.Delete && b.Origins != nil && !slices.Contains(b.Origins, at) && !slices.Contains(b.FileOrigins, at) {
		brake = document.BrakeOrigin
	}
	if brake == document.BrakeNone {
		return trip, nil
	}
	held, keys := judge.Trip(d, brake, group, b.totals, b.Limits)
	held.Line = b.line(keys)
	switch {
	case brake == document.BrakeHost:
		return held, nil
	case c.Op == document.Delete && b.AllowDeletes:
		return trip, nil
	case c.Cause == document.CauseOutOfScope && b.AcceptScope:
		return trip, nil
	}
	call := b.sent(c.Change)
	call.Brake, call.Group = held.Brake, held.Group
	approved, err := b.ledger.Approved(&call)
	if !approved {
		return held, err
	}
	if brake == document.BrakeOrigin {
		b.Origins = append(b.Origins, at)
	}
	return trip, err
}

// line returns where the first of the keys stands that the configuration has.
func (o *Options) line(keys []string) (line string) {
	for _, key := range keys {
		line = cmp.Or(line, o.Lines[key])
	}
	return line
}

// due gathers what the brakes must know of a change.
func (b *braking) due(c *dueChange) *judge.Due {
	d := &judge.Due{
		Change: &c.Change, Known: c.Known, Copies: b.copies.of(&c.Change), Turning: b.turnings.first(c.Turned),
		Groups: b.byGroup.of(c.ID, c.Type), Rule: c.Rule, NewRule: c.Rule != "" && !slices.Contains(b.Retention, c.Rule),
	}
	d.Host, d.Pattern = b.host(&c.Change)
	return d
}

// host returns the host of a change, and the pattern that the crawl stopped following
// if its URL matches one. A host that is no longer the site's has no state that could
// hold a delete for being out of scope: the totals do.
func (b *braking) host(c *document.Change) (h document.Host, pattern string) {
	h, ours := b.hosts[weburl.Origin(c.ID)]
	if !ours && c.Cause == document.CauseOutOfScope {
		h.State, h.Covered = document.HostOK, true
	}
	h.Host = weburl.Origin(c.ID)
	if h.Covered && c.Op == document.Delete {
		pattern = b.capped.covers(c.ID)
		h.Covered = pattern == ""
	}
	return h, pattern
}

func (b *braking) count(c *document.Change) {
	switch {
	case c.State == document.Held:
		b.counts.Held++
	case c.State == document.Refused:
		b.counts.Refused++
	case c.Op == document.Put:
		b.counts.Put++
	case c.Op == document.Patch:
		b.counts.Patch++
	case c.Op == document.Delete:
		b.counts.Delete++
	case c.Op == document.Queue:
		b.counts.Queue++
	}
}

func (b *braking) warnings() error {
	for _, warning := range append(b.survey.Warnings, b.queueWarnings()...) {
		if err := b.out.Warning(warning); err != nil {
			return err
		}
	}
	return b.verdicts.warnings.each(func(w document.Warning, _ []byte) error { return b.out.Warning(w) })
}

// trailer sums the plan up.
func (p *Planner) trailer(v *verdicts, b *braking) document.PlanTrailer {
	counts := b.counts
	counts.Discovered, counts.Fetched = p.survey.Discovered, p.survey.Fetched
	counts.NotModified, counts.SkippedByHint = p.survey.NotModified, p.survey.SkippedByHint
	counts.Unchanged, counts.Failed = v.unchanged, v.failures.n
	return document.PlanTrailer{
		Summary: document.Summary{
			Run: p.Run, Start: p.Start.Unix(), Complete: p.survey.Complete, Part: p.Only,
			Looked: p.work.Table.Count(spool.Sighted), Hosts: p.survey.Hosts,
			Counts: counts, Sitemap: v.sitemap, New: v.fresh, Health: v.groups, Brakes: b.trips.sums(),
			Scope: v.scope.groups(&p.Options),
		},
		Hosts: p.remember(), Origins: p.Origins, Retention: b.rules, Profile: p.learned, Rules: p.rulesKept(),
	}
}

// remember returns what is to be kept of each host.
func (p *Planner) remember() map[string]document.HostMemory {
	found := p.foundAll()
	for _, h := range p.survey.Hosts {
		memory := p.memories[h.Host]
		if !p.Only {
			memory.Followed, memory.Folded = "", h.Folded
			if found && h.Covered {
				memory.Followed = h.Followed
			}
		}
		switch {
		case h.Unlisted: // what the sitemaps list is not known
		case h.State == document.HostOK:
			memory.Sitemap = h.Sitemap
		case h.State == document.HostSitemapCollapse: // believed after some nights
			memory.Sitemap = (memory.Sitemap + h.Sitemap) / 2
		}
		p.memories[h.Host] = memory
	}
	return p.memories
}

// foundAll reports whether every page of the start hosts that a link leads to has a
// record from now on: links cross hosts, and a new page of one that was not covered,
// or answers 200 for all, has none. A dead host of files alone does not make every
// night read all: what is new there waits until its link is read again.
func (p *Planner) foundAll() bool {
	return !slices.ContainsFunc(p.survey.Hosts, func(h document.Host) bool {
		return !slices.Contains(p.FileOrigins, h.Host) && (!h.Covered || h.State == document.HostSoft404)
	})
}
