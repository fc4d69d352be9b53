package crawl

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sitesync/crawl/robots"
	"sitesync/crawl/signs"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	robotsHops = 5        // RFC 9309, section 2.3.1.2
	robotsMost = 16 << 20 // a larger file can't be read; of a smaller one robots.MaxBytes are
)

// loadRobots fetches a host's robots.txt.
func (r *run) loadRobots(ctx context.Context, h *host) {
	if !r.opts.IgnoreRobots {
		h.file = r.robotsFile(ctx, h)
	}
}

// obeyRobots sets what is obeyed of a host's robots.txt, given the last good copy of it.
func (r *run) obeyRobots(h *host, was document.RobotsCopy) {
	staged := r.crawler.site.Staged(h.origin)
	if r.opts.IgnoreRobots {
		h.robots = &robots.Rules{}
	} else {
		if staged { // it is nobody's word about the site
			was = document.RobotsCopy{}
		}
		rules, next, outage := robots.Believe(h.file, was, r.opts.UserAgent, r.opts.Began)
		if outage != "" && r.over.Err() == nil { // else the host was given no time to answer
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
	if over := h.file.Over(); over != "" {
		r.warnings.Add("robots", h.origin+"/robots.txt", over)
	}
	r.unbar(h)
	h.found.Delay = h.robots.Delay
	h.found.Followed = document.HashOf(h.robots.String() + r.opts.linkRules()).String()
	h.pace.KeepApart(min(h.robots.Delay, r.crawler.patience))
}

// robotsFile fetches a host's robots.txt. 4xx means that the host has no such file. A server
// error, 429, a challenge for robots or no answer means an outage (RFC 9309, section 2.3.1).
func (r *run) robotsFile(ctx context.Context, h *host) (file robots.File) {
	x := r.request(ctx, h, h.origin+"/robots.txt", func(resp *http.Response) error {
		buf, err := r.crawler.bodies.Read(ctx, resp, transport.Limit{Bytes: robotsMost, Key: "robots.txt"})
		if resp.TLS != nil && weburl.RequestOrigin(resp.Request.URL) == h.origin {
			h.found.Expires = resp.TLS.PeerCertificates[0].NotAfter
		}
		if err == nil {
			file.Body = bytes.Clone(buf.Bytes())
			r.crawler.bodies.Release(buf)
		}
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
	return file
}

// maxNamed is how many lines of a staging host's robots.txt a warning names.
const maxNamed = 5

// unbar takes from a staging host's robots.txt all but its sitemaps, and tells what
// it said: it keeps the world out, not us.
func (r *run) unbar(h *host) {
	if !r.crawler.site.Staged(h.origin) {
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
	more := ""
	if n := len(lines) - maxNamed; n > 0 {
		lines, more = lines[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	staging := r.crawler.site.Via[h.origin]
	r.warnings.Add("via", staging+"/robots.txt", fmt.Sprintf("robots.txt of %s says %s%s; not obeyed here, check it before launch", staging, strings.Join(lines, ", "), more))
}

// request makes a GET through the guarded transport, following up to five
// redirects, and hands the answer to use, which closes its body. What can pass is
// asked again, so use may be called again. The exchange has the last answer's
// status, 0 where there was none, and the error of the request or of use.
func (r *run) request(ctx context.Context, h *host, url string, use func(*http.Response) error) *exchange {
	x := &exchange{}
	client := &http.Client{Transport: pacedTransport{r, h, x}, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > robotsHops {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	asking, end := r.asking(ctx)
	defer end()
	req, err := http.NewRequestWithContext(asking, http.MethodGet, url, nil)
	if err != nil {
		x.err = fmt.Errorf("ask for %s: %w", url, err)
		return x
	}
	req.Header.Set("User-Agent", r.opts.UserAgent)
	err = r.patiently(ctx, h, x, func() error {
		*x = exchange{}
		began := time.Now()
		resp, err := client.Do(req) //nolint:bodyclose // use closes it
		x.took = time.Since(began)
		x.err = err
		if err != nil {
			return nil
		}
		x.Status, x.Header, x.err = resp.StatusCode, resp.Header, use(resp)
		return nil
	})
	x.err = cmp.Or(x.err, err)
	return x
}

// pacedTransport keeps requests, redirects too, to the pace of their host; where
// that is not the site's, to the pace of the host on whose behalf they are made.
type pacedTransport struct {
	run  *run
	host *host
	x    *exchange
}

func (t pacedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	h := cmp.Or(t.run.crawler.hosts[weburl.Origin(req.URL.String())], t.host)
	resp, weary, err := t.run.crawler.roundTrip(req, h, t.run.over.Done())
	t.x.weary = weary // of the last hop
	return resp, err
}

// roundTrip makes a request at the pace of a host. weary says that the host asks for
// more patience than there is.
func (c *Crawler) roundTrip(req *http.Request, h *host, overtime <-chan struct{}) (resp *http.Response, weary bool, err error) {
	began, err := h.pace.Acquire(req.Context(), overtime)
	if err != nil {
		return nil, false, err
	}
	resp, err = h.pace.Exchange(c.transport, req)
	x := &exchange{err: err}
	if err == nil {
		x.Status, x.Header = resp.StatusCode, resp.Header
	}
	return resp, !h.pace.Release(began, c.reply(x)), err
}
