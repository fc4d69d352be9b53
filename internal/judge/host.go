package judge

import (
	"cmp"
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
	blind     map[Unseen]*interstitialCount // documents that were not seen
	newly     int                           // of those, since tonight
	away      string                        // the first start page that leads out of the site, and where
	lost      string                        // the first start page that is not there
	waiting   int                           // documents that were missed tonight, and stay for now
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
		there := s.Seen == document.Read // a start page that is the site's answer for what does not exist, too
		if !there && (k.url == "" || start && !k.start) {
			k.url, k.why = s.URL, s.Why
		}
		k.start = k.start || start && !there
		if known {
			k.documents++
		}
	}
}

// fewInterstitials is how many documents say nothing about their host: on a site of four
// pages, one is already a fifth.
const fewInterstitials = 1

// HostState returns h as what stood before its pages tells: bad when that is a start
// page, or a fifth of the known documents that were looked at; or when more than half of
// them were not seen. What ended the run for the host, and what the crawl said of more
// than its sitemaps, stays.
func HostState(h document.Host, w *Interstitials, l Limits) document.Host {
	if w == nil {
		return h
	}
	h = alarms(h, w, l)
	if h.State != document.HostOK && h.State != document.HostSitemapCollapse {
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
	switch {
	case worst.url != "" && (worst.start || all > fewInterstitials && 5*all >= w.Documents):
		h.State, h.ReadOnly, h.Reason = interstitialKinds[most], true, worst.reason(w.Documents)
		return h
	case w.away != "": // its start page leads away
		h.State, h.ReadOnly, h.Reason = document.HostElsewhere, true, w.away
		return h
	}
	for _, b := range blindStates {
		if c := w.blind[b.unseen]; c != nil && c.documents > fewInterstitials && 2*c.documents > w.Documents {
			h.State, h.ReadOnly, h.Reason = b.state, true, c.reason(w.Documents)
			return h
		}
	}
	return h
}

func (c *interstitialCount) reason(documents int) string {
	reason := c.url + ": " + c.why
	if c.documents > 0 {
		reason += "; so with " + document.Of(c.documents, documents, "known document")
	}
	return reason
}

// Judged notes whether a known document was seen. why says what it showed in place of its
// content.
func (w *Interstitials) Judged(v *Verdict, url, why string) {
	if v.Waiting {
		w.waiting++
	}
	if v.Blind.Unseen == Seen {
		return
	}
	if v.Blind.Newly {
		w.newly++
	}
	if w.blind == nil {
		w.blind = map[Unseen]*interstitialCount{}
	}
	if w.blind[v.Blind.Unseen] == nil {
		w.blind[v.Blind.Unseen] = &interstitialCount{url: url, why: why}
	}
	w.blind[v.Blind.Unseen].documents++
}

// Away notes that a start page leads to an address outside the site.
func (w *Interstitials) Away(url, target string) {
	if w.away == "" {
		w.away = fmt.Sprintf("the start page %s redirects to %s, which is outside the site", url, target)
	}
}

// Lost notes that a start page is not there.
func (w *Interstitials) Lost(url string) { w.lost = cmp.Or(w.lost, url) }

// blindStates are the states of a host of which more than half of the documents were not
// seen, in the order in which they count.
var blindStates = [...]struct {
	unseen Unseen
	state  document.HostState
}{{SeenElsewhere, document.HostElsewhere}, {SeenUnhealthy, document.HostUnhealthy}}

// maxUnseen is the share of a host's documents that may be unseen for the first time in a
// run that counts as done.
const maxUnseen = 0.01

// alarms returns h with what calls for a person although the host may be ok.
func alarms(h document.Host, w *Interstitials, l Limits) document.Host {
	for _, c := range w.blind {
		h.Unseen += c.documents
	}
	if float64(w.newly) > maxUnseen*float64(w.Documents) {
		h.Alarms = append(h.Alarms, "not seen since tonight: "+document.Of(w.newly, w.Documents, "document")+", more than 1 %")
	}
	if 2*w.waiting > w.Documents || tripped(Totals{Documents: w.Documents, Deletes: w.waiting}, l) {
		h.Alarms = append(h.Alarms, "missing tonight: "+document.Of(w.waiting, w.Documents, "document")+", to be deleted if the next run misses them too")
	}
	if w.lost != "" {
		h.Alarms = append(h.Alarms, "start page missing: "+w.lost+"; mend the site, or name another page in site.start")
	}
	return h
}

var advice = map[document.HostState]string{
	document.HostBotGuard:    "let this machine's address or user agent through at the guard",
	document.HostLoginWall:   "give the crawl access ([[fetch.auth]], fetch.cookies), or open the pages to it",
	document.HostMaintenance: "run again when the site is back",
	document.HostParked:      "see whether the domain has expired or points to the wrong server",
	document.HostElsewhere:   "if the pages have moved for good, have the server answer 301 in place of 302, and let site.start name where they are now",
	document.HostUnhealthy:   "look at what the pages show now",
	document.HostSoft404:     "have the server answer 404 for pages that do not exist",
}

// Advice says what the owner can do about a host that is not ok; empty where there
// is no more to say than the reason.
func Advice(state document.HostState) string { return advice[state] }
