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
		}
		return v.judge(e.URL, out)
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
	return v.concludeHosts()
}

func (v *verdicts) judge(url string, out Writer) error {
	s := v.site
	flags, _ := s.table.Get(spool.Fingerprint(url))
	if flags&spool.Acknowledged != 0 {
		v.places.Count(url, 1, 0)
	}
	f, doc, err := s.facts(url, flags)
	if err != nil {
		return err
	}
	if told, err := v.leaveOut(&f, out); told || err != nil {
		return err
	}
	f.Room = v.vanished < max(mostVanished, s.past.Documents)
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
	if next != nil && next.Led != 0 && (f.Record == nil || f.Record.Led == 0) { // a new record of a missing page
		v.vanished++
	}
	_, ours := s.hosts[weburl.Origin(f.Sighting.Target)]
	s.looksOf(url).Count(&f, &verdict, slices.Contains(s.options.StartPages, url), ours)
	if f.Record.Acknowledged() {
		shows, err := v.shows(&f, &verdict)
		if err != nil {
			return err
		}
		v.places.Judged(url, f.Record.Type, shows, f.Asked)
	}
	if f.Record.IsDocument() && (verdict.Change == nil || verdict.Change.Op != document.Delete) {
		v.bulk.Lives(f.Record)
	}
	if err := out.Page(sitePage(&f, flags)); err != nil {
		return err
	}
	v.addEntry(&f, verdict, doc)
	return nil
}

func sitePage(f *judge.Facts, flags uint16) document.SitePage {
	seen := f.Sighting
	page := document.SitePage{
		URL: f.URL, Seen: seen.Seen, Status: seen.Status, Why: seen.Why, Target: seen.Target, Canonical: seen.Canonical,
		From: seen.First.From, Start: flags&spool.Start != 0, Says: seen.Says, Links: seen.Links,
		Listed: seen.InSitemap,
	}
	if seen.Seen == document.Read {
		page.Type = document.PageContent
		if seen.File {
			page.Type = document.FileContent
		}
	}
	return page
}

// mostVanished is the greatest number of missing pages for which the ledger (the file that records what the
// index holds) keeps a record. If the ledger has more documents than mostVanished, their number is the limit.
const mostVanished = 10_000

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

// saidThat reports whether over half of the documents at urls were alike before this run. It counts documents
// whose old text resembles the new text (body), or the old text of the first URL with a text.
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

func (v *verdicts) concludeHosts() error {
	s := v.site
	for i, h := range s.survey.Hosts {
		found := s.looks[h.Host]
		if s.folder.Resumed && found != nil { // the crawl counted only the URLs since the interruption
			h.Asked, h.Unread = max(h.Asked, found.Looked), max(h.Unread, found.Unread)
		}
		collapse := h.Reason
		h = judge.HostState(h, found, v.places.Host(h.Host), s.options.Limits)
		s.survey.Hosts[i], s.hosts[h.Host] = h, h
		if collapse != "" && h.State == document.HostOK {
			s.warnings.Add("sitemap", h.Host+"/", collapse+"; all its pages are there without them")
		}
		if err := v.warnOfLies(h.Host); err != nil {
			return err
		}
	}
	return nil
}

func (v *verdicts) warnOfLies(host string) error {
	s := v.site
	before, err := s.ledger.Host(host)
	if page := s.liars[host]; page != "" && err == nil && judge.TrustValidators(before.Validators) &&
		!judge.TrustValidators(s.memories[host].Validators) {
		s.survey.Warnings = append(s.survey.Warnings, document.Warning{Kind: "validators", URL: page, Text: lied})
	}
	return err
}

const lied = "has changed, and its ETag or Last-Modified (in a folder: size and time) has not; " +
	"so from now on every run reads all pages of the host in full. Let the server make the ETag of the content"
