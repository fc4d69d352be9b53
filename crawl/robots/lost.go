package robots

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"sitesync/internal/document"
)

// File is what a host sent as its robots.txt.
type File struct {
	Body  []byte
	Fault string // why there is no robots.txt in it, such as "answered 404"; empty: look at Body
}

// fault returns why a file is not a robots.txt, in words; empty when it is. A file that
// allows everything counts as a robots.txt.
func (f File) fault() string {
	text := bytes.TrimSpace(unmarked(f.Body))
	switch {
	case f.Fault != "":
		return f.Fault
	case len(text) == 0:
		return "is empty"
	case text[0] == '<':
		return "is an HTML page"
	case Parse(f.Body, "").lines == 0:
		return "holds no line of a robots.txt"
	}
	return ""
}

// Over returns what there is to say of a file that is longer than what is read of it;
// empty when it is not.
func (f File) Over() string {
	if len(f.Body) <= MaxBytes {
		return ""
	}
	return fmt.Sprintf("robots.txt has %s, and only the first %s are read (RFC 9309, section 2.5): rules behind that are not obeyed; shorten it",
		document.FormatBytes(int64(len(f.Body))), document.FormatBytes(MaxBytes))
}

// lostRuns is for how many runs new documents wait where a robots.txt was lost.
const lostRuns = 2

// Lost is a robots.txt that stopped being one. For two runs its last good copy keeps
// closed what is not in the index yet. A nil Lost closes nothing and says nothing.
type Lost struct {
	why     string
	runs    int    // in a row, this one included
	rules   *Rules // of the last good copy
	waiting atomic.Int64
}

// Compare returns what is to be remembered of a host's robots.txt, given what was: the
// last copy that closed something to agent. lost is nil unless there was such a copy and
// today's file is not a robots.txt.
func Compare(today File, agent string, was document.RobotsCopy) (now document.RobotsCopy, lost *Lost) {
	why := today.fault()
	switch {
	case why == "" && len(Parse(today.Body, agent).Disallows()) > 0:
		return document.RobotsCopy{File: whole(today.Body)}, nil
	case why == "" || len(was.File) == 0:
		return now, nil
	}
	lost = &Lost{why: why, runs: was.Lost + 1, rules: Parse(was.File, agent)}
	if !lost.holds() {
		return now, lost
	}
	return document.RobotsCopy{File: was.File, Lost: lost.runs}, lost
}

func (l *Lost) holds() bool { return l != nil && l.runs <= lostRuns }

// Closes reports whether a page that is new at target, a path with its query, has to
// wait, and says why. Each call counts.
func (l *Lost) Closes(target string) (why string, closed bool) {
	if !l.holds() {
		return "", false
	}
	ok, line := l.rules.Allowed(target)
	if ok {
		return "", false
	}
	l.waiting.Add(1)
	return fmt.Sprintf("robots.txt %s; the last good one closed this: %s", l.why, line), true
}

// Rules returns the rules that hold on for new documents; nil: none do.
func (l *Lost) Rules() *Rules {
	if !l.holds() {
		return nil
	}
	return l.rules
}

// Warning says what happened, for how long, and what to do; empty: nothing did.
func (l *Lost) Warning() string {
	switch {
	case l == nil:
		return ""
	case !l.holds():
		return fmt.Sprintf("robots.txt %s for %d runs: what the last good one closed is open now", l.why, l.runs)
	}
	return fmt.Sprintf("robots.txt %s (run %d); the last good one closed pages. New pages there wait for %d runs, %s now. Restore robots.txt, or leave it and they are indexed after that",
		l.why, l.runs, lostRuns, document.Count(int(l.waiting.Load()), "page"))
}

// Alarms says why a run does not count as done.
func (l *Lost) Alarms() []string {
	if !l.holds() {
		return nil
	}
	return []string{"robots.txt " + l.why + ", and pages may be open that it closed"}
}
