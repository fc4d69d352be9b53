package crawl

import (
	"cmp"
	"context"

	"sitesync/crawl/page"
	"sitesync/crawl/robots"
	"sitesync/crawl/scout"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Look asks one URL as a crawl would, through scope, robots.txt and guard, and
// follows redirects that stay in scope, ten at most. use gets each page on the way; its
// tree and body are valid until it returns. It errs when ctx is done and when raw
// is no URL.
func (c *Crawler) Look(ctx context.Context, raw string, use func(*document.Page) error) (*scout.Trace, error) {
	c.askVariants(ctx)
	url, err := c.site.Canon.URL(raw)
	if err != nil {
		return nil, err
	}
	t := &scout.Trace{URL: url}
	r := c.newRun(nil, nil)
	f := newFetcher(ctx, c)
	for range 10 {
		h := c.hosts[weburl.Origin(url)]
		t.InScope, t.Scope = c.site.Includes(url)
		if !t.InScope || h == nil {
			return t, nil
		}
		if h.robots == nil {
			r.loadRobots(ctx, h)
		}
		if h.robots == nil {
			t.Robots = h.found.Reason
			return t, ctx.Err()
		}
		t.LinkRules = cmp.Or(t.LinkRules, h.found.Followed)
		t.Allowed, t.Robots = h.robots.Allowed(weburl.Target(url))
		if !t.Allowed {
			return t, nil
		}
		next, err := (&worker{run: r, host: h, fetcher: f}).lookOnce(ctx, url, t, use)
		if next == "" || err != nil {
			return t, err
		}
		url = next
	}
	return t, nil
}

// lookOnce asks url and returns where it redirects to.
func (w *worker) lookOnce(ctx context.Context, url string, t *scout.Trace, use func(*document.Page) error) (string, error) {
	x, err := w.ask(ctx, url, document.Hints{})
	defer w.fetcher.release()
	if err != nil {
		return "", err
	}
	p, links := w.run.crawler.reader.Read(&x.Answer, document.Known{Document: true})
	p, _ = w.run.render(ctx, x, p, links)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	w.run.crawler.markFollowOnly(&p)
	t.Hops = append(t.Hops, scout.HopOf(&p))
	if p.Target == "" {
		found := page.ReadLinks(p.Root, p.URL, p.Header, w.run.crawler.site.Canon, robots.ProductToken(w.run.opts.agent()))
		if p.File != nil {
			found.Found = page.FileLinks(p.File.Links, p.URL, w.run.crawler.site.Canon).Found
		}
		t.Directives = &scout.Directives{
			NoIndex: found.NoIndex, NoFollow: cmp.Or(found.NoFollow, w.run.crawler.site.NoFollow.Find(p.URL)), Canonical: found.Canonical,
			BadCanonical: found.BadCanonical, Refresh: found.Refresh, Links: len(found.Found),
		}
	}
	return p.Target, use(&p)
}
