package robots

import (
	"fmt"
	"strings"
	"time"

	"sitesync/internal/weburl"
)

// MaxBytes is the longest robots.txt that is read, in bytes. RFC 9309, section 2.5, requires at least 500
// KiB. Some hosts send an HTML page in its place.
const MaxBytes = 2 << 20

// maxDelay bounds the Crawl-delay, the time between two requests.
const maxDelay = time.Minute

// Rules holds the rules of one robots.txt for one crawler.
type Rules struct {
	Sitemaps []string      // URLs of all Sitemap lines, as written
	Delay    time.Duration // Crawl-delay of the crawler's group, at most a minute; 0: none

	rules []rule // of the crawler's group, highest rank first
	lines int    // number of lines with a known key, in any group
}

// String returns the Allow and Disallow lines in the order in which they are tried. Two files with the same
// text make the same decisions.
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

// Allowed reports whether target, a path with its query, may be fetched. line is the Allow or Disallow line
// that decided, or "" if none matches. The longest match wins; of two equally long ones the Allow wins (RFC
// 9309, section 2.2.2). /robots.txt itself is always allowed.
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
	line    string // as written, without its comment, at most 200 characters
	pattern weburl.Wildcard
	rank    int // the highest matching rank wins: length of the normalized pattern, then Allow
}

// newRule returns the rule of a line. ok is false if value can't match any path: it is empty, or begins
// with neither "/" nor "*".
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
