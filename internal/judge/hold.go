package judge

import "sitesync/internal/document"

// Hold says why a brake holds a change. Package report makes words of it. The zero value holds nothing.
type Hold struct {
	Brake document.Brake
	// a host, folder, type, rule, URL pattern, or the shared text or address; empty: the whole index
	Place   string
	Why     Reason
	N, Of   int            // the part and the whole; Why says whether of documents, pages or changes
	Limits  Limits         // the limits that Why may quote
	Ill     Place          // set if Why is IllPlace
	Turning Turning        // set if Why is OneText or OnePage
	Cause   document.Cause // copied from the change
	Release Release
}

// Reason is the fact or the limit that holds a change.
type Reason int

// The reasons. N and Of of a Hold count what the comment of its reason names.
const (
	HostNotOK Reason = iota + 1
	SitemapsCollapsed
	ClockOdd
	NewRule     // the retention rule has not removed anything yet
	NewOrigin   // the change adds documents of a start origin that is not approved
	LostOrigin  // the change deletes documents that the site had at another origin
	NotSeen     // the page was not seen for a month
	RefusedMany // N documents of the host are refused
	Endless     // the URL matches the Place's pattern of endless URLs
	NotCovered  // not every URL of the host was looked at
	UnreadMany  // N of the host's pages are unread
	OneText     // N changed pages show one text
	OnePage
	FastGrowth
	IllPlace
	StartPage
	LastDocument // the only document of its host
	OverAbsolute // N deletes exceed the limit
	OverQuarter
	OverShare
)

// Release says what the owner releases together with a change.
type Release int

const (
	ReleaseNone Release = iota
	ReleaseCause
	ReleasePlace
	ReleaseScope // all that the change of scope in the configuration deletes
)

// HoldOrigin returns the hold of a change that waits until the owner approves a start origin, place.
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
