package crawl

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"sitesync/crawl/robots"
	"sitesync/crawl/signs"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const mostQuotedBytes = 500

// obeyRobots sets h.robots from the host's robots.txt or, if that file was not read, from the copy lastGood.
func (c *client) obeyRobots(h *host, lastGood document.RobotsCopy) {
	staged := c.site.Staged(h.origin)
	if c.opts.IgnoreRobots {
		h.robots = &robots.Rules{}
	} else {
		if staged { // lastGood is from the live host, but a staging host is requested in its place
			lastGood = document.RobotsCopy{}
		}
		rules, next, outage := robots.Believe(h.file, lastGood, c.opts.UserAgent, c.opts.Began)
		if outage != "" && c.over.Err() == nil { // the end of max-duration is no fault of the host
			h.degrade(document.HostRobotsOutage, outage)
		}
		if rules == nil {
			h.given.Store(true)
			return
		}
		h.robots = rules
		if !staged {
			h.found.Robots = &next
		}
	}
	c.unbar(h)
	h.found.Delay = h.robots.Delay
	h.found.Followed = document.HashOf(h.robots.String() + c.opts.linkRules()).String()
	h.pace.KeepApart(min(h.robots.Delay, c.patience))
}

// loadRobots fetches a host's robots.txt, unless the configuration ignores it. Status 4xx except 429 means
// that there is no such file. 429, 5xx, a bot challenge or no answer is an outage (RFC 9309, section 2.3.1).
func (c *client) loadRobots(ctx context.Context, h *host) {
	if c.opts.IgnoreRobots {
		return
	}
	var file robots.File
	x := c.request(ctx, h, h.origin+"/robots.txt", func(resp *http.Response) error {
		body, err := transport.ReadBody(ctx, resp, transport.Limit{Bytes: robots.MaxBytes, Key: "robots.txt"})
		if resp.TLS != nil && weburl.RequestOrigin(resp.Request.URL) == h.origin {
			h.found.Expires = resp.TLS.PeerCertificates[0].NotAfter
		}
		file.Body = body
		return err
	})
	guard := signs.FindGuard(x.Header)
	switch {
	case x.err != nil:
		file.Outage = document.RobotsUnread + transport.Explain(x.err)
	case guard != "":
		file.Outage = "robots.txt: " + guard + "; let this machine's address or user agent through at the guard"
	case x.Status < 200 || x.Status >= 500 || x.Status == http.StatusTooManyRequests:
		file.Outage = fmt.Sprintf("robots.txt answered %d", x.Status)
	case x.Status >= 300:
		file = robots.File{Fault: fmt.Sprintf("answered %d", x.Status)}
	}
	h.file = file
}

// unbar drops the rules of a staging host (requested in place of the live host) and warns about them. The
// sitemaps in robots.txt are kept.
func (c *client) unbar(h *host) {
	if !c.site.Staged(h.origin) {
		return
	}
	lines := h.robots.Disallows()
	if h.robots.Delay > 0 {
		lines = append(lines, fmt.Sprintf("Crawl-delay: %g", h.robots.Delay.Seconds()))
	}
	h.robots = &robots.Rules{Sitemaps: h.robots.Sitemaps}
	if len(lines) == 0 {
		return
	}
	staging, said := c.site.Via[h.origin], document.Cut(strings.Join(lines, ", "), mostQuotedBytes)
	c.warnings.Add("via", staging+"/robots.txt",
		fmt.Sprintf("robots.txt of %s says %s; not obeyed here, check it before launch", staging, said))
}

// trustHost sets the rules of a host. It sets h.proven if the last run followed links by these rules.
func (c *client) trustHost(past Past, h *host) error {
	memory, err := past.Host(h.origin)
	if err != nil {
		return err
	}
	c.obeyRobots(h, memory.Robots)
	same := memory.Followed != "" && memory.Followed == h.found.Followed
	h.proven = same && !c.site.Staged(h.origin) && c.opts.Render != renderAlways
	c.site.Recall(h.origin, memory.Folded)
	h.found.Repeats, h.listedBefore = memory.Repeats, memory.Sitemap
	return nil
}
