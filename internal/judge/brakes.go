package judge

import (
	"fmt"
	"iter"
	"strings"

	"sitesync/internal/document"
)

// Limits are the brakes' settings, `[delete]` and `[fetch]` of the configuration.
type Limits struct {
	Max         int     // deletes that always pass
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
	Known   bool          // the ledger knows of a text that the index has, or had; a first push that broke off left none
	Copies  int           // pages of its host that were read in this run with its text, as far as the host is not ok
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

// ClockOff reports whether a run's start is not to be believed, beside the last
// run's; both in Unix seconds, last 0 when there was none.
func ClockOff(start, last int64) bool {
	return last != 0 && (start < last || start > last+maxClockStep)
}

// massFolds is how many documents that fold into one page in a night count as deletes.
const massFolds = 5

// Counts reports whether a change counts as a delete in the brakes. A document that gets
// another ID is no loss, unless five or more get the same. Nor does one count that
// robots.txt closes and that was first sent in one of the last five runs: where robots.txt
// was lost, its return needs no person.
func (d *Due) Counts(l Limits) bool {
	switch {
	case d.Op != document.Delete, d.Recloses(l):
		return false
	case d.Cause == document.CauseMoved, d.Cause == document.CauseDuplicate:
		return d.Folds >= massFolds
	}
	return true
}

// recentRuns is how many runs a document is young that robots.txt closes.
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

// ManyPages is how many pages of one content are many: on a host that is not ok
// that content goes into no document.
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
	case found:
		return document.BrakeGroup, emptied
	case tripped(t, l):
		return document.BrakeTotal, Group{}
	}
	return document.BrakeNone, Group{}
}

func tripped(t Totals, l Limits) bool {
	return t.deletes() > l.Max && (t.share() > l.MaxShare || t.deletes() > l.MaxAbsolute)
}

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

func (t Totals) share() float64 { return float64(t.deletes()) / float64(t.Documents) }

// Trip says why a brake holds a change, and what releases it: the same of all changes
// that it holds for one reason. g is what Brakes returned; keys are those of the
// configuration that may be the cause, the likeliest first.
func Trip(d *Due, brake document.Brake, g Group, t Totals, l Limits) (trip document.Tripped, keys []string) {
	trip.Brake = brake
	host := d.Host.Host + "/"
	switch brake {
	case document.BrakeHost:
		trip.Group, trip.Why = host, "the host is not ok; what is still due goes out once it is"
		if d.Op == document.Delete && d.Host.State == document.HostSitemapCollapse {
			trip.Why = "the sitemaps collapsed; if these pages are gone on purpose, release them, else what is still due goes out once the sitemaps are whole"
		}
	case document.BrakeClock:
		trip.Why = "the clock stands before the last run's or more than 60 days past it, so what seems expired may not be"
	case document.BrakeRetention:
		trip.Group, trip.Why, keys = d.Rule, "the retention rule "+d.Rule+" has had no effect before", []string{d.Rule}
	case document.BrakeOrigin:
		trip.Group, trip.Why, keys = host, "a start address on a host that this ledger does not know yet", []string{"site.start"}
		if d.Op == document.Delete {
			trip.Why = "they are on no host of the site any more, and the documents of a new start address wait for an approval"
		}
	case document.BrakeIncomplete:
		trip.Group, trip.Why, keys = d.incomplete(host, l)
	case document.BrakeMassUpdate:
		trip.Group, trip.Why = d.Turning.To, d.Turning.why(t.Changed)
	case document.BrakeHealth:
		trip.Group, trip.Why = g.Name, g.Name+": "+g.Sickness
	case document.BrakeGrowth:
		trip.Why = fmt.Sprintf("more than %s in one night, and the index has %d", document.Count(t.Room, "new document"), t.Documents)
	case document.BrakeGroup:
		trip.Group, trip.Why = g.Name, fmt.Sprintf("%d of %d documents of %s would go: more than half", g.Deletes, g.Documents, g.Name)
	case document.BrakeTotal:
		trip.Why, keys = t.why(l)
	}
	trip.Release = d.release(&trip)
	if d.Cause == document.CauseOutOfScope {
		keys = ScopeKeys(d.Evidence)
	}
	return trip, keys
}

func (d *Due) incomplete(host string, l Limits) (group, why string, keys []string) {
	switch {
	case d.Pattern != "":
		return d.Pattern, "addresses of this form lead on without end, so not all of them were asked for", nil
	case !d.Host.Covered:
		return host, "not every page of " + host + " was looked at, so what seems missing may be there", nil
	}
	why = fmt.Sprintf("%d of %d pages of %s were not read: more than fetch.max_failed_share, %s", d.Host.Unread, d.Host.Asked, host, percent(l.MaxFailed))
	return host, why, []string{"fetch.max_failed_share"}
}

func (t Totals) why(l Limits) (why string, keys []string) {
	limit := fmt.Sprintf("delete.max_absolute, %d", l.MaxAbsolute)
	keys = []string{"delete.max_absolute", "delete.max"}
	if t.share() > l.MaxShare {
		limit = "delete.max_share, " + percent(l.MaxShare)
		keys = []string{"delete.max_share", "delete.max"}
	}
	return fmt.Sprintf("%s of %s: more than delete.max, %d, and %s", document.Count(t.deletes(), "delete"), document.Count(t.Documents, "document"), l.Max, limit), keys
}

func (t Turning) why(changed int) string {
	what := "turn to one text, first that of " + t.First
	if page, redirects := strings.CutPrefix(t.To, toPage); redirects {
		what = "redirect to " + page + " or name it as canonical"
	}
	if 5*t.Pages < changed {
		return fmt.Sprintf("%d of %d changed pages %s: %d or more", t.Pages, changed, what, massAnyway)
	}
	return fmt.Sprintf("%d of %d changed pages %s: a fifth or more", t.Pages, changed, what)
}

// release returns the command that releases what a brake holds; empty: none does.
func (d *Due) release(trip *document.Tripped) string {
	switch {
	case trip.Brake == document.BrakeHost && (d.Op != document.Delete || d.Host.State != document.HostSitemapCollapse):
		return ""
	case d.Cause == document.CauseOutOfScope && trip.Brake != document.BrakeOrigin && trip.Brake != document.BrakeHost:
		return "sitesync sync --accept-scope"
	case trip.Brake == document.BrakeGrowth:
		return "sitesync approve --cause " + string(document.CauseNew)
	case trip.Group == "", trip.Brake == document.BrakeIncomplete && d.Pattern == "":
		return "sitesync approve --cause " + string(d.Cause)
	}
	return "sitesync approve --group " + quote(trip.Group)
}

// quote returns an argument as a shell takes it (POSIX.1-2024, section 2.2).
func quote(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+,=", r)
	}
	if arg != "" && strings.TrimFunc(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// ScopeKeys returns the keys of the configuration that the evidence of a page out of
// scope names, and site.start, which names the hosts.
func ScopeKeys(evidence string) (keys []string) {
	for _, key := range [...]string{"site.include", "site.exclude", "site.follow_only", "site.file_hosts"} {
		if strings.Contains(evidence, key) {
			keys = append(keys, key)
		}
	}
	return append(keys, "site.start")
}

func percent(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }
