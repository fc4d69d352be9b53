package judge

import (
	"fmt"

	"sitesync/internal/document"
)

// vanished judges a page that no longer exists. A 410 needs no second look.
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

// broken keeps a record of a missing address while something leads to it, and warns of the page that links to
// it. The record makes a page that appears there later read in the next run.
func (j *judgement) broken() {
	s, rec := j.Sighting, j.Record
	switch {
	// no page or sitemap of the site leads there, so there is nobody to warn
	case rec == nil && s.First.From == "" && !s.InSitemap:
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
	case rec != nil && (rec.Led == 0 || rec.Since != ""), rec == nil && j.Room:
		j.verdict.Next = j.vanishedRecord()
	case rec != nil && j.Led && j.policy.Generation >= rec.Led+ledStep:
		j.verdict.Next = j.copyRecord()
		j.verdict.Next.Led = j.policy.Generation
	case rec != nil && j.policy.Generation > rec.Led+ledRuns:
		j.verdict.Drop = true
	}
}

const (
	ledRuns = 30 // a missing address is forgotten after so many runs in which nothing leads to it
	ledStep = 5  // every so many runs, the record notes that something still leads to the address
)

func (j *judgement) vanishedRecord() *document.Record {
	next := j.plain()
	next.Led = max(1, j.policy.Generation)
	return next
}

func (j *judgement) missing() {
	need, cause := 1, document.CauseMissing
	// the page looks like the host's page for addresses that do not exist
	if j.Sighting.Interstitial == document.Soft404 {
		cause = document.CauseSoft404
	}
	if j.Sighting.InSitemap || j.Sighting.Status != 404 {
		need = 2
	}
	if j.missed(need) {
		j.leave(cause)
	}
}

// missed counts a miss, and reports whether enough runs missed the page: need, and delete.confirm.
func (j *judgement) missed(need int) (enough bool) {
	next := j.looked()
	next.Misses++
	enough = next.Misses >= max(need, j.policy.Confirm)
	if !enough {
		j.verdict.Next, j.verdict.Waiting = next, true
	}
	return enough
}

// missingAs counts a miss of a page whose redirect, or whose address in today's form, leads to nothing. A
// delete takes two runs, because the page itself did not answer 404.
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

// leave deletes the document of a vanished page, or moves it to the page that now has its content.
func (j *judgement) leave(cause document.Cause) {
	var kept *document.Record // of a document whose page no longer exists
	if j.Room {
		kept = j.vanishedRecord()
	}
	if j.Target.State == TargetLive {
		j.moveTo(document.MovedByContent, kept)
		return
	}
	j.remove(cause, kept)
}
