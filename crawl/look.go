package crawl

import (
	"context"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Look asks one URL as a crawl would, through scope, robots.txt and guard, and
// follows redirects that stay in scope, ten at most. use gets the last page; its
// tree and body are valid until it returns. It errs when ctx is done and when raw
// is no URL.
func (c *Crawler) Look(ctx context.Context, raw string, use func(*document.Page) error) (*Trace, error) {
	c.askVariants(ctx)
	url, err := c.canon.URL(raw)
	if err != nil {
		return nil, err
	}
	t := &Trace{URL: url}
	r := &run{Crawler: c}
	f := newFetcher(ctx, c)
	for range 10 {
		h := c.hosts[weburl.Origin(url)]
		if t.InScope, t.Scope = c.inScope(url); !t.InScope || h == nil {
			return t, nil
		}
		if h.robots == nil {
			r.loadRobots(ctx, h)
		}
		if h.robots == nil {
			t.Robots = h.reason
			return t, ctx.Err()
		}
		t.LinkRules = or(t.LinkRules, h.rules)
		if t.Allowed, t.Robots = h.robots.Allowed(weburl.Target(url)); !t.Allowed {
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
func (w *worker) lookOnce(ctx context.Context, url string, t *Trace, use func(*document.Page) error) (string, error) {
	x, err := w.ask(ctx, url, document.Hints{})
	defer w.fetcher.release()
	if err != nil {
		return "", err
	}
	p, links := w.reader.Read(x.answer(url), document.Known{Document: true})
	p, _ = w.render(ctx, x, p, links)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	w.sift(&p)
	t.Hops = append(t.Hops, hop(&p))
	if p.Target != "" {
		return p.Target, nil
	}
	t.Directives = w.directives(&p)
	return "", use(&p)
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
