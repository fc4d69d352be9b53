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

// host is one origin (scheme, host name and port) of the site during one run.
type host struct {
	origin  string
	index   int
	robots  *robots.Rules // rules of robots.txt; nil before it is read, and if it can't be read
	file    robots.File
	proven  bool // the last run followed links by this run's rules, so it knows the links of skipped pages
	pace    *pace.Pace
	absence signs.Absence // the host's answer for pages that do not exist; set before any page is read

	lastmods     lastmods
	listedBefore int

	partial  atomic.Bool // some URLs were not requested
	given    atomic.Bool // the host failed or its robots.txt is unknown, so it gets no more requests
	hopeless atomic.Bool // too many failed pages in a row, so no page is retried

	mu    sync.Mutex
	found document.Host
	looks pace.Breaker
}

func (h *host) degrade(state document.HostState, reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.found.State == document.HostOK {
		h.found.State, h.found.Reason = state, reason
	}
}

// looked counts one page. guarded says that a login or a bot challenge stood in place of the page.
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

func (h *host) report() document.Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.found
	found.ReadOnly, found.Covered = found.State != document.HostOK, !h.partial.Load() && !h.given.Load()
	found.Asked, found.Unread = h.looks.Asked, h.looks.Unread
	return found
}

// hosts are the hosts of a site: first the hosts of start URLs, then file hosts. Of a file host only files
// belong to the site (site.file_hosts).
type hosts struct {
	all      []*host
	starts   int // number of hosts of start URLs, at the beginning of all
	byOrigin map[string]*host
}

func newHosts(s *site.Site, o *Options) *hosts {
	starts, files := s.Hosts()
	hs := &hosts{starts: len(starts), byOrigin: map[string]*host{}}
	for i, origin := range slices.Concat(starts, files) {
		h := &host{
			origin: origin, index: i, pace: pace.New(o.Concurrency, o.Delay, o.MaxWait),
			found: document.Host{Host: origin, State: document.HostOK},
		}
		hs.all, hs.byOrigin[origin] = append(hs.all, h), h
	}
	return hs
}

// of returns the host of a canonical URL; nil if the host does not belong to the site.
func (hs *hosts) of(url string) *host { return hs.byOrigin[weburl.Origin(url)] }

func (hs *hosts) sites() []*host { return hs.all[:hs.starts] }

func (hs *hosts) onlyFiles(h *host) bool { return h.index >= hs.starts }

func (hs *hosts) start(url string) *host {
	if h := hs.of(url); h != nil && !hs.onlyFiles(h) {
		return h
	}
	return nil
}

// lastmods finds the day that nearly all lastmod values of a host's sitemaps share, by majority vote.
type lastmods struct {
	day       int64 // candidate of the vote, in days since 1970 (UTC)
	lead, all int   // lead: surplus of votes for day (Boyer-Moore majority vote); all: number of votes
}

const leastVotes = 10

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

// written returns lastmod, or 0 if nearly all lastmod values of the host fall on its day. On such a
// day the site was built, so the day does not tell when the page was written. "Nearly all" means at least 90
// to 95 %, depending on the order of the values.
func (l *lastmods) written(lastmod int64) int64 {
	if l.all >= leastVotes && 10*l.lead >= 9*l.all && lastmod/(24*60*60) == l.day {
		return 0
	}
	return lastmod
}
