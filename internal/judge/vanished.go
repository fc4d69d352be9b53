package judge

import (
	"fmt"
	"net/http"

	"sitesync/internal/document"
)

// vanished judges a page that is not there: 410 needs no further look.
func (j *judgement) vanished() {
	switch {
	case !j.Record.IsDocument():
		j.broken()
	case j.Sighting.Seen == document.Gone:
		j.leave(document.CauseGone)
	default:
		j.missing()
	}
}

// broken remembers an address that is not there while something leads to it: a page that
// comes back, or is published after the link to it, is read that very night. It warns of
// the page that leads there.
func (j *judgement) broken() {
	s, rec := j.Sighting, j.Record
	switch {
	case rec == nil && s.First.From == "" && !s.InSitemap: // nobody is to be told
	case rec == nil || j.Led:
		by := "a page links to it"
		if from := j.from(); from != "" && !j.Unled {
			by = "first found on " + from
		} else if s.InSitemap {
			by = "a sitemap lists it"
		}
		j.verdict.warn(document.WarnBroken, j.URL, fmt.Sprintf("is not there (%d); %s", s.Status, by))
	}
	switch {
	case rec != nil && rec.Led == 0, rec == nil && j.Room:
		j.verdict.Next = j.vanishedRecord()
	case rec != nil && j.Led && j.policy.Generation >= rec.Led+ledStep:
		j.verdict.Next = j.copyRecord()
		j.verdict.Next.Led = j.policy.Generation
	case rec != nil && j.policy.Generation > rec.Led+ledRuns:
		j.verdict.Drop = true
	}
}

const (
	ledRuns = 30 // runs in which nothing leads to an address that is not there, until it is forgotten
	ledStep = 5  // runs after which it is noted anew that something does
)

// vanishedRecord returns the record of an address that is not there.
func (j *judgement) vanishedRecord() *document.Record {
	next := j.plain()
	next.Led = max(1, j.policy.Generation)
	return next
}

// missing counts a miss and deletes when there are enough of them.
func (j *judgement) missing() {
	need, cause := 1, document.CauseMissing
	if j.Sighting.Interstitial == document.Soft404 { // it looks like what the host shows for pages that are not there
		cause = document.CauseSoft404
	}
	if j.Sighting.InSitemap || j.Sighting.Status != http.StatusNotFound {
		need = 2
	}
	if j.missed(need) {
		j.leave(cause)
	}
}

// missed counts a miss, and reports whether the page was missed in enough runs: so many at least, and
// as many as delete.confirm says.
func (j *judgement) missed(need int) (enough bool) {
	next := j.looked()
	next.Misses++
	enough = next.Misses >= max(need, j.policy.Confirm)
	if !enough {
		j.verdict.Next, j.verdict.Waiting = next, true
	}
	return enough
}

// missingAs counts a miss of a page whose redirect, or whose address as it is written
// today, leads to nothing. That takes two runs: it is no 404 of its own.
func (j *judgement) missingAs(why string, status int) {
	if !j.Record.IsDocument() {
		j.keepMistake(why)
		return
	}
	seen := *j.Sighting
	seen.Seen, seen.Status, seen.Why = document.Missing, status, why
	j.Sighting, j.Target = &seen, Target{}
	j.missing()
}

// leave deletes the document of a page that is gone. Where its very content stands elsewhere
// now, the page has moved.
func (j *judgement) leave(cause document.Cause) {
	var kept *document.Record // of a document whose page is not there any more
	if j.Room {
		kept = j.vanishedRecord()
	}
	if j.Target.State == TargetLive {
		j.moveTo(document.MovedByContent, kept)
		return
	}
	j.remove(cause, kept)
}
