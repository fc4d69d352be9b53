package judge

import "sitesync/internal/document"

// Hold is why a brake holds a due change, as facts: package report makes words and commands of
// them. The zero value holds nothing.
type Hold struct {
	Brake   document.Brake
	Place   string // a host, a folder, a type, a rule, a pattern of addresses, or what pages turn to; empty: the whole
	Why     Reason
	N, Of   int            // documents, pages or changes, as Why counts them
	Limits  Limits         // that Why may name
	Ill     Place          // of IllPlace
	Turning Turning        // of OneText and OnePage
	Cause   document.Cause // of the change
	Release Release
}

// Reason says which fact or limit it is that holds a change.
type Reason int

// The reasons.
const (
	HostNotOK Reason = iota + 1
	SitemapsCollapsed
	ClockOdd
	NewRule     // of retention
	NewOrigin   // what is new there
	LostOrigin  // what the site had elsewhere
	NotSeen     // for a month
	RefusedMany // documents of the host
	Endless     // addresses of the Place's pattern
	NotCovered  // the host
	UnreadMany  // pages of the host
	OneText     // of changed pages
	OnePage
	FastGrowth
	IllPlace
	StartPage
	LastDocument // of its host
	OverAbsolute // deletes
	OverQuarter
	OverShare
)

// Release says what the owner releases with a change.
type Release int

// The values of Release.
const (
	ReleaseNone Release = iota
	ReleaseCause
	ReleasePlace
	ReleaseScope // of the configuration
)

// HoldOrigin returns what holds a change that waits until the owner releases a start origin, place.
func HoldOrigin(d *Due, place string) Hold {
	h := Hold{Brake: document.BrakeOrigin, Place: place, Why: NewOrigin}
	if d.Op == document.Delete {
		h.Why = LostOrigin
	}
	return d.completed(h)
}

// completed returns a hold with what depends on the change.
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
