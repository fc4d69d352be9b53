package plan

import (
	"cmp"
	"context"
	"fmt"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/health"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// judge judges what stands on the agenda, in the order of URLs. With the last page it
// knows the totals that the brakes measure.
func (s *site) judge(ctx context.Context, agenda *agenda, past *past, bulk *bulkWriter) (*verdicts, error) {
	v := s.newVerdicts(past)
	v.unchanged = agenda.unchanged
	agenda.flush()
	err := agenda.entries.Each(func(e agendaEntry, _ []byte) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case e.Passed > 0:
			v.byGroup.Count(e.URL, e.Passed)
			return nil
		case e.Acknowledged:
			v.byGroup.Count(e.URL, 1)
		}
		return v.judge(e, bulk)
	})
	err = cmp.Or(err, s.scratch.Err())
	if err != nil {
		return nil, err
	}
	v.byGroup.Conclude()
	v.turnings.Conclude(v.totals.Changed)
	v.concludeWarnings()
	return v, v.concludeHosts()
}

// concludeWarnings adds the warnings that need totals. Of a part of the site there are no
// figures of health: they would speak of that part.
func (v *verdicts) concludeWarnings() {
	var all []document.Warning
	if !v.site.options.Only {
		v.groups = v.health.Conclude()
		all = health.Compare(v.groups, v.site.options.HealthBefore)
	}
	for _, w := range append(append(all, v.site.equalTexts...), v.rulesWarning()...) {
		v.warnings.warn(w)
	}
	v.warnings.ofLinks[document.WarnSameText] += v.site.moreEqual
	v.warnings.conclude()
}

// judge gathers the facts of one URL and has them judged.
func (v *verdicts) judge(e agendaEntry, bulk *bulkWriter) error {
	s := v.site
	flags, _ := s.table.Get(spool.Fingerprint(e.URL))
	f, draft, err := s.facts(e, flags)
	if err != nil {
		return err
	}
	at, found := weburl.Origin(e.URL), s.interstitialsOf(e.URL)
	found.Count(f.Sighting, f.Record.IsDocument(), flags&spool.Start != 0)
	if f.Sighting.Seen == document.Read && (judge.HostReadOnly(s.hosts[at]) || found.Any) {
		v.read.Add(f.Sighting.Content, []byte(at))
	}
	s.checkHints(&f)
	v.compareSitemap(&f)
	verdict := judge.Judge(f, s.options.Policy)
	v.compareLinks(&f, &verdict, flags)
	v.health.See(&f, &verdict)
	if f.Record.Acknowledged() {
		v.byGroup.Judged(&f, verdict.Change, s.options.Limits)
	}
	if verdict.Change == nil || verdict.Change.Op != document.Delete {
		bulk.lives(f.Record)
	}
	return v.add(&f, verdict, draft)
}

// facts gathers what is known of one URL.
func (s *site) facts(e agendaEntry, flags uint16) (f judge.Facts, draft document.Draft, err error) {
	h := s.hosts[weburl.Origin(e.URL)]
	f = judge.Facts{
		URL: e.URL, Linked: flags&spool.Linked != 0,
		HostFull: s.readInFull(h) && !s.interstitialsOf(e.URL).Any, Followed: s.options.Links,
		Mapped: h.Sitemap > 0 && !h.Unlisted && !s.options.Only,
	}
	date := ""
	if e.Known {
		f.Record, err = s.ledger.Get(e.URL)
		if err != nil {
			return f, draft, err
		}
		date = f.Record.Date
	}
	f.Sighting, err = s.sighting(e.URL)
	if err != nil {
		return f, draft, err
	}
	if f.Sighting == nil { // of a page that did not change
		f.Sighting = &document.Sighting{URL: e.URL, Seen: document.Kept, Hints: f.Record.Hints}
	}
	f.Sighting.InSitemap = flags&spool.InSitemap != 0
	f.Target, err = s.target(f.Sighting)
	if err != nil {
		return f, draft, err
	}
	if f.Sighting.Draft != 0 && !s.compared(f.Sighting) {
		var doc document.Document
		draft, doc, err = s.finish(f.Sighting)
		if err != nil {
			return f, draft, err
		}
		f.Content = &judge.Content{
			Type: doc.Type, Fields: doc.FieldHashes(), Sum: f.Sighting.Content, Length: len(doc.Fields["Content"]),
			Date: doc.Fields["Date"], Rules: s.stages.Rules(e.URL, s.profile), Warn: draft.Warn, NoText: draft.NoText,
		}
		if f.Record != nil {
			f.Delta = s.stages.Diff(doc.Type, f.Content.Fields, f.Record)
		}
		f.Sighting.Lengths, f.Sighting.Rules = health.Lengths(doc), f.Content.Rules
		date = f.Content.Date
	}
	f.Rule, f.Expired = s.stages.Expired(e.URL, date)
	return f, draft, nil
}

// readInFull reports whether the run read every page of a host and all its sitemaps:
// only then does it know what nothing leads to.
func (s *site) readInFull(h document.Host) bool {
	return h.Covered && !h.Unlisted && h.Unread == 0 && len(s.capped[h.Host]) == 0 &&
		s.survey.NotModified+s.survey.SkippedByHint == 0 && !s.options.Only && !s.folder.Resumed
}

// checkHints counts, for the host's trust, whether a hint told the truth about a page
// that was read for real.
func (s *site) checkHints(f *judge.Facts) {
	seen, rec := f.Sighting, f.Record
	if !seen.Fetched || seen.Claim == 0 || rec == nil || rec.Push != document.PushOK || rec.Rules != seen.Rules {
		return
	}
	at := weburl.Origin(f.URL)
	memory := s.memories[at]
	if seen.Claim&document.ClaimValidator != 0 {
		memory.Validators = judge.Observe(memory.Validators, !seen.Same)
	}
	if seen.Claim&document.ClaimLastmod != 0 && !judge.DayOpen(rec.Hints.Lastmod, rec.Fetched) {
		memory.Lastmod = judge.Observe(memory.Lastmod, !seen.Same)
	}
	s.memories[at] = memory
}

// concludeHosts gives each host the state that its pages show together, and counts
// the contents of those that are not ok.
func (v *verdicts) concludeHosts() error {
	s := v.site
	for i, h := range s.survey.Hosts {
		found := s.interstitials[h.Host]
		if s.folder.Resumed && found != nil { // the crawl counts from the interruption on
			h.Asked, h.Unread = max(h.Asked, found.Looked), max(h.Unread, found.Unread)
		}
		h = judge.HostState(h, found)
		if advice := judge.Advice(h.State); advice != "" {
			h.Reason = fmt.Sprintf("%s; %s", h.Reason, advice)
		}
		s.survey.Hosts[i], s.hosts[h.Host] = h, h
		if judge.HostReadOnly(h) && v.copies == nil {
			v.copies = &copies{}
		}
	}
	if v.copies == nil {
		return nil
	}
	return v.read.Each(func(sum document.Hash, host []byte) error {
		if judge.HostReadOnly(s.hosts[string(host)]) {
			v.copies.add(sum)
		}
		return nil
	})
}

// of returns how many pages were read with what a change would put, judge.ManyPages
// at most.
func (c *copies) of(change *document.Change) int {
	if c == nil || change.Next == nil || change.Next.Content.IsZero() {
		return 0
	}
	return int(*c.cell(change.Next.Content))
}
