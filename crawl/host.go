package crawl

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"sitesync/crawl/pace"
	"sitesync/crawl/robots"
	"sitesync/crawl/signs"
	"sitesync/crawl/site"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
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
	listed   int      // URLs that its sitemaps listed in the last run

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

// hosts are the hosts of a site: those of start URLs, then those of which only files belong
// to it.
type hosts struct {
	all      []*host
	starts   int // how many are hosts of start URLs
	byOrigin map[string]*host
}

// newHosts returns the hosts of a site. Those of files have no sitemaps, and their robots.txt
// is read before their first file is asked.
func newHosts(s *site.Site, o *Options) *hosts {
	starts, files := s.Hosts()
	hs := &hosts{starts: len(starts), byOrigin: map[string]*host{}}
	for i, origin := range slices.Concat(starts, files) {
		h := newHost(origin, i, pace.New(o.Concurrency, o.Delay, o.MaxWait))
		hs.all, hs.byOrigin[origin] = append(hs.all, h), h
	}
	return hs
}

// of returns the host of a canonical URL; nil when it is not the site's.
func (hs *hosts) of(url string) *host { return hs.byOrigin[weburl.Origin(url)] }

// sites returns the hosts of start URLs.
func (hs *hosts) sites() []*host { return hs.all[:hs.starts] }

// onlyFiles reports whether only files of a host belong to the site.
func (hs *hosts) onlyFiles(h *host) bool { return h.index >= hs.starts }

// start returns the host of a start URL that an address belongs to; nil for others.
func (hs *hosts) start(url string) *host {
	if h := hs.of(url); h != nil && !hs.onlyFiles(h) {
		return h
	}
	return nil
}

// lastmods tells the day that nearly all of a host's addresses were built on.
type lastmods struct {
	day       int64 // since 1970, UTC: the candidate of a vote
	lead, all int   // how many more there are of that day than of others
}

const leastBuilt = 10 // addresses of one day that tell a build

func (l *lastmods) add(lastmod int64) {
	day := lastmod / (24 * 60 * 60)
	if l.lead == 0 {
		l.day = day
	}
	l.all++
	if day == l.day {
		l.lead++
	} else {
		l.lead--
	}
}

// written returns a lastmod that says when its page was written; 0 for one whose day nearly all
// addresses share, 90 to 95 % by their order: it says when the site was built.
func (l *lastmods) written(lastmod int64) int64 {
	if l.all >= leastBuilt && 10*l.lead >= 9*l.all && lastmod/(24*60*60) == l.day {
		return 0
	}
	return lastmod
}
