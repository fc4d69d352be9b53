package crawl

import (
	"fmt"
	"strings"
	"time"
)

// MaxRobotsBytes is how much of a robots.txt is read: RFC 9309, section 2.5.
const MaxRobotsBytes = 500 << 10

// MaxCrawlDelay bounds what a robots.txt may ask for between two requests.
const MaxCrawlDelay = time.Minute

// Robots is what one robots.txt says to one crawler. It is immutable after
// ParseRobots and safe for concurrent use.
type Robots struct {
	Sitemaps []string      // the addresses of all Sitemap lines, as written
	Delay    time.Duration // Crawl-delay of our group, at most MaxCrawlDelay; 0: none

	rules []robotsRule // of our group, the longest first, allow before disallow
}

// text returns the rules of our group, in the order in which they are tried.
func (r *Robots) text() string {
	var all strings.Builder
	for _, rule := range r.rules {
		fmt.Fprintf(&all, "%t %q %t\n", rule.allow, rule.pattern.Pieces, rule.pattern.ToEnd)
	}
	return all.String()
}

// Allowed reports whether pathAndQuery, as PathOf gives it, may be fetched, and
// the line that decided: the longest match, or the Allow of two equally long
// (RFC 9309, section 2.2.2). rule is empty when no line matches. /robots.txt
// itself is always allowed.
func (r *Robots) Allowed(pathAndQuery string) (ok bool, rule string) {
	if len(r.rules) == 0 || pathAndQuery == "/robots.txt" {
		return true, ""
	}
	path := robotsForm(pathAndQuery)
	for i := range r.rules {
		if r.rules[i].pattern.Match(path) {
			return r.rules[i].allow, r.rules[i].line
		}
	}
	return true, ""
}
