package plan

import (
	"cmp"
	"context"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// judge judges what stands on the agenda, in the order of URLs. With the last page it
// knows the totals that the brakes measure.
func (s *site) judge(ctx context.Context, agenda *agenda, v *verdicts, out Writer) error {
	v.unchanged, v.leftOut = agenda.unchanged, agenda.leftOut
	agenda.flush()
	err := agenda.entries.Each(func(e agendaEntry, _ []byte) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case e.Passed > 0:
			v.places.Count(e.URL, e.Passed, e.Asked)
			return nil
		case e.Acknowledged:
			v.places.Count(e.URL, 1, 0)
		}
		return v.judge(e, out)
	})
	err = cmp.Or(err, s.scratch.Err())
	if err != nil {
		return err
	}
	v.places.Conclude()
	documents := func(url string) int { return s.past.OfHost[weburl.Origin(url)] }
	if err := v.turnings.Conclude(v.totals.Changed, documents, s.saidThat); err != nil {
		return err
	}
	v.warnOfRules()
	v.concludeHosts()
	return nil
}

// judge gathers the facts of one URL and has them judged.
func (v *verdicts) judge(e agendaEntry, out Writer) error {
	s := v.site
	flags, _ := s.table.Get(spool.Fingerprint(e.URL))
	f, doc, err := s.facts(e, flags)
	if err != nil {
		return err
	}
	if told, err := v.leaveOut(&f, out); told || err != nil {
		return err
	}
	f.Room = v.vanished < max(mostVanished, s.past.Documents)
	v.look(&f, flags)
	switch was, listed := f.Record != nil && f.Record.Listed, f.Sighting.InSitemap; {
	case listed && !was:
		v.sitemap.Added++
	case was && !listed:
		v.sitemap.Removed++
	case listed && f.Sighting.Hints.Lastmod != f.Record.Hints.Lastmod:
		v.sitemap.Modified++
	}
	verdict := judge.Judge(f, s.options.Policy)
	next := verdict.Next
	if verdict.Change != nil {
		next = verdict.Change.Next
	}
	if next != nil && next.Led != 0 && (f.Record == nil || f.Record.Led == 0) { // an address that was not there
		v.vanished++
	}
	found := s.looksOf(e.URL)
	found.Judged(&verdict)
	leaves := verdict.Waiting || verdict.Change != nil && verdict.Change.Op == document.Delete
	if f.Record.Acknowledged() && verdict.Move == nil && (leaves || f.Record.Listed && !f.Led) {
		found.Hidden++
	}
	if f.Record.Acknowledged() {
		shows, err := v.shows(&f, &verdict)
		if err != nil {
			return err
		}
		v.places.Judged(e.URL, f.Record.Type, shows, f.Asked)
	}
	if f.Record.IsDocument() && (verdict.Change == nil || verdict.Change.Op != document.Delete) {
		v.bulk.Lives(f.Record)
	}
	if err := out.Page(sitePage(&f, flags)); err != nil {
		return err
	}
	return v.add(&f, verdict, doc)
}

// sitePage returns what the run saw of a URL, for the owner.
func sitePage(f *judge.Facts, flags uint16) document.SitePage {
	seen := f.Sighting
	page := document.SitePage{
		URL: f.URL, Seen: seen.Seen, Status: seen.Status, Why: seen.Why, Target: seen.Target, Canonical: seen.Canonical,
		From: seen.First.From, Start: flags&spool.Start != 0, Says: seen.Says, Links: seen.Links, Listed: seen.InSitemap,
	}
	if seen.Seen == document.Read {
		page.Type = document.PageContent
		if seen.File {
			page.Type = document.FileContent
		}
	}
	return page
}

// mostVanished is how many addresses that were not there the ledger remembers, or as many
// as it has documents.
const mostVanished = 10_000

// look notes what the page of one URL says of its host.
func (v *verdicts) look(f *judge.Facts, flags uint16) {
	s, seen := v.site, f.Sighting
	found, start := v.site.looksOf(f.URL), flags&spool.Start != 0
	found.Count(seen, start)
	if start && seen.Target != "" && (seen.Seen == document.Moved || seen.Seen == document.Elsewhere) {
		if _, ours := s.hosts[weburl.Origin(seen.Target)]; !ours {
			found.Away(f.URL, seen.Target)
		}
	}
	if seen.InSitemap && (seen.Seen == document.Moved || seen.Seen == document.Elsewhere) {
		found.Detours, found.Detour = found.Detours+1, cmp.Or(found.Detour, f.URL)
	}
	gone := isGone(seen) || seen.Seen == document.Moved && f.Target.State == judge.TargetDead
	if gone && slices.Contains(s.options.StartPages, f.URL) {
		found.Lost(f.URL)
	}
}

// shows returns what a known document shows that says its place is ill: nothing, where the
// owner released the change that is due.
func (v *verdicts) shows(f *judge.Facts, verdict *judge.Verdict) (judge.Astray, error) {
	shows, c, o := judge.AstrayOf(f, verdict), verdict.Change, v.site.options
	switch {
	case shows == judge.NotAstray, c == nil:
		return shows, nil
	case c.Op == document.Delete && o.AllowDeletes, c.Cause == document.CauseOutOfScope && o.AcceptScope:
		return judge.NotAstray, nil
	}
	released, err := v.site.released(*c)
	if released {
		shows = judge.NotAstray
	}
	return shows, err
}

// saidThat reports whether more than half of the documents said much the same as a text
// before tonight, or the same as each other: pages that are alike change together.
func (s *site) saidThat(body document.Print, urls []string) (bool, error) {
	like := 0
	var first document.Print
	for _, url := range urls {
		rec, err := s.ledger.Brief(url)
		if err != nil {
			return false, err
		}
		if rec == nil {
			continue
		}
		first = cmp.Or(first, rec.Print)
		if body.Like(rec.Print) || first.Near(rec.Print) {
			like++
		}
	}
	return 2*like > len(urls), nil
}

// facts gathers what is known of one URL, and makes its document where it may be sent.
func (s *site) facts(e agendaEntry, flags uint16) (f judge.Facts, doc document.Document, err error) {
	h := s.hosts[weburl.Origin(e.URL)]
	full := h.Covered && !h.Unlisted && len(s.capped[h.Host]) == 0 && // every page of the host was read, and all its sitemaps
		s.survey.NotModified+s.survey.SkippedByHint == 0 && !s.options.Only && !s.folder.Resumed
	f = judge.Facts{
		URL: e.URL, Linked: flags&spool.Linked != 0,
		HostFull: full && !s.looksOf(e.URL).Any, Led: flags&foundBy != 0,
	}
	date := ""
	if e.Known {
		f.Record, err = s.ledger.Get(e.URL)
		if err != nil {
			return f, doc, err
		}
		date = f.Record.Date
	}
	f.Sighting, err = s.sighting(e.URL)
	if err != nil {
		return f, doc, err
	}
	if f.Sighting == nil { // of a page that did not change
		f.Sighting = &document.Sighting{URL: e.URL, Seen: document.Kept, Hints: f.Record.Hints}
	}
	f.Sighting.InSitemap = f.Sighting.InSitemap || flags&spool.InSitemap != 0 // of other hosts no flag tells
	f.Target, err = s.target(f.Sighting)
	if err == nil && f.Record != nil && f.Record.Led != 0 {
		f.Unled, err = s.inbound.leadsNoMore(f.Record.First.From, e.URL)
	}
	if err != nil {
		return f, doc, err
	}
	f.Alone = s.inbound.alone(e.URL)
	f.Lied = s.checkHints(&f)
	if f.Sighting.Draft != 0 && !s.compared(f.Sighting) {
		var draft document.Draft
		draft, doc, err = s.finish(f.Sighting)
		if err != nil || f.Sighting.Seen == document.Unread {
			f.Target = judge.Target{}
			return f, doc, err
		}
		f.Content = &judge.Content{
			Type: doc.Type, Fields: doc.FieldHashes(), Sum: f.Sighting.Content, Length: len(doc.Fields["Content"]),
			Date: doc.Fields["Date"], Rules: s.stages.Rules(e.URL, s.profile), Warn: draft.Warn, Why: draft.Why,
		}
		if f.Record != nil {
			f.Delta = s.stages.Diff(doc.Type, f.Content.Fields, f.Record)
		}
		if !(f.Record.IsDocument() && f.Delta.Same() && f.Record.Print != 0) {
			f.Content.Print = s.prints.Of(e.URL, append(draft.Titles, doc.Fields["Title"]), doc.Fields["Content"])
		}
		f.Sighting.Rules, f.Sighting.Says = f.Content.Rules, document.SaysOf(doc, &draft)
		date = f.Content.Date
	}
	if f.Record.Acknowledged() {
		f.Asked = f.Sighting.Seen != document.Kept && !s.past.CalledChanged(f.Record, f.Sighting.Hints.Lastmod) || f.Sighting.Claim&document.ClaimValidator != 0
		f.Shared, f.Doubled = s.past.Shared(f.Record), s.texts.Of(f.Sighting.Content.Short()) > 1
		f.Volatile, f.Ruled = s.options.Volatile.Find(e.URL) != "", s.ruled
	}
	f.Rule, f.Expired = s.stages.Expired(e.URL, date)
	return f, doc, nil
}

// checkHints counts, for the host's trust, whether the hints told the truth about a page
// that was read for real, and returns those that lied: they claimed that it is unchanged,
// although it says something else under the rules by which it was last read. Where the
// owner's rules are others now, its main text tells, as long as that is found as it was. Of a
// page that was folded into the document that it named it counts whether it still is.
func (s *site) checkHints(f *judge.Facts) (lied document.Claim) {
	seen, rec, claim, at := f.Sighting, f.Record, f.Sighting.Claim, weburl.Origin(f.URL)
	memory := s.memories[at]
	if seen.Seen == document.Read && rec != nil && judge.NamesTarget(rec) && f.Target.State != judge.TargetUnread {
		memory.Folds = judge.Observe(memory.Folds, f.Target.State != judge.TargetLive || !f.Target.Alike)
		s.memories[at] = memory
	}
	if !seen.Fetched || claim == 0 || rec == nil || rec.Push != document.PushOK {
		return 0
	}
	if judge.DayOpen(rec.Hints.Lastmod, rec.Fetched) { // it vouches for nothing yet
		claim &^= document.ClaimLastmod
	}
	same := seen.Same
	if rec.Rules != seen.Rules {
		if judge.TextRulesDiffer(s.options.RulesBefore, s.options.RulesNow) {
			return 0
		}
		same = rec.Content == seen.Content
	}
	if claim&document.ClaimValidator != 0 {
		memory.Validators = judge.Observe(memory.Validators, !same)
		if !same {
			s.liars[at] = cmp.Or(s.liars[at], f.URL)
		}
	}
	if claim&document.ClaimLastmod != 0 {
		memory.Lastmod = judge.Observe(memory.Lastmod, !same)
	}
	s.memories[at] = memory
	if same {
		return 0
	}
	return claim
}

// concludeHosts gives each host the state that its pages show together.
func (v *verdicts) concludeHosts() {
	s := v.site
	for i, h := range s.survey.Hosts {
		found := s.looks[h.Host]
		if s.folder.Resumed && found != nil { // the crawl counts from the interruption on
			h.Asked, h.Unread = max(h.Asked, found.Looked), max(h.Unread, found.Unread)
		}
		collapse := h.Reason
		h = judge.HostState(h, found, v.places.Host(h.Host), s.options.Limits)
		s.survey.Hosts[i], s.hosts[h.Host] = h, h
		if collapse != "" && h.State == document.HostOK {
			s.warnings.Add("sitemap", h.Host+"/", collapse+"; all its pages are there without them")
		}
		v.tell(h, found)
	}
}
