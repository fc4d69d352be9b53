package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sitesync/internal/document"
)

func (j *judgement) evidence(cause document.Cause) string {
	line := j.proof(cause)
	if seen := j.Sighting.Seen; (seen == document.Gone || seen == document.Missing) && j.Target.State == TargetLive {
		line += "; its very content stands at " + j.Target.URL + " now"
	}
	if j.Sighting.InSitemap {
		line += "; still in the sitemap"
	}
	return strings.Join(strings.Fields(line), " ") // text from a page or a header may hold line breaks
}

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
		by := s.Why
		if j.Target.URL != s.Canonical {
			by = fmt.Sprintf("%s to %s, %s", s.Why, s.Canonical, j.Target.Chain)
		}
		return fmt.Sprintf("at least half of its text stands at %s (%s, %s)", j.Target.URL, by, j.tonight())
	case cause == document.CauseExpired:
		return fmt.Sprintf("dated %s: %s", j.Date(), j.Expired)
	case cause == document.CauseOrphan:
		const text = "read %s, as every page of the host: no page links to it, and no sitemap lists it"
		return fmt.Sprintf(text, j.tonight())
	case cause == document.CauseOutOfScope:
		return s.Why
	default:
		return fmt.Sprintf("%s, %s", s.Why, j.tonight())
	}
}

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
		case seen == document.Missing && look.Status != 404:
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

func (j *judgement) redirects() string {
	s, how := j.Sighting, ""
	mayNot := j.Target.State == TargetForeign || j.Target.State == TargetHidden
	switch {
	case s.Status == 0:
		how = fmt.Sprintf("%s, %s,", s.Why, j.tonight())
	case mayNot:
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

func redirectBy(status int) string {
	if status == 200 {
		return "client redirect"
	}
	return fmt.Sprint(status)
}

func (j *judgement) tonight() string {
	if j.policy.Run == "" {
		return "now"
	}
	return "in run " + j.policy.Run
}

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
