package crawl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/crawl/robots"
	"sitesync/internal/weburl"
)

// maxNamed is how many lines of a staging host's robots.txt a warning names.
const maxNamed = 5

// addVia reads site.via: hosts that are asked in place of live ones.
func (c *Crawler) addVia() error {
	c.via, c.live = map[string]string{}, map[string]string{}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.opts.Via)) {
		live, err := weburl.ConfiguredOrigin(name)
		staging, stagingErr := weburl.ConfiguredOrigin(c.opts.Via[name])
		switch {
		case errors.Join(err, stagingErr) != nil:
			err = fmt.Errorf("site.via: %w", errors.Join(err, stagingErr))
		case !slices.Contains(c.Origins(), live):
			err = fmt.Errorf("site.via: %s is no origin of site.start, which has %s", live, strings.Join(c.Origins(), ", "))
		case c.hosts[staging] != nil:
			err = fmt.Errorf("site.via: %s is asked in place of %s and can't be crawled itself; take it out of site.start and site.file_hosts", staging, live)
		case c.live[staging] != "":
			err = fmt.Errorf("site.via: %s can't stand for both %s and %s", staging, c.live[staging], live)
		case c.opts.Folder != "":
			err = errors.New("site.via: site.folder is crawled already in place of the live host; remove one of the two")
		}
		errs = append(errs, err)
		c.via[live], c.live[staging] = staging, live
	}
	return errors.Join(errs...)
}

// staged reports whether a staging host is asked in place of a URL's own.
func (c *Crawler) staged(url string) bool { return len(c.via) > 0 && c.via[weburl.Origin(url)] != "" }

// asked returns the addresses that are really asked for URLs.
func (c *Crawler) asked(urls []string) []string {
	all := slices.Clone(urls)
	for i, url := range all {
		if c.staged(url) {
			all[i] = c.via[weburl.Origin(url)] + weburl.Target(url)
		}
	}
	return all
}

// home returns the start origin that an origin stands for: that of a staging host or
// of a variant. It is empty when it stands for itself.
func (c *Crawler) home(origin string) string {
	if live := c.live[origin]; live != "" {
		return live
	}
	return c.variants.home(origin)
}

// unbar takes from a staging host's robots.txt all but its sitemaps, and tells what
// it said: it keeps the world out, not us.
func (r *run) unbar(h *host) {
	if !r.crawler.staged(h.origin) {
		return
	}
	lines := h.robots.Disallows()
	if h.robots.Delay > 0 {
		lines = append(lines, fmt.Sprintf("Crawl-delay: %g", h.robots.Delay.Seconds()))
	}
	h.robots = &robots.Rules{Sitemaps: h.robots.Sitemaps}
	if len(lines) == 0 {
		return
	}
	more := ""
	if n := len(lines) - maxNamed; n > 0 {
		lines, more = lines[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	staging := r.crawler.via[h.origin]
	r.warnings.warn("via", staging+"/robots.txt", fmt.Sprintf("robots.txt of %s says %s%s; not obeyed here, check it before launch", staging, strings.Join(lines, ", "), more))
}
