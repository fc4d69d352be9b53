package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"sitesync/crawl/pace"
	"sitesync/crawl/robots"
	"sitesync/crawl/signs"
	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
)

// host is one origin of the site during one run.
type host struct {
	origin  string
	index   int
	robots  *robots.Rules // nil until read; an outage may leave it nil
	file    robots.File   // that was sent as robots.txt
	proven  bool          // the last run followed every link by the same rules: pages may be skipped
	pace    *pace.Pace
	absence signs.Absence // what it shows for pages that do not exist; set between waves

	lastmods lastmods // of its sitemaps

	partial  atomic.Bool // not every URL is looked at
	given    atomic.Bool // given up, or never asked: it takes no more requests in this run
	hopeless atomic.Bool // so many pages in a row were unread that none is asked again

	mu    sync.Mutex
	found document.Host // so far; report adds what is counted
	looks pace.Breaker
}

func newHost(origin string, index int, pace *pace.Pace) *host {
	return &host{origin: origin, index: index, pace: pace, found: document.Host{Host: origin, State: document.HostOK}}
}

// degrade sets the host's state, unless it is bad already.
func (h *host) degrade(state document.HostState, reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.found.State == document.HostOK {
		h.found.State, h.found.Reason = state, reason
	}
}

// looked counts one look. After too many failures the host is given up; guarded says that
// something stood before the page.
func (h *host) looked(failed bool, why string, guarded bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looks.Count(failed, guarded)
	h.hopeless.Store(h.looks.Hopeless())
	if failed && h.looks.Open() && !h.given.Swap(true) {
		h.found.State = h.looks.State()
		h.pace.End()
		h.found.Reason = fmt.Sprintf("%d of its pages were unread, the last one: %s", h.looks.Unread, why)
	}
}

// report returns what the run found of the host.
func (h *host) report() document.Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.found
	found.ReadOnly, found.Covered = found.State != document.HostOK, !h.partial.Load() && !h.given.Load()
	found.Asked, found.Unread = h.looks.Asked, h.looks.Unread
	return found
}

func (c *Crawler) sites() []*host { return c.order[:c.starts] }

// isFileHost reports whether only files of a host belong to the site.
func (c *Crawler) isFileHost(h *host) bool { return h.index >= c.starts }

// Site returns what belongs to the site.
func (c *Crawler) Site() *site.Site { return c.site }

// markFollowOnly marks a page that was read, but is only to be followed, as out of scope. A hub
// that is kept stays so: its record says what it is.
func (c *Crawler) markFollowOnly(p *document.Page) {
	if rule := c.site.FollowOnly.Find(p.URL); p.Seen == document.Read && rule != "" {
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
		resp, _, err := c.roundTrip(req, c.hosts[start], nil)
		if err != nil {
			return "", errors.New(transport.Explain(err))
		}
		resp.Body.Close()
		return site.Leads(variant, resp)
	})
}
