package run

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"sitesync/crawl"
	"sitesync/crawl/memory"
	"sitesync/crawl/reading"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/plan"
	"sitesync/internal/plan/past"
	"sitesync/internal/spool"
)

// crawl replaces the crawl of a run. It requests the URL, its redirects and canonical URLs. The states of
// hosts come from the last run.
func (e *explanation) crawl(
	ctx context.Context, earlier *past.Past, sink plan.Sink,
) (survey document.Survey, err error) {
	e.earlier, e.sink = earlier, sink
	scratch := spool.NewScratch(e.session.work.Dir)
	defer scratch.Close()
	vanished := scratch.Sorter()
	if err := e.others(vanished); err != nil {
		return survey, err
	}
	if err := e.look(ctx); err != nil {
		return survey, err
	}
	previous := "" // previous URL in vanished, which is sorted and may hold a URL twice
	for item := range vanished.All() {
		if item.Key == previous || e.facts[item.Key] != nil {
			continue
		}
		previous = item.Key
		seen := [...]document.Seen{vanishedHeld: document.Gone, vanishedMissed: document.Missing}[item.Value]
		if err := sink.Page(ctx, &document.Page{URL: previous, Seen: seen, Status: http.StatusNotFound}); err != nil {
			return survey, err
		}
	}
	if err := scratch.Err(); err != nil {
		return survey, err
	}
	last, _, err := e.ledger.Run("")
	survey.SkippedByHint = 1 // so the planner finds no orphans (pages to which no page links)
	site := e.session.crawler.Site()
	for _, origin := range slices.Concat(site.Origins(), site.FileOrigins()) {
		host := document.Host{Host: origin, State: document.HostOK, Covered: true}
		if i := slices.IndexFunc(last.Hosts, func(h document.Host) bool { return h.Host == origin }); i >= 0 {
			host = last.Hosts[i]
		}
		survey.Hosts = append(survey.Hosts, host)
	}
	return survey, err
}

const (
	vanishedHeld   = iota // brakes (limits on suspicious changes) held the page's delete in the last run
	vanishedMissed        // the last run did not find the page
)

// others marks all known pages in the run's table (flags of each URL) as the last run saw them. It adds to
// vanished the pages that brakes count: missing pages, and pages whose delete was held.
func (e *explanation) others(vanished *spool.Sorter) error {
	table := e.session.work.Table
	err := e.earlier.Known(func(url string, known document.Known) error {
		fp, as := spool.Fingerprint(url), spool.Queued|spool.Kept
		flags, _ := table.Get(fp)
		if flags&spool.Listed != 0 {
			as |= spool.InSitemap
		}
		table.Mark(fp, as)
		if flags&spool.Quiet != 0 || !known.Document {
			return nil
		}
		rec, err := e.ledger.Brief(url)
		if err == nil && rec.Misses > 0 {
			vanished.Add(url, vanishedMissed)
		}
		return err
	})
	for _, url := range e.session.crawler.Site().Start {
		table.Mark(spool.Fingerprint(url), spool.Queued|spool.Start)
	}
	if err != nil || e.held == nil {
		return err
	}
	for c, err := range e.held {
		if err != nil {
			return err
		}
		// Moves and duplicates lose no content, so brakes do not count their deletes.
		if c.Op == document.Delete && c.Cause != document.CauseMoved && c.Cause != document.CauseDuplicate {
			vanished.Add(c.ID, vanishedHeld)
		}
	}
	return nil
}

// look requests the URL, its redirects and the canonical URLs of the pages. With --html it reads the file.
func (e *explanation) look(ctx context.Context) (err error) {
	if e.file != "" {
		share := memory.New(int64(e.session.cfg.Fetch.Memory)).Share()
		p, err := reading.LocalFile(e.url, e.file, func(bytes int64) error { return share.Take(ctx, bytes) })
		if err != nil {
			return app.Usage(err)
		}
		e.last = e.url
		return e.hand(ctx, p)
	}
	e.Trace, e.last, err = e.follow(ctx, e.url)
	for url := e.fact(e.last).canonical; err == nil && url != "" && e.facts[url] == nil && len(e.facts) < mostLooks; {
		_, url, err = e.follow(ctx, url)
		url = e.fact(url).canonical
	}
	return err
}

const mostLooks = 20

// follow requests a URL and returns the last URL of its redirects. If the site's scope or robots.txt forbids
// a request, follow passes the planner a page with that reason.
func (e *explanation) follow(ctx context.Context, url string) (t *crawl.Trace, last string, err error) {
	crawler := e.session.crawler
	t, err = crawler.Look(ctx, url, func(p *document.Page) error {
		url = cmp.Or(p.Target, p.URL)
		return e.hand(ctx, p)
	})
	if err != nil {
		return t, url, err
	}
	p := &document.Page{URL: url, Seen: document.OutOfScope, Why: t.Scope}
	switch unsure := crawler.Site().Unsure(url); {
	case t.InScope && (t.Allowed || t.LinkRules == ""): // without LinkRules, robots.txt was unreadable
		return t, url, nil
	case t.InScope:
		p.Seen, p.Why = document.Disallowed, "robots.txt: "+t.Robots
	case unsure != "": // if the URL may belong to the site, its document must not be deleted
		p.Seen, p.Why = document.Unread, unsure
	}
	return t, url, e.hand(ctx, p)
}

// hand passes a page to the planner, with the page's facts from the ledger (the record of the index).
func (e *explanation) hand(ctx context.Context, p *document.Page) (err error) {
	if e.facts[p.URL] != nil { // the page was passed before: its redirects form a loop
		return nil
	}
	f := &fact{canonical: p.Canonical}
	e.facts[p.URL] = f
	f.record, err = e.ledger.Get(p.URL)
	if err != nil {
		return err
	}
	p.Known, err = e.earlier.Lookup(p.URL)
	if err != nil {
		return err
	}
	if p.Refusal == document.RefusedType && !p.Known.Document {
		p.Seen, p.Refusal = document.LeftOut, document.RefusedNot
	}
	p.First, p.Link.Text, p.Hints.Lastmod = p.Known.First, p.Known.First.Link, p.Known.First.Lastmod
	as := spool.Queued | spool.Sighted
	if f.record == nil { // a new URL to which no page links would count as an orphan
		as |= spool.Linked
	}
	e.session.work.Table.Mark(spool.Fingerprint(p.URL), as)
	return e.sink.Page(ctx, p)
}
