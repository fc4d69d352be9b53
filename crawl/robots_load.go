package crawl

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"sitesync/internal/document"
)

const (
	robotsHops = 5        // RFC 9309, section 2.3.1.2
	robotsMost = 16 << 20 // a larger file is none; of a smaller one MaxRobotsBytes count
)

// loadRobots reads a host's robots.txt: 4xx means no rules; a server error, 429 or
// no answer means that the host is not crawled (RFC 9309, section 2.3.1).
func (r *run) loadRobots(ctx context.Context, h *host) {
	if r.opts.IgnoreRobots {
		h.robots = ParseRobots(nil, r.opts.agent())
		h.rules = document.HashOf(r.opts.linkRules()).String()
		return
	}
	body, status, err := r.robotsFile(ctx, h)
	switch {
	case err != nil:
		h.degrade(document.HostRobotsOutage, fmt.Sprintf("robots.txt can't be read: %s", explainError(err)))
		return
	case status >= 500 || status == http.StatusTooManyRequests:
		h.degrade(document.HostRobotsOutage, fmt.Sprintf("robots.txt answered %d", status))
		return
	case status >= 300:
		body = nil
	}
	h.robots = ParseRobots(body, r.opts.agent())
	r.unbar(h)
	h.rules = document.HashOf(h.robots.text() + r.opts.linkRules()).String()
	h.delay = max(h.delay, h.robots.Delay)
}

// robotsFile fetches a host's robots.txt.
func (c *Crawler) robotsFile(ctx context.Context, h *host) (body []byte, status int, err error) {
	resp, err := c.request(ctx, h.origin+"/robots.txt") //nolint:bodyclose // read closes it
	if err != nil {
		return nil, 0, err
	}
	buf, err := c.bodies.read(ctx, resp, bodyLimit{robotsMost, "robots.txt"})
	if err != nil {
		return nil, resp.StatusCode, err
	}
	defer c.bodies.release(buf)
	return bytes.Clone(buf.Bytes()), resp.StatusCode, nil
}

// request makes a GET through the guarded transport, following up to five redirects.
func (c *Crawler) request(ctx context.Context, url string) (*http.Response, error) {
	client := &http.Client{Transport: c.transport, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > robotsHops {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", url, err)
	}
	req.Header.Set("User-Agent", c.opts.UserAgent)
	return client.Do(req)
}
