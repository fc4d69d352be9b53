package crawl

import (
	"context"
	"net/http"

	"sitesync/crawl/page"
	"sitesync/crawl/robots"
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
	r := c.newRun(nil, nil)
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
	p, links := w.run.crawler.reader.Read(x.answer(url), document.Known{Document: true})
	p, _ = w.run.render(ctx, x, p, links)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	w.run.crawler.sift(&p)
	t.Hops = append(t.Hops, hop(&p))
	if p.Target != "" {
		return p.Target, nil
	}
	t.Directives = w.run.crawler.directives(&p)
	return "", use(&p)
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Hop is one answer on the way to a page.
type Hop struct {
	URL      string        `json:"url"`
	Status   int           `json:"status"`
	Seen     document.Seen `json:"seen"`
	Why      string        `json:"why,omitempty"`
	Location string        `json:"location,omitempty"` // as the answer writes it
	Headers  http.Header   `json:"headers,omitempty"`  // those that decide something
}

// Directives is what the last answer says of its page: how it wants to be treated.
type Directives struct {
	NoIndex      string `json:"noindex,omitempty"`       // the directive, in words
	NoFollow     string `json:"nofollow,omitempty"`      // the same, or the rule of site.no_follow
	Canonical    string `json:"canonical,omitempty"`     // may be the page itself
	BadCanonical string `json:"bad_canonical,omitempty"` // why a rel=canonical is of no use
	Refresh      string `json:"refresh,omitempty"`       // where a meta refresh leads
	Links        int    `json:"links"`                   // to other addresses, on the site or not
}

// Trace is how a crawl would come to one URL, and what stopped it.
type Trace struct {
	URL        string      `json:"url"` // canonical
	InScope    bool        `json:"in_scope"`
	Scope      string      `json:"scope,omitempty"` // the rule that decided; empty when none was needed
	Allowed    bool        `json:"allowed"`
	Robots     string      `json:"robots,omitempty"` // the line of robots.txt that decided, or why there is none
	Hops       []Hop       `json:"hops"`
	Directives *Directives `json:"directives,omitempty"`
	LinkRules  string      `json:"-"` // Host.Followed of a run by today's rules; empty when robots.txt can't be read
}

// toldHeaders are those of an answer that decide something and are no secret.
var toldHeaders = [...]string{
	"Content-Type", "Content-Encoding", "Etag", "Last-Modified", "Cache-Control", "X-Robots-Tag", "Link", "Retry-After",
}

// hop returns what is to be told of an answer.
func hop(p *document.Page) Hop {
	h := Hop{URL: p.URL, Status: p.Status, Seen: p.Seen, Why: p.Why, Location: weburl.HideUser(p.Header.Get("Location")), Headers: http.Header{}}
	for _, name := range toldHeaders {
		if values := p.Header[name]; len(values) > 0 {
			h.Headers[name] = values
		}
	}
	return h
}

// directives reads what the answer says of its page, in its header and its markup.
func (c *Crawler) directives(p *document.Page) *Directives {
	links := page.ReadLinks(p.Root, p.URL, p.Header, c.canon, robots.ProductToken(c.opts.agent()))
	if p.File != nil {
		links.Found = page.FileLinks(p.File.Links, p.URL, c.canon).Found
	}
	return &Directives{
		NoIndex: links.NoIndex, NoFollow: or(links.NoFollow, c.rules.noFollow.Find(p.URL)), Canonical: links.Canonical, BadCanonical: links.BadCanonical,
		Refresh: links.Refresh, Links: len(links.Found),
	}
}
