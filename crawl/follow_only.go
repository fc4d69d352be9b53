package crawl

import (
	"errors"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// pageRules are site.follow_only and site.no_follow: what is done with only a part
// of a page.
type pageRules struct {
	followOnly weburl.Patterns
	noFollow   weburl.Patterns
}

func newPageRules(o *Options) (rules pageRules, err error) {
	var errs [2]error
	rules.followOnly, errs[0] = weburl.ReadPatterns("site.follow_only", o.FollowOnly)
	rules.noFollow, errs[1] = weburl.ReadPatterns("site.no_follow", o.NoFollow)
	return rules, errors.Join(errs[:]...)
}

// sift marks a page that was read, but is only to be followed, as out of scope. A hub
// that is kept stays so: its record says what it is.
func (c *Crawler) sift(p *document.Page) {
	if p.Seen != document.Read {
		return
	}
	if rule := c.rules.followOnly.Find(p.URL); rule != "" {
		p.Seen, p.Why, p.Canonical = document.OutOfScope, rule, ""
	}
}

// excludes reports whether a known document is to leave the index for
// site.follow_only. It is read for real then: a hint would hide that.
func (c *Crawler) excludes(url string, known document.Known) bool {
	return known.Document && c.rules.followOnly.Find(url) != ""
}
