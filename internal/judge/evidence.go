package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// evidence returns the proof of a delete in one line: what was seen in which runs with
// which statuses, the directive, rule or target that decides, and whether a sitemap lists the
// page all the same. It depends on nothing but facts and policy.
func (j *judgement) evidence(cause document.Cause) string {
	line := j.proof(cause)
	if seen := j.Sighting.Seen; (seen == document.Gone || seen == document.Missing) && j.Target.State == TargetLive {
		line += "; its very content stands at " + j.Target.URL + " now"
	}
	if j.Sighting.InSitemap {
		line += "; still in the sitemap"
	}
	return strings.Join(strings.Fields(line), " ") // what a page or a header says may hold line breaks
}

// proof says what decides.
func (j *judgement) proof(cause document.Cause) string {
	switch s := j.Sighting; {
	case cause == document.CauseRefused, cause == document.CauseUnread:
		return j.stood()
	case s.Seen == document.Missing:
		return j.answers(document.Missing, 1+j.Record.Misses)
	case s.Seen == document.Moved:
		return j.redirects()
	case s.Seen == document.Gone:
		return fmt.Sprintf("%d %s", s.Status, j.tonight())
	case cause == document.CauseDuplicate:
		by := s.Why // the canonical, or which kind of variant the page is
		if j.Target.URL != s.Canonical {
			by = fmt.Sprintf("%s to %s, %s", s.Why, s.Canonical, j.Target.Chain)
		}
		return fmt.Sprintf("at least half of its text stands at %s (%s, %s)", j.Target.URL, by, j.tonight())
	case cause == document.CauseExpired:
		return fmt.Sprintf("dated %s: %s", j.Date(), j.Expired)
	case cause == document.CauseOrphan:
		return fmt.Sprintf("read %s, as every page of the host: no page links to it, and no sitemap lists it", j.tonight())
	case cause == document.CauseOutOfScope: // the configuration says so whatever a run sees
		return s.Why
	default: // the directive, or the line of robots.txt
		return fmt.Sprintf("%s, %s", s.Why, j.tonight())
	}
}

// answers names the last n looks that saw the page so, those of each answer together.
func (j *judgement) answers(seen document.Seen, n int) string {
	rec := j.copyRecord()
	j.look(rec)
	looks := slices.DeleteFunc(rec.Looks, func(l document.Look) bool { return l.Seen != seen })
	looks = looks[max(0, len(looks)-n):]
	var answers []string
	in := map[string][]string{}
	for _, look := range looks {
		answer := redirectBy(look.Status)
		switch {
		case look.Why == document.WhySoft404:
			answer = "the host's not-found page"
		case seen == document.Missing && look.Status != http.StatusNotFound: // a redirect, or today's form of the address
			answer = look.Why
		}
		if in[answer] == nil {
			answers = append(answers, answer)
		}
		in[answer] = append(in[answer], look.Run)
	}
	for i, answer := range answers {
		answers[i] = answer + " " + runs(in[answer])
	}
	return strings.Join(answers, ", ")
}

// redirects names every step with its status, and what is wrong with the last one.
func (j *judgement) redirects() string {
	s, how := j.Sighting, ""
	mayNot := j.Target.State == TargetForeign || j.Target.State == TargetHidden // be in the index
	switch {
	case s.Status == 0:
		how = fmt.Sprintf("%s, %s,", s.Why, j.tonight())
	case mayNot: // that takes several runs
		how = j.answers(document.Moved, moveAwayRuns)
	case j.verdict.Move == nil:
		how = j.answers(document.Moved, redirectedRuns)
	default:
		how = redirectBy(s.Status) + " " + j.tonight()
	}
	how += " to " + cmp.Or(s.Target, "no usable address")
	if j.Target.Chain != "" {
		how += ", " + j.Target.Chain
	}
	if mayNot {
		how += ", which is " + string(j.Target.State)
	}
	return how
}

// redirectBy names what redirects: the status, or the page itself where that is 200.
func redirectBy(status int) string {
	if status == http.StatusOK {
		return "client redirect"
	}
	return fmt.Sprint(status)
}

// tonight names the run, or this moment where there is none.
func (j *judgement) tonight() string {
	if j.policy.Run == "" {
		return "now"
	}
	return "in run " + j.policy.Run
}

// runs names the runs of looks, the latest last; one without a name is of this moment.
func runs(ids []string) string {
	last := len(ids) - 1
	switch {
	case ids[last] != "":
		return "in runs " + strings.Join(ids, ", ")
	case last == 0:
		return "now"
	}
	return runs(ids[:last]) + " and now"
}
