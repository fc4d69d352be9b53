package report

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// Run holds the facts of a report about one run (a crawl and what it sent) or plan (what a run would send).
type Run struct {
	Summary  document.Summary
	Site     string // names of the hosts, from SiteName
	Dry      bool   // the report is about a plan: nothing was sent
	Duration time.Duration
	Exit     int
	Notes    []string                 // sentences that follow the summary sentence
	Changes  iter.Seq2[Change, error] // all changes, including those that a brake (a limit) holds
	Failures iter.Seq2[document.Failure, error]
	Moves    iter.Seq2[document.Move, error]
	Warnings iter.Seq2[document.Warning, error]
}

func (r *Run) held(most int) ([]*Held, error) {
	h := Holding{Brakes: r.Summary.Brakes, Most: most}
	for c, err := range r.Changes {
		if err != nil {
			return nil, err
		}
		if c.State == document.Held {
			h.Add(&c.Entry, false)
		}
	}
	return h.Groups(), nil
}

// withoutHeldMoves drops the moves that a brake holds, because reports list them as held changes.
func (r *Run) withoutHeldMoves() (*Run, error) {
	if r.Summary.Counts.Held == 0 {
		return r, nil
	}
	held, rest := map[uint64]bool{}, *r
	for c, err := range r.Changes {
		if err != nil {
			return nil, err
		}
		if c.State == document.Held && c.Cause == document.CauseMoved {
			held[document.HashOf(c.ID).Short()] = true
		}
	}
	rest.Moves = only(r.Moves, func(m document.Move) bool { return !held[document.HashOf(m.From).Short()] })
	return &rest, nil
}

func pairs(r *Run) (n int) {
	for _, err := range r.Moves {
		n++
		if err != nil {
			break
		}
	}
	return n
}

// SiteName joins the hosts of origins. Of three or more hosts, it names the first and counts the others.
func SiteName(origins []string) string {
	var hosts []string
	for _, origin := range origins {
		if host := weburl.Host(origin); !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	if len(hosts) > 2 {
		hosts = []string{hosts[0], document.Count(len(hosts)-1, "more host")}
	}
	return strings.Join(hosts, " and ")
}

// Sentence describes a run in one sentence: site, date and outcome.
func Sentence(r *Run) string {
	if why := Unreached(&r.Summary); why != "" {
		return "C" + why[1:] + ". Nothing was read, nothing changed."
	}
	lead := cmp.Or(r.Site, "the site") + ", " + time.Unix(r.Summary.Start, 0).Format("2 January") + ": "
	if r.Dry {
		lead = "Plan: " + lead
	}
	return lead + Outcome(&r.Summary)
}

// Outcome returns the counts of a run in words. If the run ended early, it adds the reason.
func Outcome(s *document.Summary) string {
	if s.Unsent {
		return "ended before anything was sent: " + s.Stopped
	}
	if why := Unreached(s); why != "" {
		return why + "; nothing was read, nothing changed"
	}
	line := Counted(s)
	if !s.Complete {
		line += "; not every page was looked at"
	}
	if s.Stopped != "" {
		line += "; stopped: " + s.Stopped
	}
	return line
}

// Counted returns the counts of a run in words, such as "2 new, 1 deleted; 40 unchanged".
func Counted(s *document.Summary) string {
	c, k := &s.Counts, &s.Kinds
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{k.New, "new"}, {k.Changed, "changed"}, {k.Deleted, "deleted"}, {k.Moved, "moved"}, {c.Queue, "queued"},
		{c.Held, "held"}, {c.Refused, "refused"}, {c.Failed, "not read"}, {c.Unseen, "not seen"},
	} {
		if part.n > 0 {
			parts = append(parts, document.Number(part.n)+" "+part.what)
		}
	}
	line := strings.Join(parts, ", ")
	switch {
	case s.Empty:
		line = strings.TrimPrefix(line+"; no document was found, so the index stays empty", "; ")
	case line != "":
	case s.New > 0 || s.Stopped != "":
		line = "nothing acknowledged"
	case !s.Complete, slices.ContainsFunc(s.Hosts, Troubled):
		line = "no changes"
	case c.Unchanged+c.Unseen == 0 && s.Looked > 0 && !s.Part:
		line = "found no document"
	default:
		line = "nothing to do"
	}
	if c.Unchanged > 0 {
		line += "; " + document.Number(c.Unchanged) + " unchanged"
	}
	if c.LeftOut > 0 {
		line += "; left out: " + document.Number(c.LeftOut)
	}
	return line
}

// Troubled reports whether a host's state is not ok, or the host has an alarm.
func Troubled(h document.Host) bool { return h.State != document.HostOK || len(h.Alarms) > 0 }

// Unreached returns the reason why a run read no page of the site, or "" if the run read a page.
func Unreached(s *document.Summary) string {
	c := &s.Counts
	seen := c.Held + c.Queue + c.Refused + c.Unchanged + c.NotModified + c.SkippedByHint
	if s.Unsent || s.Stopped != "" || s.Kinds != (document.Kinds{}) || seen > 0 {
		return ""
	}
	var all []string
	for _, h := range s.Hosts {
		name := weburl.Host(h.Host)
		why, unreached := strings.CutPrefix(h.Reason, document.RobotsUnread)
		switch {
		case unreached || h.State == document.HostUnreachable:
			all = append(all, "could not reach "+name+": "+why)
		case h.State == document.HostRobotsOutage, h.State == document.HostGuarded:
			all = append(all, "could not read "+name+": "+why)
		case h.Asked > 0 && h.Unread == h.Asked:
			all = append(all, fmt.Sprintf("could not read %s: %s failed", name, document.Count(h.Unread, "page")))
		case h.Asked > 0 || h.State != document.HostOK:
			return ""
		}
	}
	if len(all) == 0 && len(s.Hosts) > 0 && s.Complete && (s.Looked > 0 || !s.Part) && c.Fetched == 0 {
		return "could not read " + weburl.Host(s.Hosts[0].Host) +
			": robots.txt or [site] in the configuration forbids every page"
	}
	return strings.Join(all, "; ")
}
