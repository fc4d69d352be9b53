package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"sitesync/internal/document"
)

// A page counts as missing after this many nights without its content. A night is a run that starts at least
// half a day after the previous night. The delete may come some nights later: see overstays.
const (
	refusedNights = 3  // refused, and no link or sitemap leads to the page; or the status is 451
	errorNights   = 10 // the server answers 5xx, and no link or sitemap leads to the page
	longNights    = 30 // every other case
	ledOutNights  = 3  // the page redirects permanently to a page that may not be indexed: see ledOut
)

const halfDay = 12 * 60 * 60 // seconds

func (j *judgement) countNight(next *document.Record, kind document.Refusal) (changed bool) {
	s, p := &next.Standing, &j.policy
	was := *s
	if s.All > 0 && (s.Kind != kind || kind == document.LedOut && !j.leadsAsBefore()) {
		s.Kind, s.Nights = kind, 0
	}
	if !p.ClockOff && (s.All == 0 || p.Start >= s.Last+halfDay) {
		if s.All == 0 {
			s.Kind, s.First = kind, p.Start
		}
		s.Nights, s.All, s.Last = s.Nights+1, s.All+1, p.Start
	}
	j.standing = *s
	return *s != was
}

func (j *judgement) leadsAsBefore() bool {
	for _, look := range slices.Backward(j.Record.Looks) {
		if look.Seen == document.Moved {
			return look.Why == j.Sighting.Target
		}
	}
	return false
}

// overstays makes the delete of a document due if its page has not shown its content for too many nights. It
// reports whether it did so. A page that the server refused all that time counts as missing. Any other page
// may still exist, so its delete (document.CauseUnread) waits for an approval by the site's owner.
func (j *judgement) overstays() bool {
	s := &j.standing
	if !j.Record.IsDocument() {
		return false
	}
	refused := longNights
	switch {
	case s.Kind == document.RefusedLegal:
		refused = refusedNights
	case !j.Alone:
	case s.Kind == document.RefusedServer:
		refused = errorNights
	default:
		refused = refusedNights
	}
	need := max(2, j.policy.Confirm)
	cause := document.CauseUnread
	switch {
	case j.Sighting.Refusal != document.RefusedNot && s.Nights >= refused+need:
		cause = document.CauseRefused
	case s.All < longNights, j.Sighting.Refusal != document.RefusedNot && s.All < longNights+need:
		return false
	}
	var kept *document.Record // with this record, later runs request the URL and do not report it as new
	if j.Room {
		kept = j.vanishedRecord()
		kept.Since, kept.Standing = j.Record.Since, *s
	}
	j.remove(cause, kept)
	return true
}

func (j *judgement) stood() string {
	s, why := j.Sighting, j.Sighting.Why
	if why == "" {
		why = fmt.Sprintf("%s to %s", redirectBy(s.Status), cmp.Or(s.Target, "no usable address"))
	}
	nights := document.Count(j.standing.All, "night")
	first := time.Unix(j.standing.First, 0).UTC().Format(time.DateOnly)
	return fmt.Sprintf("%s, %s; not itself for %s, since %s", why, j.tonight(), nights, first)
}
