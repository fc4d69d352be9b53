package robots

import (
	"fmt"
	"strings"
	"time"

	"sitesync/internal/weburl"
)

// MaxBytes is how long a robots.txt may be: RFC 9309, section 2.5, asks for 500 KiB, and some
// hosts send a page in its place.
const MaxBytes = 2 << 20

// maxDelay bounds the time that a robots.txt may ask for between two requests.
const maxDelay = time.Minute

// Rules is what one robots.txt says to one crawler.
type Rules struct {
	Sitemaps []string      // the addresses of all Sitemap lines, as written
	Delay    time.Duration // Crawl-delay of our group, a minute at most; 0: none

	rules []rule // of our group, the highest rank first
	lines int    // that a robots.txt may have, of any group
}

// String returns the Allow and Disallow lines in the order in which they are tried:
// files with the same text decide alike.
func (r *Rules) String() string {
	var all strings.Builder
	for _, rule := range r.rules {
		fmt.Fprintf(&all, "%t %q %t\n", rule.allow, rule.pattern.Pieces, rule.pattern.ToEnd)
	}
	return all.String()
}

// Disallows returns the Disallow lines, as written.
func (r *Rules) Disallows() (lines []string) {
	for _, rule := range r.rules {
		if !rule.allow {
			lines = append(lines, rule.line)
		}
	}
	return lines
}

// Allowed reports whether target, a path with its query, may be fetched, and the
// line that decided: the longest match, or the Allow of two equally long (RFC 9309,
// section 2.2.2). line is empty when none matches. /robots.txt itself is always
// allowed.
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

// rule is one Allow or Disallow line.
type rule struct {
	allow   bool
	line    string // as written, without comment, 200 characters at most
	pattern weburl.Wildcard
	rank    int // the highest that matches decides: by the length of the normalized pattern, then Allow
}

// newRule returns the rule of a line. ok is false for a value that is no path
// pattern: an empty one matches nothing, and one that begins with neither "/" nor
// "*" never could.
func newRule(allow bool, line, value string) (r rule, ok bool) {
	if value == "" || value[0] != '/' && value[0] != '*' {
		return rule{}, false
	}
	octets := 0
	value, toEnd := strings.CutSuffix(value, "$")
	if toEnd {
		octets++
	}
	// Split before decoding: "%2A" is a star to be matched, "*" is any text.
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
