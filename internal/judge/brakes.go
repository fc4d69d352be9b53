package judge

import "sitesync/internal/document"

// Limits are the brakes' settings, `[delete]` and `[fetch]` of the configuration.
type Limits struct {
	Max         int     // deletes that pass whatever their share
	MaxShare    float64 // of the documents
	MaxAbsolute int
	MaxFailed   float64 // share of a host's pages that may be unread
	ClockOff    bool    // the clock stands before the last run's, or 60 days past it
}

// Totals are what the brakes measure, over acknowledged documents only.
type Totals struct {
	Documents int
	Deletes   int // due, that count and that nothing narrower holds
	Changed   int // pages that are to be updated, or that redirect for good
	Room      int // new documents that may be added tonight; 0: any number
	Fresh     int // new documents that were let through so far
}

// Due is a due change with what the brakes must know beside it.
type Due struct {
	*document.Change
	Host    document.Host // not covered where Pattern is not empty
	Pattern string        // that the crawl stopped following, and the URL matches
	Start   bool          // of a start page
	Last    bool          // of the only document of its host
	Returns bool          // its page shows again what the index held before
	Grew    bool          // growth held it in the last run, and nobody released it
	NoPage  bool          // its page looks like what the host shows for pages that are not there
	Folds   int           // known documents that redirect or fold into the same page tonight
	Turning Turning       // what it turns to, with other pages
	Places  []Place       // that it is of and that are ill, the widest first
	Rule    string        // of retention, that it expires by
	NewRule bool          // that had no effect yet
}

// place returns the first of the places that hold the change; nil where none does.
func (d *Due) place() *Place {
	for i := range d.Places {
		if d.Places[i].holds(d.Change) {
			return &d.Places[i]
		}
	}
	return nil
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
// another ID is no loss, unless five or more get the same ID.
func (d *Due) Counts() bool {
	goesOn := d.Cause == document.CauseMoved || d.Cause == document.CauseDuplicate
	return d.Op == document.Delete && (!goesOn || d.Folds >= massFolds)
}

// Brakes returns what holds a due change back; the zero value if nothing does. Of the places it is
// the widest, so that a person reads of one place and not of all its folders.
//
// First comes the brake that nothing releases (host), then those that doubt the evidence (clock, first
// effect of a rule, pages that were not looked at), then those that count: one place that is ill, one
// text or one address for many pages, the total. A move passes them all.
func Brakes(d *Due, t Totals, l Limits) Hold {
	h := d.updating(t)
	if d.Op == document.Delete {
		h = d.deleting(t, l)
	}
	h.Limits = l
	return d.completed(h)
}

func (d *Due) updating(t Totals) Hold {
	ill := d.place()
	switch {
	case d.Returns:
		return Hold{}
	case ill != nil:
		return ill.hold()
	case d.NoPage && len(d.Places) > 0:
		return d.Places[0].hold()
	case d.Turning.Mass(t.Changed):
		return d.Turning.hold(t)
	case d.Cause == document.CauseNew && t.Room > 0 && (d.Grew || t.Fresh >= t.Room):
		return Hold{Brake: document.BrakeGrowth, Why: FastGrowth, N: t.Room, Of: t.Documents}
	}
	return Hold{}
}

func (d *Due) deleting(t Totals, l Limits) Hold {
	host := d.Host.Host + "/"
	readOnly := d.Host.State != document.HostOK && d.Host.State != document.HostIll // what an ill host holds, its Place says
	missed := !d.Host.Covered || float64(d.Host.Unread)/float64(d.Host.Asked) > l.MaxFailed
	switch ill := d.place(); {
	case d.Cause == document.CauseMoved && !d.Counts():
		return Hold{}
	case readOnly && d.Cause != document.CauseGone:
		if d.Host.State == document.HostSitemapCollapse {
			return Hold{Brake: document.BrakeHost, Place: host, Why: SitemapsCollapsed}
		}
		return Hold{Brake: document.BrakeHost, Place: host, Why: HostNotOK}
	case d.Cause == document.CauseExpired && l.ClockOff:
		return Hold{Brake: document.BrakeClock, Why: ClockOdd}
	case d.Cause == document.CauseExpired && d.NewRule:
		return Hold{Brake: document.BrakeRetention, Place: d.Rule, Why: NewRule}
	case d.Cause == document.CauseUnread, d.Cause == document.CauseRefused && d.Host.Refused > 0,
		missed && d.Cause != document.CauseGone && d.Cause != document.CauseNoIndex:
		return d.incomplete(host)
	case ill != nil:
		return ill.hold()
	case d.Turning.Mass(t.Changed):
		return d.Turning.hold(t)
	case !d.Counts():
		return Hold{}
	case d.Start && d.Cause != document.CauseGone:
		return Hold{Brake: document.BrakeGroup, Place: "start", Why: StartPage}
	case d.Last && d.Cause != document.CauseGone:
		return Hold{Brake: document.BrakeGroup, Place: host, Why: LastDocument}
	case t.over(l) != 0:
		return Hold{Brake: document.BrakeTotal, Why: t.over(l), N: t.Deletes, Of: t.Documents}
	}
	return Hold{}
}

func (d *Due) incomplete(host string) Hold {
	h := Hold{Brake: document.BrakeIncomplete, Place: host}
	switch {
	case d.Cause == document.CauseUnread:
		h.Why = NotSeen
	case d.Cause == document.CauseRefused && d.Host.Refused > 0:
		h.Why, h.N = RefusedMany, d.Host.Refused
	case d.Pattern != "":
		h.Why, h.Place = Endless, d.Pattern
	case !d.Host.Covered:
		h.Why = NotCovered
	default:
		h.Why, h.N, h.Of = UnreadMany, d.Host.Unread, d.Host.Asked
	}
	return h
}

func (p *Place) hold() Hold {
	return Hold{Brake: document.BrakeGroup, Place: p.Name, Why: IllPlace, Ill: *p}
}

func (t Turning) hold(all Totals) Hold {
	h := Hold{Brake: document.BrakeMassUpdate, Place: "text:" + t.First, Why: OneText, N: t.Pages, Of: all.Changed, Turning: t}
	if t.To.Page != "" {
		h.Place, h.Why = "to:"+t.To.Page, OnePage
	}
	return h
}

// over returns which limit the deletes exceed that count; 0: none. No limit of the owner lets
// more than a quarter of all documents pass by itself, unless that is one alone.
func (t Totals) over(l Limits) Reason {
	share := float64(t.Deletes) / float64(t.Documents)
	switch {
	case t.Deletes > l.MaxAbsolute:
		return OverAbsolute
	case t.Deletes > max(1, t.Documents/4):
		return OverQuarter
	case t.Deletes > l.Max && share > l.MaxShare:
		return OverShare
	}
	return 0
}
