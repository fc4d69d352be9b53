package crawl

import (
	"fmt"
	"sync"

	"sitesync/crawl/pace"
	"sitesync/crawl/robots"
	"sitesync/crawl/signs"
	"sitesync/internal/document"
)

const (
	breakerRow    = 20  // failures in a row that end the run for a host
	breakerWindow = 100 // looks of which half may fail
)

// host is one origin of the site during one run.
type host struct {
	origin   string
	index    int
	robots   *robots.Rules // nil until read; an outage leaves it nil
	answer   int           // HTTP status of robots.txt; 0: none, or not asked
	rules    string        // fingerprint of what decides which links are followed
	proven   bool          // the last run followed every link by the same rules: pages may be skipped
	pace     *pace.Pace
	notFound *signs.NotFound // set between waves; nil: pages that do not exist are not answered 200
	lost     *document.Page  // such an answer, when the print was had at the end only

	mu       sync.Mutex
	state    document.HostState
	reason   string
	covered  bool // every URL was looked at so far
	listed   int  // URLs in sitemaps
	unlisted bool // a sitemap could not be read
	asked    int
	unread   int
	row      int // failures in a row
	lastFail [breakerWindow]bool
	lastWall [breakerWindow]document.HostState // what stood before the pages that failed
	given    bool                              // given up
}

func newHost(origin string, index int, pace *pace.Pace) *host {
	return &host{origin: origin, index: index, pace: pace, state: document.HostOK, covered: true}
}

// degrade sets the host's state, unless it is bad already.
func (h *host) degrade(state document.HostState, reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == document.HostOK {
		h.state, h.reason = state, reason
	}
}

// uncover notes that not every URL of the host is looked at.
func (h *host) uncover() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.covered = false
}

// closed reports whether the host takes no more requests in this run.
func (h *host) closed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.open()
}

func (h *host) open() bool {
	return !h.given && h.state != document.HostRobotsOutage
}

// looked counts one look. Twenty failures in a row, or half of the last hundred,
// end the run for the host; wall says what stood before the page.
func (h *host) looked(failed bool, why string, wall document.HostState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lastFail[h.asked%breakerWindow], h.lastWall[h.asked%breakerWindow] = failed, wall
	h.asked++
	if !failed {
		h.row = 0
		return
	}
	h.unread++
	h.row++
	if h.open() && (h.row >= breakerRow || h.asked >= breakerWindow && h.recentFailures() >= breakerWindow/2) {
		h.given, h.covered = true, false
		h.state = h.recentWall()
		h.pace.End()
		h.reason = fmt.Sprintf("%d of its pages were unread, the last one: %s", h.unread, why)
	}
}

func (h *host) recentFailures() int {
	n := 0
	for _, failed := range h.lastFail {
		if failed {
			n++
		}
	}
	return n
}

// recentWall returns the state that more than half of the last failures speak for.
func (h *host) recentWall() document.HostState {
	walls := map[document.HostState]int{}
	for i, failed := range h.lastFail {
		if failed {
			walls[h.lastWall[i]]++
		}
	}
	for wall, n := range walls {
		if wall != "" && 2*n > h.recentFailures() {
			return wall
		}
	}
	return document.HostUnreachable
}

// hopeless reports whether so many pages in a row were unread that none is asked
// again: a host that is down is given up soon.
func (h *host) hopeless() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.row >= hopelessRow
}

// report returns what the run found of the host.
func (h *host) report() document.Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	return document.Host{
		Host: h.origin, State: h.state, Reason: h.reason, ReadOnly: h.state != document.HostOK,
		Covered: h.covered && h.open(),
		Sitemap: h.listed, Unlisted: h.unlisted, Asked: h.asked, Unread: h.unread, Followed: h.rules, Lost: h.lost,
	}
}
