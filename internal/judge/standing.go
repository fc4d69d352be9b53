package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"sitesync/internal/document"
)

// For how many nights a page must have shown something else than itself to be missing, or
// for its delete to be due.
const (
	refusedNights = 3  // refused, and nothing leads to it; or the law forbids it
	errorNights   = 10 // refused by 5xx, and nothing leads to it
	longNights    = 30 // anything else
	ledOutNights  = 3  // led out
)

const halfDay = 12 * 60 * 60 // seconds between the starts of two runs that are two nights

// stand counts tonight among the nights on which a page shows something else than itself,
// and reports whether that changed its record.
func (j *judgement) stand(next *document.Record, kind document.Refusal) (changed bool) {
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

// leadsAsBefore reports whether the last redirect of the page that was noted led where
// tonight's does.
func (j *judgement) leadsAsBefore() bool {
	for _, look := range slices.Backward(j.Record.Looks) {
		if look.Seen == document.Moved {
			return look.Why == j.Sighting.Target
		}
	}
	return false
}

// overstays makes the delete of a document due whose page has shown something else for too
// long, and reports whether it is. A page that is refused for so long is missing, not by a 404
// of its own; nothing else is said of any other, so that its delete waits for an approval.
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
	var kept *document.Record // it is asked for on, and is no news
	if j.Room {
		kept = j.vanishedRecord()
		kept.Since, kept.Standing = j.Record.Since, *s
	}
	j.remove(cause, kept)
	return true
}

// stood says what the page shows in place of itself, and since when.
func (j *judgement) stood() string {
	s, why := j.Sighting, j.Sighting.Why
	if why == "" {
		why = fmt.Sprintf("%s to %s", redirectBy(s.Status), cmp.Or(s.Target, "no usable address"))
	}
	nights := document.Count(j.standing.All, "night")
	first := time.Unix(j.standing.First, 0).UTC().Format(time.DateOnly)
	return fmt.Sprintf("%s, %s; not itself for %s, since %s", why, j.tonight(), nights, first)
}
