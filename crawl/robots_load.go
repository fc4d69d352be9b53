package crawl

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"sitesync/crawl/transport"
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
	body, why := r.robotsFile(ctx, h)
	if why == "" {
		r.keepRobots(h, body)
	} else if kept, ok := r.keptRobots(h, why); ok {
		body = kept
	} else {
		h.degrade(document.HostRobotsOutage, why)
		return
	}
	h.robots = ParseRobots(body, r.opts.agent())
	r.unbar(h)
	h.rules = document.HashOf(h.robots.text() + r.opts.linkRules()).String()
	h.pace.keepApart(min(h.robots.Delay, r.patience))
}

// robotsFile fetches a host's robots.txt, or says why it can't be had.
func (r *run) robotsFile(ctx context.Context, h *host) (body []byte, why string) {
	x := r.request(ctx, h, h.origin+"/robots.txt", func(resp *http.Response) error {
		buf, err := r.bodies.Read(ctx, resp, transport.Limit{Bytes: robotsMost, Key: "robots.txt"})
		if err == nil {
			body = bytes.Clone(buf.Bytes())
			r.bodies.Release(buf)
		}
		return err
	})
	h.answer = x.status
	switch {
	case x.err != nil:
		return nil, "robots.txt can't be read: " + transport.Explain(x.err)
	case x.status < 200 || x.status >= 500 || x.status == http.StatusTooManyRequests:
		return nil, fmt.Sprintf("robots.txt answered %d", x.status)
	case x.status >= 300:
		return nil, ""
	}
	return body, ""
}
