package site

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Status is how a URL stands, in one word.
type Status string

// The values of Status.
const (
	Indexed    Status = "indexed"    // the index holds its document
	Held       Status = "held"       // a brake holds its change
	InDoubt    Status = "in-doubt"   // whether the service took it over is not known
	Refused    Status = "refused"    // by the service; it is tried again
	Parked     Status = "parked"     // refused three times
	Folded     Status = "folded"     // its document is that of another address
	Expired    Status = "expired"    // a retention rule covers it
	Redirect   Status = "redirect"   // it leads elsewhere
	NoIndex    Status = "noindex"    // it asks not to be indexed
	Missing    Status = "missing"    // 404, or what the host shows for pages that are not there
	Gone       Status = "gone"       // 410
	Failed     Status = "failed"     // it could not be read
	Excluded   Status = "excluded"   // by the configuration
	Disallowed Status = "disallowed" // by robots.txt
	LeftOut    Status = "left-out"   // linked or listed, and no document is made of it
	Other      Status = "other"      // known, and no document
)

// Statuses are all values of Status, in the order in which they are told.
var Statuses = [...]Status{
	Indexed, Held, InDoubt, Refused, Parked, Folded, Expired, Redirect, NoIndex, Missing, Gone, Failed, Excluded, Disallowed, LeftOut, Other,
}

// Page is one known URL.
type Page struct {
	URL     string        `json:"url"`
	Status  Status        `json:"status"`
	Indexed bool          `json:"indexed"` // the index holds a document for it, or may hold one
	HTTP    int           `json:"http,omitempty"`
	Why     string        `json:"why,omitempty"`
	Title   string        `json:"title,omitempty"`
	Type    document.Type `json:"type,omitempty"`
	LinksIn int           `json:"links_in"`           // pages that link to it
	From    string        `json:"referrer,omitempty"` // the first page that links to it, or that led to it first
	Target  string        `json:"target,omitempty"`   // of its redirect

	Canonical string `json:"canonical,omitempty"` // that it names, where that is not itself
	Listed    bool   `json:"in_sitemap"`
	Length    int    `json:"length,omitempty"`  // bytes of its text
	Read      int64  `json:"read,omitempty"`    // start of the run that read it last; this and the next in Unix seconds
	Changed   int64  `json:"changed,omitempty"` // start of the run that found another text than before
	Since     int64  `json:"since,omitempty"`   // start of the run since which it is as it is now

	look        Status // what the last look found, whatever waits
	read        bool   // it was read last time it was looked at
	description string
	noText      string
	text        uint64
	start       bool
	fresh       freshness
}

// Left says why no document is made of a URL; empty where there is one, or another address or
// none stands for it.
func (p *Page) Left() string {
	if p.Indexed || !slices.Contains([]Status{LeftOut, Excluded, Disallowed, NoIndex, Failed, Expired}, p.look) {
		return ""
	}
	return cmp.Or(p.Why, p.state())
}

// freshness says what the last run was the first to see of a page.
type freshness struct{ status, title, description, text bool }

// Kind is the kind of a fault, in words joined by hyphens.
type Kind string

// The values of Kind.
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

// kinds are in the order in which they are told.
var kinds = [...]Kind{
	BrokenLink, FailedPage, RedirectChain, RedirectLink, NoTitle, SameTitle, NoDescription, SameDescription, SameText, NoText,
	BadCanonical, BadListed, NotLinked, LeftOutBy,
}

// Name returns the kind as a heading has it.
func (k Kind) Name() string { return strings.ReplaceAll(string(k), "-", " ") }

// Fault is one thing to mend.
type Fault struct {
	Kind  Kind     `json:"kind"`
	URL   string   `json:"url"` // of a group, the first of its pages
	Title string   `json:"title,omitempty"`
	Text  string   `json:"text"`            // what is wrong, in words
	Pages []string `json:"pages,omitempty"` // that hold the link, or belong to the group: MaxPages at most
	More  int      `json:"more,omitempty"`  // pages beyond
	New   bool     `json:"new"`             // the last run was the first to see it

	weight int // how many pages have it: what most have comes first
}

// MaxPages is how many pages a fault names.
const MaxPages = 20

// Count says how many faults of a kind there are.
type Count struct {
	Kind   Kind `json:"kind"`
	Faults int  `json:"faults"`
	New    int  `json:"new"`
}

// Site is all of it. Pages are in the order of URLs; faults are kind by kind, of each
// what is new first, then what most pages have, or in the order of URLs.
type Site struct {
	Run    string  `json:"run"` // the last one
	Start  int64   `json:"start"`
	Unread int     `json:"unread"` // documents that were not read since facts are kept
	Counts []Count `json:"counts"` // of kinds that have a fault
	Faults []Fault `json:"faults"`
	Pages  []Page  `json:"-"`
}

// Name returns the host of the first page.
func (s *Site) Name() string {
	for i := range s.Pages {
		if s.Pages[i].look != LeftOut { // that may be of another host
			return weburl.Host(s.Pages[i].URL)
		}
	}
	return ""
}
