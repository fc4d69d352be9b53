package judge

import (
	"fmt"

	"sitesync/internal/document"
)

// Interstitials is what stood in place of a host's pages in one run, counted over the known
// documents that were looked at. Count it in the order of URLs: the first of a kind
// is what a reason names.
type Interstitials struct {
	Looked    int  // URLs that were looked at, before an interruption too
	Unread    int  // of those, unread
	Documents int  // known documents that were looked at
	Any       bool // something stood in place of some page
	kinds     [5]interstitialCount
}

type interstitialCount struct {
	documents int
	start     bool
	url, why  string
}

// interstitialKinds are the states that a page can speak for; where two are as frequent the
// first counts.
var interstitialKinds = [...]document.HostState{
	document.HostBotGuard, document.HostLoginWall, document.HostMaintenance, document.HostParked, document.HostSoft404,
}

// Count notes what stood in place of one page: a known document, a start page, or
// both. Others say nothing of their host.
func (w *Interstitials) Count(s *document.Sighting, known, start bool) {
	if s.Seen == document.Unread {
		w.Unread++
	}
	for i, kind := range interstitialKinds {
		if s.Interstitial != kind || !known && !start {
			continue
		}
		k := &w.kinds[i]
		if k.url == "" || start && !k.start {
			k.url, k.why = s.URL, s.Why
		}
		k.start = k.start || start
		if known {
			k.documents++
		}
	}
}

// fewInterstitials is how many documents alone speak for no state: of a site of four pages
// one is a fifth.
const fewInterstitials = 1

// HostState returns h as what stood before its pages tells: bad when that is a start
// page, or a fifth of the known documents that were looked at. What ended the run
// for the host, and what the crawl said of more than its sitemaps, stays.
func HostState(h document.Host, w *Interstitials) document.Host {
	if w == nil || h.State != document.HostOK && h.State != document.HostSitemapCollapse {
		return h
	}
	all, most := 0, 0
	for i, kind := range w.kinds {
		all += kind.documents
		if best := w.kinds[most]; kind.start && !best.start || kind.start == best.start && kind.documents > best.documents {
			most = i
		}
	}
	worst := w.kinds[most]
	if !worst.start && (all <= fewInterstitials || 5*all < w.Documents) {
		return h
	}
	h.State, h.ReadOnly = interstitialKinds[most], true
	h.Reason = fmt.Sprintf("%s: %s", worst.url, worst.why)
	if worst.documents > 0 {
		h.Reason += fmt.Sprintf("; so with %d of %d known documents", worst.documents, w.Documents)
	}
	return h
}

// Advice says what the owner can do about a host that is not ok; empty where there
// is no more to say than the reason.
func Advice(state document.HostState) string {
	switch state {
	case document.HostBotGuard:
		return "let this machine's address or user agent through at the guard"
	case document.HostLoginWall:
		return "give the crawl access ([[fetch.auth]], fetch.cookies), or open the pages to it"
	case document.HostMaintenance:
		return "run again when the site is back"
	case document.HostParked:
		return "see whether the domain has expired or points to the wrong server"
	case document.HostSoft404:
		return "have the server answer 404 for pages that do not exist"
	}
	return ""
}
