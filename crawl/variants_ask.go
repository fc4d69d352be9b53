package crawl

import (
	"context"
	"fmt"
	"net/http"

	"sitesync/crawl/pace"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// outside returns the page of a known URL that is out of scope. While it can't be
// told whether its origin stands for one of the site's, that is no evidence.
func (c *Crawler) outside(url, why string) *document.Page {
	p := &document.Page{URL: url, Seen: document.OutOfScope, Why: why}
	if x := c.variants.all[weburl.Origin(url)]; x != nil && x.unsure != "" {
		p.Seen, p.Why = document.Unread, fmt.Sprintf("whether %s redirects to %s can't be told: %s", weburl.Origin(url), x.starts[0], x.unsure)
	}
	return p
}

// addVariants finds the variants of start hosts that are asked themselves.
func (c *Crawler) addVariants() {
	var starts []string
	for _, origin := range c.Origins() {
		if !c.staged(origin) && c.opts.Folder == "" {
			starts = append(starts, origin)
		}
	}
	c.variants = newVariants(starts, c.hosts)
	if len(c.variants.all)+len(c.live) > 0 {
		c.canon = c.canon.WithHome(c.home)
	}
}

// askVariants lets variants be asked until ctx is done, at the pace of the host that
// they may stand for.
func (c *Crawler) askVariants(ctx context.Context) {
	bare := weburl.NewCanonicalizer(nil)
	c.variants.ask = func(variant, start string) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, variant+"/", nil)
		if err != nil {
			return "", err
		}
		req.Header.Set("User-Agent", c.opts.UserAgent)
		began, err := c.hosts[start].pace.Acquire(ctx, nil)
		if err != nil {
			return "", err
		}
		resp, err := c.transport.RoundTrip(req)
		c.hosts[start].pace.Release(began, pace.Reply{Good: err == nil})
		if err != nil {
			return "", err
		}
		resp.Body.Close()
		switch {
		case resp.StatusCode >= 500, resp.StatusCode == http.StatusTooManyRequests:
			return "", fmt.Errorf("its root page answered %d", resp.StatusCode)
		case !isRedirect(resp.StatusCode):
			return "", nil
		}
		target, err := bare.Resolve(variant+"/", resp.Header.Get("Location"))
		if err != nil {
			return "", nil // it leads nowhere
		}
		return weburl.Origin(target), nil
	}
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}
