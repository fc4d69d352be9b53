package pipeline

import (
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
)

// brake writes the plan: every due change, held where a brake holds it, then what
// is to be kept and told. It returns the trailer.
func (p *Planner) brake(v *verdicts, out Writer) (document.PlanTrailer, error) {
	b := &braking{verdicts: v, out: out}
	for _, op := range changeOrder {
		if err := v.changes[op].each(b.change); err != nil {
			return document.PlanTrailer{}, err
		}
	}
	err := firstError(
		v.observed.each(func(o document.Observation, _ []byte) error { return out.Observe(o) }),
		v.failures.each(func(f document.Failure, _ []byte) error { return out.Failure(f) }),
		v.moves.each(func(m document.Move, _ []byte) error { return out.Move(m) }),
		b.warnings(),
	)
	return p.trailer(v, b.counts), err
}

type braking struct {
	*verdicts
	out    Writer
	counts document.Counts
}

// change decides on one due change and writes it.
func (b *braking) change(c document.Change, wire []byte) error {
	if len(wire) > 0 {
		c.Doc = wire
	}
	if c.State == document.Planned {
		brake, err := b.holds(&c)
		if err != nil {
			return err
		}
		if brake != document.BrakeNone {
			c.State, c.Brake = document.Held, brake
		}
	}
	b.count(&c)
	if c.State == document.Held && c.Op == document.Put && c.Cause == document.CauseNew {
		// Known from now on, or it would be found again only when a link to it changes.
		if err := b.observed.add(document.Observation{ID: c.ID, Next: &document.Record{ID: c.ID, First: document.First{From: c.Next.First.From}}}, nil); err != nil {
			return err
		}
	}
	return b.out.Change(c)
}

// holds returns the brake that holds a change, unless the owner released it. What a
// host that is not ok shows is no evidence: nothing releases that.
func (b *braking) holds(c *document.Change) (document.Brake, error) {
	brake := judge.Brakes(c, b.host(c), b.copies.of(c), b.totals, b.Limits)
	at := origin(c.ID)
	if brake == document.BrakeNone && c.Op != document.Delete && b.Origins != nil && !slices.Contains(b.Origins, at) && !slices.Contains(b.FileOrigins, at) {
		brake = document.BrakeOrigin
	}
	switch {
	case brake == document.BrakeNone, brake == document.BrakeHost:
		return brake, nil
	case c.Op == document.Delete && b.AllowDeletes:
		return document.BrakeNone, nil
	case c.Cause == document.CauseOutOfScope && b.AcceptScope:
		return document.BrakeNone, nil
	}
	approved, err := b.ledger.Approved(c)
	if !approved {
		return brake, err
	}
	if brake == document.BrakeOrigin {
		b.Origins = append(b.Origins, origin(c.ID))
	}
	return document.BrakeNone, err
}

// host returns the host of a change. One that is no longer the site's has no state
// that could hold a delete for being out of scope: the totals do.
func (b *braking) host(c *document.Change) document.Host {
	h, ours := b.hosts[origin(c.ID)]
	if !ours && c.Cause == document.CauseOutOfScope {
		return document.Host{State: document.HostOK, Covered: true}
	}
	h.Covered = h.Covered && (c.Op != document.Delete || !b.capped.covers(c.ID))
	return h
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
	}
}

func (b *braking) warnings() error {
	for _, warning := range b.survey.Warnings {
		if err := b.out.Warning(warning); err != nil {
			return err
		}
	}
	return b.verdicts.warnings.each(func(w document.Warning, _ []byte) error { return b.out.Warning(w) })
}

// trailer sums the plan up.
func (p *Planner) trailer(v *verdicts, counts document.Counts) document.PlanTrailer {
	counts.Discovered, counts.Fetched = p.survey.Discovered, p.survey.Fetched
	counts.NotModified, counts.SkippedByHint = p.survey.NotModified, p.survey.SkippedByHint
	counts.Unchanged, counts.Failed = v.unchanged, v.failures.n
	return document.PlanTrailer{
		Summary: document.Summary{
			Run: p.Run, Start: p.Start.Unix(), Complete: p.survey.Complete,
			Looked: p.work.Table.Count(spool.Sighted), Hosts: p.survey.Hosts,
			Counts: counts, Sitemap: v.sitemap, New: v.fresh, Health: v.groups,
		},
		Hosts: p.remember(), Origins: p.Origins, Profile: p.learned,
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
