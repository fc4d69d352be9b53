package judge

import (
	"fmt"

	"sitesync/internal/document"
)

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

// broken keeps a record of a missing page while a link or sitemap leads to its URL. It also warns of that
// link. With the record, later runs request the URL, and find a page that appears there.
func (j *judgement) broken() {
	s, rec := j.Sighting, j.Record
	switch {
	// no page or sitemap of the site leads to the URL, so there is nothing to mend
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
	ledRuns = 30 // number of runs without a link to a missing page, after which its record is removed
	ledStep = 5  // number of runs between two updates of Led, the run in which a link last led to the page
)

func (j *judgement) vanishedRecord() *document.Record {
	next := j.plain()
	next.Led = max(1, j.policy.Generation)
	return next
}

func (j *judgement) missing() {
	need, cause := 1, document.CauseMissing
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

// missed counts this run as one that found the page missing. It reports whether there were enough such runs:
// at least need, and at least the setting delete.confirm.
func (j *judgement) missed(need int) (enough bool) {
	next := j.looked()
	next.Misses++
	enough = next.Misses >= max(need, j.policy.Confirm)
	if !enough {
		j.verdict.Next, j.verdict.Waiting = next, true
	}
	return enough
}

// missingAs judges a page as missing. The page redirects to a missing page, or a new configuration maps its
// URL to one. The page itself did not answer 404, so its delete takes two runs.
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

func (j *judgement) leave(cause document.Cause) {
	var kept *document.Record
	if j.Room {
		kept = j.vanishedRecord()
	}
	if j.Target.State == TargetLive {
		j.moveTo(document.MovedByContent, kept)
		return
	}
	j.remove(cause, kept)
}
