package judge

import "sitesync/internal/document"

// Hold says why a brake (a limit on suspicious changes) holds a change. Package report puts it into words.
// The zero value means that no brake holds the change.
type Hold struct {
	Brake document.Brake
	// Place is a host, folder, content type, age rule, URL pattern, shared text or address; empty: the index.
	Place   string
	Why     Reason
	N, Of   int // a part and the whole, counted in documents, pages or changes
	Limits  Limits
	Ill     Place   // set if Why is IllPlace
	Turning Turning // set if Why is OneText or OnePage
	Cause   document.Cause
	Release Release
}

// Reason is the fact or the limit that holds a change.
type Reason int

// The reasons. N in a comment is Hold.N.
const (
	HostNotOK Reason = iota + 1
	SitemapsCollapsed
	ClockOdd
	NewRule     // the retention (age) rule has not removed anything yet
	NewOrigin   // the change adds documents of a start URL's origin that is not approved
	LostOrigin  // the change deletes documents that the site had at another origin
	NotSeen     // the page was not seen for a month
	RefusedMany // the server refuses N of the host's pages
	Endless     // the URL matches Hold.Place, a pattern that seems to have endlessly many URLs
	NotCovered  // the crawl did not look at every URL of the host
	UnreadMany  // N of the host's pages could not be read
	OneText     // N changed pages show one text
	OnePage     // N changed pages redirect to one page, or name it as canonical
	FastGrowth
	IllPlace // more than half of the documents of a host, folder or type are missing or changed
	StartPage
	LastDocument
	OverAbsolute
	OverQuarter
	OverShare
)

// Release says which other changes the site's owner releases together with a change.
type Release int

const (
	ReleaseNone Release = iota
	ReleaseCause
	ReleasePlace
	ReleaseScope // all deletes of URLs that the configuration excludes
)

// HoldOrigin returns the Hold of a change that waits for an approval of place, a start URL's origin.
func HoldOrigin(d *Due, place string) Hold {
	h := Hold{Brake: document.BrakeOrigin, Place: place, Why: NewOrigin}
	if d.Op == document.Delete {
		h.Why = LostOrigin
	}
	return d.completed(h)
}

func (d *Due) completed(h Hold) Hold {
	h.Cause = d.Cause
	switch {
	case h.Why == HostNotOK:
	case d.Cause == document.CauseOutOfScope && h.Brake != document.BrakeOrigin && h.Brake != document.BrakeHost:
		h.Release = ReleaseScope
	case h.Place == "", h.Brake == document.BrakeIncomplete && h.Why != Endless:
		h.Release = ReleaseCause
	default:
		h.Release = ReleasePlace
	}
	return h
}
