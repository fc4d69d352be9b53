package site

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Status says whether a URL has a document in the index, or why it has none.
type Status string

// The values of Status. In the comments, "it" is the URL.
const (
	Indexed    Status = "indexed"  // the index holds its document
	Held       Status = "held"     // a brake (a limit on changes) holds its change
	InDoubt    Status = "in-doubt" // the service may have accepted its change; the answer is unknown
	Refused    Status = "refused"  // the service refused its document; the next run tries again
	Parked     Status = "parked"   // the service refused its document three times
	Folded     Status = "folded"   // its document is stored under another URL
	Expired    Status = "expired"  // a retention rule removes its document, which is too old
	Redirect   Status = "redirect"
	NoIndex    Status = "noindex"  // the page forbids indexing, as with a robots meta tag
	Missing    Status = "missing"  // it answers 404, or with the host's "not found" page
	Gone       Status = "gone"     // it answers 410
	Failed     Status = "failed"   // it could not be read
	Excluded   Status = "excluded" // the configuration excludes it
	Disallowed Status = "disallowed"
	LeftOut    Status = "left-out" // a page or sitemap names it, but sitesync makes no document of it
	Other      Status = "other"    // any other URL without a document
)

// Statuses holds all values of Status, in the order in which messages list them.
var Statuses = [...]Status{
	Indexed, Held, InDoubt, Refused, Parked, Folded, Expired, Redirect, NoIndex,
	Missing, Gone, Failed, Excluded, Disallowed, LeftOut, Other,
}

// Page is one known URL.
type Page struct {
	URL     string        `json:"url"`
	Status  Status        `json:"status"`
	Indexed bool          `json:"indexed"` // the index holds its document, or may hold it
	HTTP    int           `json:"http,omitempty"`
	Why     string        `json:"why,omitempty"`
	Title   string        `json:"title,omitempty"`
	Type    document.Type `json:"type,omitempty"`
	LinksIn int           `json:"links_in"`           // number of pages that link to it
	From    string        `json:"referrer,omitempty"` // first page that links to it or led the crawl to it
	Target  string        `json:"target,omitempty"`   // URL to which it redirects

	Canonical string `json:"canonical,omitempty"` // the canonical URL that the page names, if not its own
	Listed    bool   `json:"in_sitemap"`
	Length    int    `json:"length,omitempty"`  // length of its text in bytes
	Read      int64  `json:"read,omitempty"`    // Unix seconds: start of the last run that read the page
	Changed   int64  `json:"changed,omitempty"` // Unix seconds: start of the run that first found this text
	Since     int64  `json:"since,omitempty"`   // Unix seconds: start of the run that first found this status

	look        Status // status from the last crawl alone: never Held, InDoubt, Refused or Parked
	read        bool
	description string
	noText      string
	text        uint64
	start       bool
	fresh       freshness
}

// Left returns the reason why a URL is left out of the index, or "" if it is not left out. A redirect, a
// missing page, and a page whose document has another URL do not count as left out.
func (p *Page) Left() string {
	if p.Indexed || !slices.Contains([]Status{LeftOut, Excluded, Disallowed, NoIndex, Failed, Expired}, p.look) {
		return ""
	}
	return cmp.Or(p.Why, p.state())
}

// freshness says which facts of a page the last run saw for the first time.
type freshness struct{ status, title, description, text bool }

// Kind names the sort of a Fault, such as a broken link.
type Kind string

const (
	BrokenLink      Kind = "broken-links"
	FailedPage      Kind = "failed-pages"
	RedirectChain   Kind = "redirect-chains"
	RedirectLink    Kind = "links-to-redirects"
	NoTitle         Kind = "missing-titles"
	SameTitle       Kind = "duplicate-titles"
	NoDescription   Kind = "missing-descriptions"
	SameDescription Kind = "duplicate-descriptions"
	SameText        Kind = "same-text"
	NoText          Kind = "without-text"
	BadCanonical    Kind = "canonical-conflicts"
	BadListed       Kind = "wrong-in-the-sitemap"
	NotLinked       Kind = "not-linked"
	LeftOutBy       Kind = "left-out-by-reason"
)

// Reports show the kinds in this order.
var kinds = [...]Kind{
	BrokenLink, FailedPage, RedirectChain, RedirectLink, NoTitle, SameTitle, NoDescription, SameDescription,
	SameText, NoText, BadCanonical, BadListed, NotLinked, LeftOutBy,
}

// Name returns the kind as a heading.
func (k Kind) Name() string { return strings.ReplaceAll(string(k), "-", " ") }

// Fault is one thing to mend.
type Fault struct {
	Kind  Kind     `json:"kind"`
	URL   string   `json:"url"` // the first URL if several pages share the fault
	Title string   `json:"title,omitempty"`
	Text  string   `json:"text"`
	Pages []string `json:"pages,omitempty"` // at most MaxPages pages that link to URL or share the fault
	More  int      `json:"more,omitempty"`  // number of further pages
	New   bool     `json:"new"`             // the last run saw the fault for the first time

	affected int
}

// MaxPages is the largest number of pages that a fault names.
const MaxPages = 20

// Count holds the number of all faults of a kind, and of those that are new.
type Count struct {
	Kind   Kind `json:"kind"`
	Faults int  `json:"faults"`
	New    int  `json:"new"`
}

// Site is the state of a site after the last run. Pages are in the order of URLs. Faults are sorted by kind;
// kinds with a new fault come first. Within a kind, new faults come first, then those with the most pages.
type Site struct {
	Run    string  `json:"run"`    // ID of the last run
	Start  int64   `json:"start"`  // start of the last run, in Unix seconds
	Unread int     `json:"unread"` // number of indexed documents without stored facts of their page
	Counts []Count `json:"counts"` // only kinds that have faults
	Faults []Fault `json:"faults"`
	Pages  []Page  `json:"-"`
}

// Name returns the host of the first page of the site that is not left out.
func (s *Site) Name() string {
	for i := range s.Pages {
		if s.Pages[i].look != LeftOut { // a left-out URL may be on another host
			return weburl.Host(s.Pages[i].URL)
		}
	}
	return ""
}
