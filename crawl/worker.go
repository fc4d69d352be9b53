package crawl

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"sitesync/crawl/frontier"
	"sitesync/crawl/pace"
	"sitesync/crawl/page"
	"sitesync/crawl/reading"
	"sitesync/crawl/site"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// worker asks the URLs of one host in one wave, one at a time.
type worker struct {
	run     *run
	host    *host
	fetcher *fetcher
	wave    int
}

func (w *worker) work(ctx context.Context, urls <-chan string) error {
	for url := range urls {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.host.given.Load() || w.run.over.Err() != nil {
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

// guarded looks at a URL. A page on which the program fails is unread: it ends no run.
func (w *worker) guarded(ctx context.Context, url string) (err error) {
	defer document.Catch(func(fault error) {
		err = w.hand(ctx, spool.Fingerprint(url), &document.Page{URL: url, Seen: document.Unread, Why: fault.Error()})
	})
	return w.look(ctx, url)
}

// look asks one URL and hands over what it says. Its links are queued before it
// counts as looked at, so that a resumed run misses none.
func (w *worker) look(ctx context.Context, url string) error {
	fp := spool.Fingerprint(url)
	flags, value := w.run.opts.Table.Get(fp)
	known, err := w.known(url, flags, value)
	if err != nil {
		return err
	}
	if why := w.forbidden(url, flags); why != "" {
		return w.hand(ctx, fp, &document.Page{URL: url, Seen: document.Disallowed, Why: why, First: known.First})
	}
	var ask document.Hints
	if known.Ask && w.host.proven && !w.run.crawler.excludes(url, known) {
		ask = known.Hints
	}
	x, err := w.ask(ctx, url, ask)
	defer w.fetcher.release()
	if err != nil {
		return err
	}
	p, links := w.run.crawler.reader.Read(&x.Answer, known)
	p, links = w.run.render(ctx, x, p, links)
	w.misplaced(&p, flags)
	if err := ctx.Err(); err != nil {
		return err // what the cancellation broke is no look
	}
	if p.Seen == document.Unread && w.run.over.Err() != nil { // nor is what the end of the time broke
		return pace.ErrOvertime
	}
	p.Why = strings.ToValidUTF8(p.Why, "\uFFFD") // it may quote a header
	w.count(x, &p, known.Refused)
	if p.Seen == document.Missing && known.Document && w.wave < frontier.AgainWave {
		w.run.frontier.AddSecond(frontier.Key{Wave: frontier.AgainWave, Host: w.host.index}, url)
		return nil
	}
	w.warnOwner(&p, links, flags)
	p.InSitemap = flags&spool.InSitemap != 0
	var lastmod int64
	if p.InSitemap {
		lastmod = int64(value)
	}
	w.complete(&p, known, lastmod)
	if x.rendered || links.Unhinted && p.Seen != document.Kept {
		p.Hints, p.Claim = document.Hints{}, 0
	}
	if p.Interstitial == "" || p.Seen == document.Read {
		if w.run.traps != nil && p.Root != nil && p.Seen != document.Unread && flags&(spool.Start|spool.InSitemap) == 0 {
			w.run.traps.NoteBody(w.wave, w.run.crawler.hosts[weburl.Origin(p.URL)].index, p.URL, p.Root)
		}
		w.follow(&p, links)
	}
	w.run.crawler.markFollowOnly(&p)
	return w.hand(ctx, fp, &p)
}

// forbidden returns why robots.txt keeps us from a URL; empty when it does not.
func (w *worker) forbidden(url string, flags uint16) string {
	allowed, rule := w.host.robots.Allowed(weburl.Target(url))
	if allowed {
		return ""
	}
	if flags&spool.Start != 0 {
		w.run.warnings.Add("start", url, "robots.txt forbids it: "+rule)
	}
	return "robots.txt: " + rule
}

// count counts a look; stood is as what the page was refused for long before.
func (w *worker) count(x *exchange, p *document.Page, stood document.Refusal) {
	p.Stood = p.Refusal != document.RefusedNot && p.Refusal == stood
	answers := x.err == nil && p.Status == http.StatusOK // the page may be at fault, and its host well
	well := answers && (x.File || p.Why == reading.WhyBreaksOff) || x.tooMuch
	if !p.Stood {
		w.host.looked(p.Seen == document.Unread && !well, p.Why, p.Interstitial != "")
	}
	if x.Status == http.StatusNotModified {
		w.run.notModified.Add(1)
	} else if x.Status != 0 {
		w.run.fetched.Add(1)
	}
}

// known returns what earlier runs know of a URL; of a new one, the page that led
// to it.
func (w *worker) known(url string, flags uint16, value uint64) (known document.Known, err error) {
	if flags&spool.Known != 0 {
		return w.run.past.Lookup(url)
	}
	known.First.From = w.run.notes.Referrer(flags, value)
	return known, nil
}

func (w *worker) warnOwner(p *document.Page, links page.Links, flags uint16) {
	if links.BadCanonical != "" {
		w.run.warnings.Add("canonical", p.URL, links.BadCanonical)
	}
	if links.NoIndex != "" && p.Seen != document.NoIndex {
		w.run.warnings.Add("via", p.URL, links.NoIndex+"; not obeyed here, check it before launch")
	}
	if p.Charset.Doubt != "" && p.Seen == document.Read {
		w.run.warnings.Add("charset", p.URL, p.Charset.Doubt)
	}
	for _, why := range links.Refused {
		w.run.warnings.Add("link", p.URL, why)
	}
	if flags&spool.Start == 0 {
		return
	}
	switch p.Seen {
	case document.Read, document.Kept:
	case document.Moved, document.Elsewhere:
		if ok, why := w.run.crawler.site.Includes(p.Target); !ok {
			w.run.warnings.Add("start", p.URL, fmt.Sprintf("redirects to %s, out of scope: %s; should site.start name that?", p.Target, why))
		}
	default:
		w.run.warnings.Add("start", p.URL, fmt.Sprintf("%s: HTTP status %d %s", p.Seen, p.Status, strings.TrimPrefix(p.Why, fmt.Sprintf("HTTP status %d ", p.Status))))
	}
}

// complete adds what is known of the page from elsewhere.
func (w *worker) complete(p *document.Page, known document.Known, lastmod int64) {
	if p.Seen == document.Kept {
		p.Hints = known.Hints
	}
	p.Hints.Lastmod = lastmod
	if lastmod != 0 && lastmod == known.Hints.Lastmod {
		p.Claim |= document.ClaimLastmod
	}
	if w.run.opts.Only != nil && p.Seen != document.Kept {
		p.Hints = document.Hints{} // its links were not followed: the next run must read it again
	}
	p.Known, p.First = known, known.First
	if !known.Document {
		p.Link = w.run.notes.Text(spool.Fingerprint(p.URL))
		p.First = document.First{Link: p.Link.Text, Lastmod: w.host.lastmods.written(lastmod), From: known.First.From}
	}
	p.Link.Text = p.First.Link
}

// hand gives the page to the sink and marks its URL as looked at.
func (w *worker) hand(ctx context.Context, fp uint64, p *document.Page) error {
	if err := w.run.sink.Page(ctx, p); err != nil {
		return err
	}
	w.run.opts.Table.Mark(fp, spool.Sighted)
	w.run.opts.Progress.Looked.Add(1)
	return nil
}

// follow queues where the page leads: targets and canonicals always, links as far
// as the configuration and the page allow.
func (w *worker) follow(p *document.Page, links page.Links) {
	for _, url := range []string{p.Target, p.Canonical} {
		if _, why := w.run.outside(url); why == "" {
			w.queue(url, 0, document.Link{From: p.URL})
		}
	}
	if !w.run.opts.Links {
		return
	}
	nofollow := cmp.Or(links.NoFollow, w.run.crawler.site.NoFollow.Find(p.URL))
	p.Links = make([]uint64, 0, len(links.Found))
	for _, link := range links.Found {
		seen, why := document.Seen(""), ""
		if flags, _ := w.run.opts.Table.Get(spool.Fingerprint(link.URL)); flags&spool.Linked == 0 { // else it is the site's
			seen, why = w.run.outside(link.URL)
		}
		follow := nofollow == "" && !link.NoFollow
		if why == "" && follow {
			w.queue(link.URL, spool.Linked, document.Link{From: p.URL, Text: link.Text})
		} else {
			if seen == document.OtherHost { // which is told as one
				link.URL = weburl.Origin(link.URL) + "/"
			}
			left := document.Page{URL: link.URL, Seen: cmp.Or(seen, document.LeftOut), Why: cmp.Or(why, nofollow, "rel=nofollow")}
			left.First.From = p.URL
			w.run.left.add(left)
		}
		if follow {
			p.Links = append(p.Links, spool.Fingerprint(link.URL))
		}
	}
}

// queue puts url, which is in scope, into the next wave. by is how it was found.
func (w *worker) queue(url string, flags uint16, by document.Link) {
	h := w.run.crawler.hosts[weburl.Origin(url)]
	if w.run.opts.Only != nil && !w.run.opts.Only(url) {
		w.run.opts.Table.Mark(spool.Fingerprint(url), spool.Queued) // of the site, but not looked at
		return
	}
	tooDeep := flags&spool.Linked != 0 // a page whose depth is not known leads to its redirect's target and no further
	if w.wave < frontier.KnownWave {
		tooDeep = w.wave%frontier.FileWave >= w.run.opts.MaxDepth // as many links lead here from a start page or a sitemap
	}
	if tooDeep && w.run.opts.MaxDepth > 0 {
		if before, _ := w.run.opts.Table.Get(spool.Fingerprint(url)); before&(spool.Queued|spool.Known) == 0 { // what is known is looked at all the same
			h.partial.Store(true)
		}
		return
	}
	wave := w.wave + 1
	if site.IsFile(url) {
		wave = w.run.waveOfFile(wave)
	} else {
		by.Text = "" // only a file's title may be that of its link
	}
	before := w.run.frontier.Add(frontier.Key{Wave: wave, Host: h.index}, url, flags)
	if before&spool.Queued == 0 {
		w.run.opts.Progress.Found.Add(1)
	}
	w.run.notes.Add(w.wave, url, before, by)
}
