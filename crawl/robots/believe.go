package robots

import (
	"bytes"
	"fmt"
	"time"

	"sitesync/internal/document"
)

// File is a host's response to a request for its robots.txt.
type File struct {
	Body   []byte
	Fault  string // why the response is no robots.txt, such as "answered 404"; empty: examine Body
	Outage string // why the file could not be fetched; empty: it was fetched
}

// fault returns, in words, why a file is not a robots.txt; "" if it is one. A file without any rules is
// still a robots.txt if one of its lines has a known key.
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
	lostRuns = 2                   // number of runs for which an invalid robots.txt counts as an outage
	serves   = 30 * 24 * time.Hour // how long the last good copy is used in an outage (RFC 9309, section 2.3.1.4)
)

// Believe returns the rules that agent obeys on a host at now. today is the current response, was the last
// good copy. rules is nil if nothing on the host may be requested. next is the copy to keep. outage says
// why this is an outage; it is empty otherwise.
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
