package crawl

import (
	"context"
	"errors"
	"net/http"

	"sitesync/crawl/pace"
	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
)

// sites returns the hosts of the start URLs.
func (c *Crawler) sites() []*host { return c.order[:c.starts] }

// isFileHost reports whether only files of a host belong to the site.
func (c *Crawler) isFileHost(h *host) bool { return h.index >= c.starts }

// Origins returns the origins of the start URLs, sorted: the scope.
func (c *Crawler) Origins() []string { return c.site.Origins() }

// FileOrigins returns the origins of which only files belong to the site, sorted.
func (c *Crawler) FileOrigins() []string { return c.site.FileOrigins() }

// Owned errs, saying why, unless id is an address of the site in today's form, or one
// that today's rules write as such an address. It asks nobody.
func (c *Crawler) Owned(id string) error { return c.site.Owned(id) }

// markFollowOnly marks a page that was read, but is only to be followed, as out of scope. A hub
// that is kept stays so: its record says what it is.
func (c *Crawler) markFollowOnly(p *document.Page) {
	if p.Seen != document.Read {
		return
	}
	if rule := c.site.FollowOnly.Find(p.URL); rule != "" {
		p.Seen, p.Why, p.Canonical = document.OutOfScope, rule, ""
	}
}

// excludes reports whether a known document is to leave the index for
// site.follow_only. It is read for real then: a hint would hide that.
func (c *Crawler) excludes(url string, known document.Known) bool {
	return known.Document && c.site.FollowOnly.Find(url) != ""
}

// askVariants lets variants be asked until ctx is done, at the pace of the host that
// they may stand for.
func (c *Crawler) askVariants(ctx context.Context) {
	c.site.AskBy(func(variant, start string) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, variant+"/", nil)
		if err != nil {
			return "", err
		}
		req.Header.Set("User-Agent", c.opts.UserAgent)
		began, err := c.hosts[start].pace.Acquire(ctx, nil)
		if err != nil {
			return "", errors.New(transport.Explain(err))
		}
		resp, err := c.transport.RoundTrip(req)
		c.hosts[start].pace.Release(began, pace.Reply{Good: err == nil})
		if err != nil {
			return "", errors.New(transport.Explain(err))
		}
		resp.Body.Close()
		return site.Leads(variant, resp)
	})
}
