package judge

import "sitesync/internal/document"

// Limits configures the brakes, which hold suspicious changes (tables `[delete]` and `[fetch]`).
type Limits struct {
	Max         int     // up to this many deletes pass, even if they exceed MaxShare
	MaxShare    float64 // greatest share of all documents that a run may delete, 0 to 1
	MaxAbsolute int     // greatest number of deletes in a run
	MaxFailed   float64 // greatest share of a host's pages that may be unread, 0 to 1
	ClockOff    bool    // the run starts before the previous run, or over 60 days after it
}

// Totals are counts that the brakes compare with limits.
type Totals struct {
	Documents int // documents that the service acknowledged before this run
	Deletes   int // due deletes that count (see Due.Counts) and that no brake except BrakeTotal holds
	Changed   int // pages with a due update, or with a permanent redirect
	Room      int // new documents that may be added in this run; 0: no limit
	Fresh     int // new documents that the brakes have let through so far
}

// Due is a change that the run wants to send, with the facts that the brakes need about it.
type Due struct {
	*document.Change
	Host    document.Host // the URL's host; Host.Covered (every URL was looked at) is false if Pattern is set
	Pattern string        // pattern of seemingly endless URLs that matches the URL; empty if none does
	Start   bool
	Last    bool    // the document is the only one of its host
	Returns bool    // the page shows again a content that the index held before
	Grew    bool    // the limit on new documents held the change in the previous run too
	NoPage  bool    // the page looks like the host's page for missing URLs
	Folds   int     // number of documents that now redirect to the same page or name it as canonical
	Turning Turning // the text that this page and others now show, or the URL that they lead to
	Places  []Place // broken hosts, folders and content types that contain the document, the widest first
	Rule    string  // the retention rule (maximum age) by which the document expires
	NewRule bool    // Rule has not removed any document yet
}

func (d *Due) place() *Place {
	for i := range d.Places {
		if d.Places[i].holds(d.Change) {
			return &d.Places[i]
		}
	}
	return nil
}

const maxClockStep = 60 * 24 * 60 * 60

// ClockOff reports whether a run starts before the previous run, or over 60 days after it. Deletes by age
// are then held. start and last (the previous start) are Unix seconds; last is 0 for a first run.
func ClockOff(start, last int64) bool {
	return last != 0 && (start < last || start > last+maxClockStep)
}

const massFolds = 5

// Counts reports whether the brakes count the change as a delete. A document that only gets another ID does
// not count, unless five or more documents get the same ID.
func (d *Due) Counts() bool {
	goesOn := d.Cause == document.CauseMoved || d.Cause == document.CauseDuplicate
	return d.Op == document.Delete && (!goesOn || d.Folds >= massFolds)
}

// Brakes says which brake holds a due change; the zero Hold means none. If several of d.Places hold it, the
// Hold names the widest: a person then reads of one host and not of all its folders.
//
// A delete is held by the first brake that applies. First comes an unreadable host, then doubtful evidence
// (such as a wrong clock), then the number of deletes. No brake holds the delete of a moved document, unless
// it counts as a delete (see [Due.Counts]).
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
	// on a HostIll host (with many changed or missing pages), d.Places decide which deletes are held
	readOnly := d.Host.State != document.HostOK && d.Host.State != document.HostIll
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
	h := Hold{Brake: document.BrakeMassUpdate, Place: "text:" + t.First, Why: OneText, Turning: t}
	h.N, h.Of = t.Pages, all.Changed
	if t.To.Page != "" {
		h.Place, h.Why = "to:"+t.To.Page, OnePage
	}
	return h
}

// over returns the limit that the deletes exceed, or 0. Deletes of more than a quarter of all documents are
// always held, whatever the configuration says, except a single delete.
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
