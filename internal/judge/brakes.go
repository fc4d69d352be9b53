package judge

import (
	"iter"

	"sitesync/internal/document"
)

// Limits are the brakes' settings, `[delete]` and `[fetch]` of the configuration.
type Limits struct {
	Max         int     // deletes that pass whatever their share; see tripped
	MaxShare    float64 // of the documents
	MaxAbsolute int
	MaxFailed   float64 // share of a host's pages that may be unread
	ClockOff    bool    // the clock stands before the last run's, or 60 days past it
	RobotsSince int64   // start of the first of the last five runs, Unix seconds: see Counts; 0: there is none
}

// Totals are what the brakes measure, over acknowledged documents only.
type Totals struct {
	Documents int
	Deletes   int // due, that count and that nothing narrower holds
	Reclosed  int // due, of documents that robots.txt closes a few runs after they were first sent
	Changed   int // pages that are to be updated, or that redirect for good
	Room      int // new documents that may be added tonight; 0: any number
	Fresh     int // new documents that were let through so far
}

// Due is a due change with what the brakes must know beside it.
type Due struct {
	*document.Change
	Host    document.Host // not covered where Pattern is not empty
	Pattern string        // that the crawl stopped following, and the URL matches
	Born    int64         // Record.Born of the document
	Start   bool          // of a start page
	Known   bool          // the ledger knows of a text that the index has, or had, unlike after a first push that broke off
	Copies  int           // pages of its host that this run read with the same text; counted where the host is not ok
	Returns bool          // its page shows again what the index held before
	Grew    bool          // growth held it in the last run, and nobody released it
	Stray   bool          // a redirect alone leads to its page
	NoPage  bool          // its page looks like what the host shows for pages that are not there
	Folds   int           // known documents that redirect or fold into the same page tonight
	Turning Turning       // what it turns to, with other pages
	Groups  []Group       // that it is of, the widest first; those that hold nothing may be left out
	Rule    string        // of retention, that it expires by
	NewRule bool          // that had no effect yet
}

// maxClockStep is how far the clock may have moved on since the last run for
// retention to act, in seconds.
const maxClockStep = 60 * 24 * 60 * 60

// ClockOff reports whether a run starts before the last one, or more than 60 days after it:
// then its clock is not believed. Both are in Unix seconds; last is 0 for a first run.
func ClockOff(start, last int64) bool {
	return last != 0 && (start < last || start > last+maxClockStep)
}

// massFolds is how many documents that fold into one page in a night count as deletes.
const massFolds = 5

// Counts reports whether a change counts as a delete in the brakes. A document that gets
// another ID is no loss, unless five or more get the same ID. Nor does a document count that
// robots.txt closes, if it was first sent in one of the last five runs: a robots.txt that was
// lost for a while may come back without anybody's approval.
func (d *Due) Counts(l Limits) bool {
	switch {
	case d.Op != document.Delete, d.Recloses(l):
		return false
	case d.Cause == document.CauseMoved, d.Cause == document.CauseDuplicate:
		return d.Folds >= massFolds
	}
	return true
}

// recentRuns is for how many runs a document counts as young when robots.txt closes it.
const recentRuns = 5

// RobotsSince returns Limits.RobotsSince, given the finished runs, the latest first. What
// the first run sent is never young.
func RobotsSince(runs iter.Seq2[document.Summary, error]) (since int64, err error) {
	n := 0
	for run, err := range runs {
		if err != nil {
			return 0, err
		}
		if run.Part {
			continue
		}
		if n == recentRuns {
			return since, nil
		}
		n, since = n+1, run.Start
	}
	if n == 0 {
		return 0, nil
	}
	return since + 1, nil
}

// Recloses reports whether a change is a delete by robots.txt of a document that was
// first sent in one of the last five runs.
func (d *Due) Recloses(l Limits) bool {
	return d.Op == document.Delete && d.Cause == document.CauseRobots && l.RobotsSince != 0 && d.Born >= l.RobotsSince
}

// HostReadOnly reports whether nothing may be deleted on a host.
func HostReadOnly(h document.Host) bool { return h.State != document.HostOK }

// HostIncomplete reports whether a host was not covered: limits, an interruption,
// or too many unread pages.
func HostIncomplete(h document.Host, l Limits) bool {
	return !h.Covered || float64(h.Unread)/float64(h.Asked) > l.MaxFailed
}

// ManyPages is from how many pages on a content counts as shared: on a host that is not ok,
// no document is updated to it.
const ManyPages = 5

// Brakes returns what holds a due change back, BrakeNone when nothing does, and the
// group that a brake by groups goes by: the widest, so that a person reads of one
// place and not of all its folders.
//
// What nothing releases comes first (host), then what makes the evidence itself
// doubtful (clock, a rule's first effect, pages that were not looked at), then the
// numbers, those that say most before those that say least: one body or one address
// for many pages, one place that empties, the whole.
func Brakes(d *Due, t Totals, l Limits) (document.Brake, Group) {
	if d.Op == document.Delete {
		return d.deleting(t, l)
	}
	return d.updating(t)
}

func (d *Due) updating(t Totals) (document.Brake, Group) {
	sick, found := d.first(Group.Sick)
	switch {
	case d.Returns:
		return document.BrakeNone, Group{}
	case HostReadOnly(d.Host) && (d.Copies >= ManyPages || d.NoPage || d.Stray && !d.Known):
		return document.BrakeHost, Group{}
	case found:
		return document.BrakeHealth, sick
	case d.Turning.Mass(t.Changed):
		return document.BrakeMassUpdate, Group{}
	case d.Cause == document.CauseNew && t.Room > 0 && (d.Grew || t.Fresh >= t.Room):
		return document.BrakeGrowth, Group{}
	}
	return document.BrakeNone, Group{}
}

func (d *Due) deleting(t Totals, l Limits) (document.Brake, Group) {
	switch emptied, found := d.first(Group.Emptied); {
	case HostReadOnly(d.Host):
		return document.BrakeHost, Group{}
	case d.Cause == document.CauseExpired && l.ClockOff:
		return document.BrakeClock, Group{}
	case d.Cause == document.CauseExpired && d.NewRule:
		return document.BrakeRetention, Group{}
	case HostIncomplete(d.Host, l) && d.Cause != document.CauseGone && d.Cause != document.CauseNoIndex:
		return document.BrakeIncomplete, Group{}
	case d.Turning.Mass(t.Changed):
		return document.BrakeMassUpdate, Group{}
	case !d.Counts(l) && !(d.Cause == document.CauseRobots && t.emptied()):
		return document.BrakeNone, Group{}
	case found && !(emptied.Documents == 1 && d.Cause == document.CauseGone): // the last of its host
		return document.BrakeGroup, emptied
	case d.Start && d.Cause != document.CauseGone:
		return document.BrakeGroup, Group{Name: startPages}
	case tripped(t, l):
		return document.BrakeTotal, Group{}
	}
	return document.BrakeNone, Group{}
}

// startPages is what a brake names that holds start pages.
const startPages = "start"

// tripped reports whether more deletes count than may go by themselves.
func tripped(t Totals, l Limits) bool {
	share := float64(t.deletes()) / float64(t.Documents)
	return t.deletes() > l.Max && share > l.MaxShare || t.quarter() || t.deletes() > l.MaxAbsolute
}

// quarter reports whether more than a quarter of all documents would go, and not one alone:
// no limit of the owner lets so much of a site pass by itself.
func (t Totals) quarter() bool { return t.deletes() > max(1, t.Documents/4) }

// emptied reports whether robots.txt closes more than half of all documents, each sent
// in one of the last runs: a redesign may have given all of them new addresses, and
// then no slip of robots.txt may take them.
func (t Totals) emptied() bool { return 2*t.Reclosed > t.Documents }

// deletes returns how many deletes count.
func (t Totals) deletes() int {
	if t.emptied() {
		return t.Deletes + t.Reclosed
	}
	return t.Deletes
}
