package robots

import (
	"bytes"
	"fmt"
	"time"

	"sitesync/internal/document"
)

// File is what a host sent as its robots.txt.
type File struct {
	Body   []byte
	Fault  string // why there is no robots.txt in it, such as "answered 404"; empty: look at Body
	Outage string // why it could not be had; empty: it could
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

const (
	lostRuns = 2                   // for which what stopped being a robots.txt is an outage
	serves   = 30 * 24 * time.Hour // how long the last good copy serves in an outage (RFC 9309, section 2.3.1.4)
)

// Believe returns what agent obeys of a host's robots.txt at now, given the last good copy of
// it: the rules, nil where nothing of the host may be asked; the copy that is to be kept; and
// why it is an outage, empty when there is none.
func Believe(
	today File, was document.RobotsCopy, agent string, now time.Time,
) (rules *Rules, next document.RobotsCopy, outage string) {
	fault, good := today.fault(), Parse(was.File, agent)
	switch {
	case today.Outage != "" && (was.Read == 0 || now.Sub(time.Unix(was.Read, 0)) > serves):
		return nil, was, today.Outage
	case today.Outage != "":
		at := time.Unix(was.Read, 0).UTC().Format(time.RFC3339)
		return good, was, today.Outage + "; the copy of " + at + " serves"
	case fault == "":
		return Parse(today.Body, agent), document.RobotsCopy{File: today.Body, Read: now.Unix()}, ""
	case was.Lost < lostRuns && len(good.Disallows()) > 0:
		was.Lost++
		return good, was, fmt.Sprintf("robots.txt %s (run %d), and the last good one, which closed pages, still serves; "+
			"restore it, or it is believed after %d runs", fault, was.Lost, lostRuns)
	}
	return Parse(today.Body, agent), document.RobotsCopy{}, ""
}
