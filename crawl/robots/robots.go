package robots

import (
	"fmt"
	"strings"
	"time"
)

// MaxBytes is how much of a robots.txt is read: RFC 9309, section 2.5.
const MaxBytes = 500 << 10

// maxDelay bounds the time that a robots.txt may ask for between two requests.
const maxDelay = time.Minute

// Rules is what one robots.txt says to one crawler.
type Rules struct {
	Sitemaps []string      // the addresses of all Sitemap lines, as written
	Delay    time.Duration // Crawl-delay of our group, a minute at most; 0: none

	rules []rule // of our group, the longest first, allow before disallow
}

// Len returns the number of Allow and Disallow lines.
func (r *Rules) Len() int { return len(r.rules) }

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
	path := normalize(target, false)
	for i := range r.rules {
		if r.rules[i].pattern.Match(path) {
			return r.rules[i].allow, r.rules[i].line
		}
	}
	return true, ""
}
