package robots

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// MaxBytes is how many bytes of a robots.txt are read. RFC 9309, section 2.5, requires at least 500 KiB.
const MaxBytes = 2 << 20

const maxDelay = time.Minute

// A Rules value holds what one robots.txt tells one crawler.
type Rules struct {
	Sitemaps []string      // URLs of all Sitemap lines, as written
	Delay    time.Duration // Crawl-delay of the crawler's group, at most a minute; 0 if it has none

	rules []rule // Allow and Disallow lines of the crawler's group, highest rank first
	lines int
}

// String returns the Allow and Disallow lines in a normalized form. Rules with the same text make the same
// decisions.
func (r *Rules) String() string {
	var all strings.Builder
	for _, rule := range r.rules {
		fmt.Fprintf(&all, "%t %q %t\n", rule.allow, rule.pattern.Pieces, rule.pattern.ToEnd)
	}
	return all.String()
}

// Disallows returns the Disallow lines of the crawler's group, as written.
func (r *Rules) Disallows() (lines []string) {
	for _, rule := range r.rules {
		if !rule.allow {
			lines = append(lines, rule.line)
		}
	}
	return lines
}

// Allowed reports whether target, a path with its query, may be fetched. The longest matching pattern
// decides. If an Allow and a Disallow are equally long, the Allow decides (RFC 9309, section 2.2.2). line is
// the line that decided, or "". /robots.txt itself is always allowed.
func (r *Rules) Allowed(target string) (ok bool, line string) {
	if len(r.rules) == 0 || target == "/robots.txt" {
		return true, ""
	}
	path := weburl.Normalize(target, false)
	for _, rule := range r.rules {
		if rule.pattern.Match(path) {
			return rule.allow, rule.line
		}
	}
	return true, ""
}

type rule struct {
	allow   bool
	line    string // the line as written, without its comment, at most 200 characters
	pattern weburl.Wildcard
	rank    int // a longer pattern ranks higher; if the lengths are equal, Allow ranks above Disallow
}

// newRule returns the rule of a line. ok is false if value matches no path, because it begins with neither
// "/" nor "*".
func newRule(allow bool, line, value string) (r rule, ok bool) {
	if value == "" || value[0] != '/' && value[0] != '*' {
		return rule{}, false
	}
	octets := 0
	value, toEnd := strings.CutSuffix(value, "$")
	if toEnd {
		octets++
	}
	// Split before decoding: "%2A" is a literal star, "*" matches any text.
	pattern := weburl.NewWildcard(value, toEnd)
	octets += len(pattern.Pieces) - 1
	query := false
	for i, piece := range pattern.Pieces {
		pattern.Pieces[i] = weburl.Normalize(piece, query)
		query = query || strings.Contains(piece, "?")
		octets += len(pattern.Pieces[i])
	}
	r = rule{allow: allow, line: fmt.Sprintf("%.200s", line), pattern: pattern, rank: 2 * octets}
	if allow {
		r.rank++
	}
	return r, true
}

// File is a host's response to a request for its robots.txt.
type File struct {
	Body   []byte
	Fault  string // why the response is no robots.txt, such as "answered 404"; empty: Body is checked
	Outage string // why the file could not be fetched; empty if it was fetched
}

// fault returns why a file is no robots.txt, or "". A robots.txt does not begin with "<", and at least one of
// its lines has a known key.
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
	lostRuns = 2                   // number of crawls that use the last good copy if robots.txt is invalid
	serves   = 30 * 24 * time.Hour // largest age of a copy that is used in an outage (RFC 9309, 2.3.1.4)
)

// Believe returns the rules that the crawler agent must obey on a host. rules is nil if nothing on the host
// may be requested. current is the host's response at the time now. kept is the last good copy of the host's
// robots.txt, and next is the copy to keep for the next crawl. outage says why current is not used, or is "".
func Believe(
	current File, kept document.RobotsCopy, agent string, now time.Time,
) (rules *Rules, next document.RobotsCopy, outage string) {
	fault, good := current.fault(), Parse(kept.File, agent)
	switch {
	case current.Outage != "" && (kept.Read == 0 || now.Sub(time.Unix(kept.Read, 0)) > serves):
		return nil, kept, current.Outage
	case current.Outage != "":
		at := time.Unix(kept.Read, 0).UTC().Format(time.RFC3339)
		return good, kept, current.Outage + "; the copy of " + at + " serves"
	case fault == "":
		return Parse(current.Body, agent), document.RobotsCopy{File: current.Body, Read: now.Unix()}, ""
	case kept.Lost < lostRuns && len(good.Disallows()) > 0:
		kept.Lost++
		return good, kept, fmt.Sprintf("robots.txt %s (run %d), and the last good one, which closed pages, still "+
			"serves; restore it, or it is believed after %d runs", fault, kept.Lost, lostRuns)
	}
	return Parse(current.Body, agent), document.RobotsCopy{}, ""
}
