package site

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Status is the state of a URL, in one word.
type Status string

// The values of Status.
const (
	Indexed    Status = "indexed"    // the index holds its document
	Held       Status = "held"       // a brake holds its change
	InDoubt    Status = "in-doubt"   // it is unknown whether the service took its change
	Refused    Status = "refused"    // the service refused its document; the next run tries again
	Parked     Status = "parked"     // the service refused its document three times
	Folded     Status = "folded"     // another address has its document
	Expired    Status = "expired"    // a retention rule covers it
	Redirect   Status = "redirect"   // it redirects to another address
	NoIndex    Status = "noindex"    // it asks not to be indexed
	Missing    Status = "missing"    // 404, or what the host shows for pages that are not there
	Gone       Status = "gone"       // 410
	Failed     Status = "failed"     // it could not be read
	Excluded   Status = "excluded"   // the configuration excludes it
	Disallowed Status = "disallowed" // robots.txt disallows it
	LeftOut    Status = "left-out"   // it is linked or listed, but makes no document
	Other      Status = "other"      // any other URL without a document
)

// Statuses are all values of Status, in the order of messages.
var Statuses = [...]Status{
	Indexed, Held, InDoubt, Refused, Parked, Folded, Expired, Redirect, NoIndex,
	Missing, Gone, Failed, Excluded, Disallowed, LeftOut, Other,
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
	From    string        `json:"referrer,omitempty"` // the first page that links to it, or else where it was found first
	Target  string        `json:"target,omitempty"`   // of its redirect

	Canonical string `json:"canonical,omitempty"` // another address that it names as its canonical one
	Listed    bool   `json:"in_sitemap"`
	Length    int    `json:"length,omitempty"`  // bytes of its text
	Read      int64  `json:"read,omitempty"`    // start of the last run that read it; this and the next two in Unix seconds
	Changed   int64  `json:"changed,omitempty"` // start of the run that found its present text first
	Since     int64  `json:"since,omitempty"`   // start of the run that found its present state first

	look        Status // what the last look found, even if a change of it is held, refused or in doubt
	read        bool   // the last look read it
	description string
	noText      string
	text        uint64
	start       bool
	fresh       freshness
}

// Left returns why a URL makes no document. It is "" for a document, for a URL that is folded or
// redirects, and for a page that is not there.
func (p *Page) Left() string {
	if p.Indexed || !slices.Contains([]Status{LeftOut, Excluded, Disallowed, NoIndex, Failed, Expired}, p.look) {
		return ""
	}
	return cmp.Or(p.Why, p.state())
}

// freshness says which facts of a page the last run was the first to see.
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

// kinds are all values of Kind, in the order of reports.
var kinds = [...]Kind{
	BrokenLink, FailedPage, RedirectChain, RedirectLink, NoTitle, SameTitle, NoDescription, SameDescription,
	SameText, NoText, BadCanonical, BadListed, NotLinked, LeftOutBy,
}

// Name returns the kind as a heading.
func (k Kind) Name() string { return strings.ReplaceAll(string(k), "-", " ") }

// Fault is one thing to mend.
type Fault struct {
	Kind  Kind     `json:"kind"`
	URL   string   `json:"url"` // if several pages share the fault, the first of them
	Title string   `json:"title,omitempty"`
	Text  string   `json:"text"`            // what is wrong, in words
	Pages []string `json:"pages,omitempty"` // those that link to URL, or share the fault; MaxPages at most
	More  int      `json:"more,omitempty"`  // how many other pages there are
	New   bool     `json:"new"`             // the last run was the first to see it

	weight int // how many pages there are in all; faults of many pages come first
}

// MaxPages is how many pages a fault names.
const MaxPages = 20

// Count is the number of faults of a kind.
type Count struct {
	Kind   Kind `json:"kind"`
	Faults int  `json:"faults"`
	New    int  `json:"new"`
}

// Site is a site as the last run left it. Pages are in the order of URLs. Faults are in the order of
// kinds; within a kind new ones come first, then those of most pages.
type Site struct {
	Run    string  `json:"run"`    // the last run
	Start  int64   `json:"start"`  // its start, in Unix seconds
	Unread int     `json:"unread"` // documents whose pages no run has read yet for these facts
	Counts []Count `json:"counts"` // of the kinds that have a fault
	Faults []Fault `json:"faults"`
	Pages  []Page  `json:"-"`
}

// Name returns the host of the first page.
func (s *Site) Name() string {
	for i := range s.Pages {
		if s.Pages[i].look != LeftOut { // such a URL may be of another host
			return weburl.Host(s.Pages[i].URL)
		}
	}
	return ""
}
