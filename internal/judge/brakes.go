package judge

import "sitesync/internal/document"

// Limits are the brakes' settings, `[delete]` and `[fetch]` of the configuration.
type Limits struct {
	Max         int     // deletes that always pass
	MaxShare    float64 // of the documents
	MaxAbsolute int
	MaxFailed   float64 // share of a host's pages that may be unread
	ClockOff    bool    // the clock stands before the last run's, or 60 days past it
}

// Totals are what the brakes measure, over acknowledged documents only.
type Totals struct {
	Documents int
	Deletes   int // due, without those that do not count
}

// maxClockStep is how far the clock may have moved on since the last run for
// retention to act, in seconds.
const maxClockStep = 60 * 24 * 60 * 60

// ClockOff reports whether a run's start is not to be believed, beside the last
// run's; both in Unix seconds, last 0 when there was none.
func ClockOff(start, last int64) bool {
	return last != 0 && (start < last || start > last+maxClockStep)
}

// Counts reports whether a change counts as a delete in the brakes: a document
// that goes on under another ID is no loss.
func Counts(c *document.Change) bool {
	return c.Op == document.Delete && c.Cause != document.CauseMoved && c.Cause != document.CauseDuplicate
}

// HostReadOnly reports whether nothing may be deleted on a host.
func HostReadOnly(h document.Host) bool { return h.State != document.HostOK }

// HostIncomplete reports whether a host was not covered: limits, an interruption,
// or too many unread pages.
func HostIncomplete(h document.Host, l Limits) bool {
	return !h.Covered || float64(h.Unread)/float64(h.Asked) > l.MaxFailed
}

// ManyPages is how many pages of one content are many: on a host that is not ok
// that content goes into no document.
const ManyPages = 5

// Brakes returns what holds a due change back, BrakeNone when nothing does. copies
// is how many pages of its host were read in this run with its very content, as far
// as the host is not ok.
func Brakes(c *document.Change, h document.Host, copies int, t Totals, l Limits) document.Brake {
	switch {
	case c.Op != document.Delete && HostReadOnly(h) && copies >= ManyPages:
		return document.BrakeHost
	case c.Op != document.Delete:
		return document.BrakeNone
	case HostReadOnly(h):
		return document.BrakeHost
	case c.Cause == document.CauseExpired && l.ClockOff:
		return document.BrakeClock
	case HostIncomplete(h, l) && c.Cause != document.CauseGone && c.Cause != document.CauseNoIndex:
		return document.BrakeIncomplete
	case !Counts(c):
		return document.BrakeNone
	case tripped(t, l):
		return document.BrakeTotal
	}
	return document.BrakeNone
}

func tripped(t Totals, l Limits) bool {
	return t.Deletes > l.Max && (float64(t.Deletes)/float64(t.Documents) > l.MaxShare || t.Deletes > l.MaxAbsolute)
}
