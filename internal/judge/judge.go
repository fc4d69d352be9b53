package judge

import (
	"cmp"
	"fmt"
	"slices"

	"sitesync/internal/document"
)

const moveAwayRuns = 3

// Judge decides about the document of a URL, and about its record in the ledger (what the index holds).
func Judge(f Facts, p Policy) Verdict {
	if f.Sighting == nil {
		return Verdict{}
	}
	j := &judgement{Facts: f, policy: p}
	switch j.Sighting.Seen {
	case document.Read, document.Kept:
		j.alive()
	case document.Gone, document.Missing:
		j.vanished()
	case document.Moved:
		j.moved()
	case document.Elsewhere:
		j.elsewhere()
	case document.NoIndex:
		j.noindex()
	case document.OutOfScope:
		j.excluded(document.CauseOutOfScope)
	case document.Disallowed:
		j.excluded(document.CauseRobots)
	default:
		j.unread()
	}
	j.verdict.Refused = j.Sighting.Stood && j.Record.IsDocument() && j.verdict.Move == nil
	c, rec := j.verdict.Change, j.Record
	if c == nil && rec != nil && j.verdict.Next == nil && !j.verdict.Drop && rec.Listed != j.Sighting.InSitemap {
		j.verdict.Next = j.copyRecord()
	}
	if c == nil {
		return j.verdict
	}
	j.verdict.Seen = j.seen()
	if rec == nil {
		return j.verdict
	}
	c.Again = rec.Push == document.PushDoubt || rec.Push == document.PushRefused
	// a delete is never parked (given up after refusals), because a stale document would stay in the index
	if rec.Parked() && c.Op != document.Delete && !p.RetryParked {
		c.State = document.Refused
		c.Evidence = fmt.Sprintf("parked after %d refusals: %s", rec.Strikes, rec.Reason)
	}
	return j.verdict
}

type judgement struct {
	Facts
	policy   Policy
	verdict  Verdict
	standing document.Standing
}

func (j *judgement) unread() {
	s, next := j.Sighting, j.copyRecord()
	fresh, ended := next.Since == "", next.Ended != s.Ended
	next.Ended = s.Ended
	if fresh {
		next.Since = j.policy.Run
		j.look(next)
	}
	counted := j.countNight(next, s.Refusal)
	switch {
	case s.Refusal != document.RefusedNot && j.Target.State == TargetLive && j.Record.IsDocument():
		j.moveTo(document.MovedByContent, nil)
		return
	case j.overstays():
		return
	case next.Led != 0 && j.policy.Generation > next.Led+ledRuns && !j.Led:
		j.verdict.Drop = true
		return
	case next.Led != 0 && j.policy.Generation >= next.Led+ledStep && j.Led:
		next.Led, counted = j.policy.Generation, true
	}
	if fresh || counted || ended || next.Listed != j.Record.Listed {
		j.verdict.Next = next
	}
	if next.Led == 0 || j.Led { // a missing page is a failure only if a link or sitemap leads to it
		j.verdict.Failure = &document.Failure{
			URL: j.URL, Status: s.Status, Error: s.Why, Since: next.Since, From: j.from(),
		}
	}
}

func (j *judgement) moveTo(by string, next *document.Record) {
	j.verdict.Move = &document.Move{From: j.URL, To: j.Target.URL, By: by}
	j.remove(document.CauseMoved, next)
	j.verdict.Change.Needs = j.Target.URL
}

func (j *judgement) moved() {
	switch t := j.Target; {
	// the page keeps its document until the target is read, or until overstays deletes it
	case t.State == TargetUnread && j.Record.IsDocument():
		j.answered()
		next := cmp.Or(j.verdict.Next, j.copyRecord())
		counted := j.countNight(next, document.RefusedNot)
		if j.overstays() {
			j.verdict.Next = nil
			return
		}
		j.verdict.Unseen = true
		if counted {
			j.verdict.Next = next
		}
	case t.State == TargetUnread:
		j.wait()
	case t.State == TargetForeign, t.Temporary, t.State == TargetHidden && j.Record.IsDocument():
		j.elsewhere()
	case t.State == TargetDead && t.Hops == 1 && j.Sighting.Status == 0:
		j.missingAs("today written "+t.URL+", which is not there", 0)
	case t.State == TargetDead:
		j.missingAs(fmt.Sprintf("redirects to %s, which is not there", t.URL), j.Sighting.Status)
	case t.State != TargetLive && t.State != TargetHidden:
		j.keepMistake(fmt.Sprintf("redirects to %s, which is %s", t.URL, t.State))
	case !j.Record.IsDocument():
		j.keepIfNew(j.plain())
	case t.State == TargetLive && (t.Alike || t.Sole && (t.Titled || j.Sighting.Status == 0)):
		by := document.MovedByRedirect
		if j.Sighting.Status == 0 {
			by = document.MovedByRules
		}
		j.moveTo(by, j.plain())
	case j.missed(redirectedRuns):
		j.remove(document.CauseRedirected, j.plain())
		j.verdict.Change.Needs = j.Target.URL
	}
}

// redirectedRuns is the number of runs after which a document is deleted because its page redirects to other
// content. One run is not enough, because the page itself did not answer 404.
const redirectedRuns = 2

func (j *judgement) elsewhere() {
	next := j.copyRecord()
	next.Since = ""
	runs := 1
	for _, look := range slices.Backward(next.Looks) {
		if look.Seen != document.Unread && look.Seen != j.Sighting.Seen {
			break
		}
		if look.Seen != document.Unread {
			runs++
		}
	}
	counted, kind := false, j.Sighting.Refusal
	if j.ledOut() {
		kind = document.LedOut
	}
	if j.Record.IsDocument() {
		counted = j.countNight(next, kind)
	}
	switch {
	case kind == document.LedOut && j.standing.Nights >= ledOutNights,
		runs >= moveAwayRuns && j.forGood() && j.Target.State == TargetForeign &&
			j.policy.MovedAway && j.Record.IsDocument():
		j.remove(document.CauseRedirected, j.plain())
		return
	case j.overstays():
		return
	}
	if j.Record.IsDocument() {
		j.verdict.Unseen, j.verdict.Newly = true, runs == 1
	}
	if runs <= moveAwayRuns {
		j.look(next)
	}
	if runs <= moveAwayRuns || counted {
		j.verdict.Next = next
	}
	if runs < moveAwayRuns || !j.Record.IsDocument() {
		return
	}
	const text = "has redirected to %s for %d runs or more; its text stays in the index"
	j.verdict.warn("elsewhere", j.URL, fmt.Sprintf(text, j.Sighting.Target, moveAwayRuns))
}

func (j *judgement) forGood() bool { return j.Sighting.Seen == document.Moved && !j.Target.Temporary }

func (j *judgement) ledOut() bool {
	hidden := j.Target.State == TargetHidden || j.Target.State == TargetForeign && j.Target.Ours
	return hidden && j.forGood() && j.Sighting.Status != 0 && j.Record.IsDocument()
}

func (j *judgement) noindex() {
	hub := j.plain()
	hub.Hints = j.Sighting.Hints
	const why = "the page lost its content and asks not to be indexed, as a notice in its place would"
	switch {
	case !j.Record.IsDocument():
		j.keepIfNew(hub)
	case j.Sighting.Collapsed && j.Record.Push == document.PushOK && j.suspect(document.Illness{How: "noindex"}, why):
	default:
		j.remove(document.CauseNoIndex, hub)
	}
}

// excluded judges an excluded URL. If its page is still requested for its links, the URL keeps a record.
func (j *judgement) excluded(cause document.Cause) {
	var hub *document.Record
	if j.Sighting.Status != 0 {
		hub = j.plain()
		hub.Hints = j.Sighting.Hints
	}
	switch {
	case j.Record.IsDocument() && !j.policy.OutOfScope:
		j.answered()
	case j.Record.IsDocument():
		j.remove(cause, hub)
	case hub != nil:
		j.keepIfNew(hub)
	default:
		j.verdict.Drop = j.Record != nil
	}
}

func (j *judgement) remove(cause document.Cause, next *document.Record) {
	j.verdict.Change = &document.Change{
		Op: document.Delete, ID: j.URL, Type: j.Record.Type, Cause: cause, Evidence: j.evidence(cause),
		Next: next, State: document.Planned, Doubt: j.Record.Push != document.PushOK,
	}
}
