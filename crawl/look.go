package crawl

import (
	"cmp"
	"context"
	"net/http"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Hop is one answer on the way to a page: a redirect, or the page itself.
type Hop struct {
	URL    string        `json:"url"`
	Status int           `json:"status"`
	Seen   document.Seen `json:"seen"`
	Why    string        `json:"why,omitempty"`
	// Location is the Location header or, for a redirect by HTML or a Refresh header, the canonical target. It
	// is cut at 2 KiB.
	Location string      `json:"location,omitempty"`
	Headers  http.Header `json:"headers,omitempty"` // the headers in shownHeaders, each value cut at 2 KiB
}

// Directives are the instructions for crawlers in the last page of a Trace.
type Directives struct {
	NoIndex      string `json:"noindex,omitempty"`       // the directive as text
	NoFollow     string `json:"nofollow,omitempty"`      // the directive as text, or the rule of site.no_follow
	Canonical    string `json:"canonical,omitempty"`     // target of rel=canonical; may be the page itself
	BadCanonical string `json:"bad_canonical,omitempty"` // why the address in rel=canonical can't be used
	Links        int    `json:"links"`                   // number of links to other addresses, on any host
}

// Trace describes how a crawl would reach one URL, and what stopped it.
type Trace struct {
	URL     string `json:"url"` // in canonical form
	InScope bool   `json:"in_scope"`
	// Scope is the rule that decided InScope. It is empty if the URL is in scope and matches no rule.
	Scope   string `json:"scope,omitempty"`
	Allowed bool   `json:"allowed"`
	// Robots is the line of robots.txt that decided Allowed, or the reason why robots.txt was not read.
	Robots     string      `json:"robots,omitempty"`
	Hops       []Hop       `json:"hops"`
	Directives *Directives `json:"directives,omitempty"`
	LinkRules  string      `json:"-"` // hash of the rules for following links; empty without robots.txt
}

// shownHeaders are the response headers that affect a crawl and hold no secret.
var shownHeaders = [...]string{
	"Content-Type", "Content-Disposition", "Content-Encoding", "Etag", "Last-Modified", "Cache-Control",
	"X-Robots-Tag", "Link", "Retry-After", "Refresh",
}

func hopOf(p *document.Page) Hop {
	const mostBytes = 2 << 10
	h := Hop{URL: p.URL, Status: p.Status, Seen: p.Seen, Why: p.Why, Headers: http.Header{}}
	h.Location = document.Cut(weburl.HideUser(cmp.Or(p.Header.Get("Location"), p.Target)), mostBytes)
	for _, name := range shownHeaders {
		for _, value := range p.Header[name] {
			h.Headers.Add(name, document.Cut(value, mostBytes))
		}
	}
	return h
}

// Look requests one URL as a crawl would. It obeys the scope, robots.txt and the guard (the check of every
// connection). It follows redirects that stay in scope, for ten hops at most. For each hop Look calls use.
// The page's tree and body are valid until use returns. Look errs when ctx is done, when raw is no URL, or
// when use errs.
func (c *Crawler) Look(ctx context.Context, raw string, use func(*document.Page) error) (*Trace, error) {
	c.client.askVariants(ctx)
	url, err := c.site.Canon.URL(raw)
	if err != nil {
		return nil, err
	}
	t := &Trace{URL: url}
	f := newFetcher(ctx, c.client)
	for range 10 {
		h := c.client.hosts.of(url)
		t.InScope, t.Scope = c.site.Includes(url)
		if !t.InScope || h == nil {
			return t, nil
		}
		if h.robots == nil {
			c.client.loadRobots(ctx, h)
			c.client.obeyRobots(h, document.RobotsCopy{})
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
		next, err := c.lookOnce(ctx, f, t, url, use)
		if next == "" || err != nil {
			return t, err
		}
		url = next
	}
	return t, nil
}

func (c *Crawler) lookOnce(
	ctx context.Context, f *fetcher, t *Trace, url string, use func(*document.Page) error,
) (next string, err error) {
	x, err := f.ask(ctx, c.client.hosts.of(url), url, document.Hints{})
	defer f.release()
	if err != nil {
		return "", err
	}
	p, links := c.reader.readPage(ctx, x, document.Known{Document: true})
	if err := ctx.Err(); err != nil {
		return "", err
	}
	markFollowOnly(c.site, &p)
	t.Hops = append(t.Hops, hopOf(&p))
	if p.Target == "" {
		t.Directives = &Directives{
			NoIndex: links.NoIndex, NoFollow: cmp.Or(links.NoFollow, c.site.NoFollow.Find(p.URL)),
			Canonical: links.Canonical, BadCanonical: links.BadCanonical, Links: len(links.Found),
		}
	}
	return p.Target, use(&p)
}
