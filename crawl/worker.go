package crawl

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"sitesync/crawl/frontier"
	"sitesync/crawl/pace"
	"sitesync/crawl/page"
	"sitesync/crawl/reading"
	"sitesync/crawl/site"
	"sitesync/crawl/trap"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

type worker struct {
	looks   *looks
	host    *host
	fetcher *fetcher
	wave    int
}

type looks struct {
	opts   *Options
	queue  *queue
	reader *reader
	past   Past
	sink   Sink
	traps  *trap.Traps // finds endless sets of URLs; nil when a local folder is crawled

	fetched, notModified, skipped atomic.Int64
}

func (w *worker) work(ctx context.Context, urls <-chan string) error {
	for url := range urls {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.host.given.Load() || w.fetcher.client.over.Err() != nil {
			w.host.partial.Store(true)
			continue
		}
		switch err := w.guarded(ctx, url); err {
		case nil:
		case pace.ErrOvertime, pace.ErrGivenUp:
			w.host.partial.Store(true)
		default:
			return err
		}
	}
	return nil
}

// guarded calls look. After a panic, the page counts as unread (its text is unknown) and the run continues.
func (w *worker) guarded(ctx context.Context, url string) (err error) {
	defer document.Catch(func(fault error) {
		err = w.hand(ctx, spool.Fingerprint(url), &document.Page{URL: url, Seen: document.Unread, Why: fault.Error()})
	})
	return w.look(ctx, url)
}

// look requests one URL and hands the page to the sink. The page's links are queued before the URL is marked
// as done, so that a resumed run misses none.
func (w *worker) look(ctx context.Context, url string) error {
	fp := spool.Fingerprint(url)
	flags, value := w.looks.opts.Table.Get(fp)
	known, err := w.known(url, flags, value)
	if err != nil {
		return err
	}
	if why := w.forbidden(url, flags); why != "" {
		return w.hand(ctx, fp, &document.Page{URL: url, Seen: document.Disallowed, Why: why, First: known.First})
	}
	var ask document.Hints
	if known.Ask && w.host.proven && !w.looks.queue.excludes(url, known) {
		ask = known.Hints
	}
	x, err := w.fetcher.ask(ctx, w.host, url, ask)
	defer w.fetcher.release()
	if err != nil {
		return err
	}
	p, links := w.looks.reader.readPage(ctx, x, known)
	w.misplaced(&p, flags)
	if err := ctx.Err(); err != nil {
		return err
	}
	// the end of max-duration (the time limit of the run) broke the request off, so the page does not count
	if p.Seen == document.Unread && w.fetcher.client.over.Err() != nil {
		return pace.ErrOvertime
	}
	p.Why = strings.ToValidUTF8(p.Why, "\uFFFD") // the reason may quote a header that is not UTF-8
	w.count(x, &p, known.Refused)
	if p.Seen == document.Missing && known.Document && w.wave < frontier.AgainWave {
		w.looks.queue.frontier.AddSecond(frontier.Key{Wave: frontier.AgainWave, Host: w.host.index}, url)
		return nil
	}
	w.warnOwner(&p, links, flags)
	w.complete(&p, known, flags, int64(value))
	if x.rendered || links.Unhinted && p.Seen != document.Kept {
		p.Hints, p.Claim = document.Hints{}, 0
	}
	if p.Interstitial == "" || p.Seen == document.Read {
		counts := p.Root != nil && p.Seen != document.Unread && flags&(spool.Start|spool.InSitemap) == 0
		if w.looks.traps != nil && counts {
			w.looks.traps.NoteBody(w.wave, w.host.index, p.URL, p.Root)
		}
		w.follow(&p, links)
	}
	markFollowOnly(w.looks.queue.site, &p)
	return w.hand(ctx, fp, &p)
}

func (w *worker) forbidden(url string, flags uint16) string {
	allowed, rule := w.host.robots.Allowed(weburl.Target(url))
	if allowed {
		return ""
	}
	if flags&spool.Start != 0 {
		w.looks.queue.warnings.Add("start", url, "robots.txt forbids it: "+rule)
	}
	return "robots.txt: " + rule
}

// count counts one page. stood is the refusal, such as a login, that earlier runs saw. The same refusal again
// does not count against the host.
func (w *worker) count(x *exchange, p *document.Page, stood document.Refusal) {
	p.Stood = p.Refusal != document.RefusedNot && p.Refusal == stood
	answers := x.err == nil && p.Status == http.StatusOK // the host works, so only the page is at fault
	well := answers && (x.File || p.Why == reading.WhyBreaksOff) || x.tooMuch
	if !p.Stood {
		w.host.looked(p.Seen == document.Unread && !well, p.Why, p.Interstitial != "")
	}
	if x.Status == http.StatusNotModified {
		w.looks.notModified.Add(1)
	} else if x.Status != 0 {
		w.looks.fetched.Add(1)
	}
}

// known returns the facts of earlier runs about a URL; for a new URL, only the page that links to it.
func (w *worker) known(url string, flags uint16, value uint64) (known document.Known, err error) {
	if flags&spool.Known != 0 {
		return w.looks.past.Lookup(url)
	}
	known.First.From = w.looks.queue.notes.Referrer(flags, value)
	return known, nil
}

func (w *worker) warnOwner(p *document.Page, links page.Links, flags uint16) {
	if links.BadCanonical != "" {
		w.looks.queue.warnings.Add("canonical", p.URL, links.BadCanonical)
	}
	if links.NoIndex != "" && p.Seen != document.NoIndex {
		w.looks.queue.warnings.Add("via", p.URL, links.NoIndex+"; not obeyed here, check it before launch")
	}
	if p.Charset.Doubt != "" && p.Seen == document.Read {
		w.looks.queue.warnings.Add("charset", p.URL, p.Charset.Doubt)
	}
	for _, why := range links.Refused {
		w.looks.queue.warnings.Add("link", p.URL, why)
	}
	if flags&spool.Start == 0 {
		return
	}
	switch p.Seen {
	case document.Read, document.Kept:
	case document.Moved, document.Elsewhere:
		if ok, why := w.looks.queue.site.Includes(p.Target); !ok {
			w.looks.queue.warnings.Add("start", p.URL,
				fmt.Sprintf("redirects to %s, out of scope: %s; should site.start name that?", p.Target, why))
		}
	default:
		status := fmt.Sprintf("HTTP status %d ", p.Status)
		text := fmt.Sprintf("%s: %s%s", p.Seen, status, strings.TrimPrefix(p.Why, status))
		w.looks.queue.warnings.Add("start", p.URL, text)
	}
}

// complete adds facts that are not in the answer. It ignores lastmod unless a sitemap lists the page.
func (w *worker) complete(p *document.Page, known document.Known, flags uint16, lastmod int64) {
	p.InSitemap = flags&spool.InSitemap != 0
	if !p.InSitemap {
		lastmod = 0
	}
	if p.Seen == document.Kept {
		p.Hints = known.Hints
	}
	p.Hints.Lastmod = lastmod
	if lastmod != 0 && lastmod == known.Hints.Lastmod {
		p.Claim |= document.ClaimLastmod
	}
	if w.looks.opts.Only != nil && p.Seen != document.Kept {
		p.Hints = document.Hints{} // not all links were followed, so the next run must read the page again
	}
	p.Known, p.First = known, known.First
	if !known.Document {
		p.Link = w.looks.queue.notes.Text(spool.Fingerprint(p.URL))
		p.First = document.First{Link: p.Link.Text, Lastmod: w.host.lastmods.written(lastmod), From: known.First.From}
	}
	p.Link.Text = p.First.Link
}

func (w *worker) hand(ctx context.Context, fp uint64, p *document.Page) error {
	if err := w.looks.sink.Page(ctx, p); err != nil {
		return err
	}
	w.looks.opts.Table.Mark(fp, spool.Sighted)
	w.looks.opts.Progress.Looked.Add(1)
	return nil
}

// follow queues the URLs that a page names. A redirect target or canonical URL that belongs to the site is
// always queued. Links are queued if the configuration and the page allow it.
func (w *worker) follow(p *document.Page, links page.Links) {
	for _, url := range []string{p.Target, p.Canonical} {
		if _, why := w.looks.queue.outside(url); why == "" {
			w.looks.queue.follow(w.wave, url, 0, document.Link{From: p.URL})
		}
	}
	if !w.looks.opts.Links {
		return
	}
	nofollow := cmp.Or(links.NoFollow, w.looks.queue.site.NoFollow.Find(p.URL))
	p.Links = make([]uint64, 0, len(links.Found))
	for _, link := range links.Found {
		seen, why := document.Seen(""), ""
		// a URL that another link has already queued belongs to the site
		if flags, _ := w.looks.opts.Table.Get(spool.Fingerprint(link.URL)); flags&spool.Linked == 0 {
			seen, why = w.looks.queue.outside(link.URL)
		}
		follow := nofollow == "" && !link.NoFollow
		if why == "" && follow {
			w.looks.queue.follow(w.wave, link.URL, spool.Linked, document.Link{From: p.URL, Text: link.Text})
		} else {
			if seen == document.OtherHost { // the report lists another host once
				link.URL = weburl.Origin(link.URL) + "/"
			}
			w.looks.queue.left.add(document.Page{
				URL: link.URL, First: document.First{From: p.URL},
				Seen: cmp.Or(seen, document.LeftOut), Why: cmp.Or(why, nofollow, "rel=nofollow"),
			})
		}
		if follow {
			p.Links = append(p.Links, spool.Fingerprint(link.URL))
		}
	}
}

// markFollowOnly marks a page as out of scope if this run read the page and site.follow_only covers its URL.
// A page that answered 304 (not modified) does not change.
func markFollowOnly(s *site.Site, p *document.Page) {
	if rule := s.FollowOnly.Find(p.URL); p.Seen == document.Read && rule != "" {
		p.Seen, p.Why, p.Canonical = document.OutOfScope, rule, ""
	}
}

// misplaced marks a redirect as a missing page if the host redirects missing pages to the same target. It
// ignores the redirect of a start page if a sitemap or the index has the target, or if the index is empty.
func (w *worker) misplaced(p *document.Page, flags uint16) {
	redirects := p.Seen == document.Moved || p.Seen == document.Elsewhere
	if !redirects || p.Interstitial != "" || !w.host.absence.Leads(p.URL, p.Target) {
		return
	}
	if there, _ := w.looks.opts.Table.Get(spool.Fingerprint(p.Target)); flags&spool.Start != 0 &&
		(there&(spool.InSitemap|spool.Document) != 0 || w.looks.opts.Table.Count(spool.Document) == 0) {
		return
	}
	p.Why = "redirects to " + p.Target + ", where the host sends what does not exist"
	p.Seen, p.Interstitial, p.Target = document.Missing, document.Soft404, ""
}

// tellLeft calls the sink for addresses that were left out, unless this run or an earlier one queued them.
func (l *looks) tellLeft(ctx context.Context) error {
	for fp, p := range l.queue.left.all {
		if flags, _ := l.opts.Table.Get(fp); flags&(spool.Queued|spool.Sighted|spool.Known) != 0 {
			continue
		}
		if err := l.sink.Page(ctx, &p); err != nil {
			return err
		}
	}
	return nil
}
