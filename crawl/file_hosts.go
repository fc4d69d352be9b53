package crawl

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sitesync/crawl/pace"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// addFileHosts makes the hosts of site.file_hosts ready, of which only files belong
// to the site: they have no sitemaps, and their robots.txt is read when the first
// file is due.
func (c *Crawler) addFileHosts() error {
	c.fileOrigins = map[string]bool{}
	for _, name := range c.opts.FileHosts {
		secure, err := c.canon.URL("https://" + name + "/")
		plain, plainErr := c.canon.URL("http://" + name + "/")
		if err := errors.Join(err, plainErr); err != nil {
			return fmt.Errorf("site.file_hosts: %w", err)
		}
		if c.hosts[weburl.Origin(secure)] != nil || c.hosts[weburl.Origin(plain)] != nil {
			continue // all of a start host belongs to the site
		}
		for _, origin := range []string{weburl.Origin(secure), weburl.Origin(plain)} {
			c.hosts[origin] = newHost(origin, len(c.order), pace.New(c.opts.Concurrency, c.opts.Delay))
			c.order = append(c.order, c.hosts[origin])
			c.fileOrigins[origin] = true
		}
	}
	return nil
}

// inScope reports whether a canonical URL belongs to the site, and the rule that decided.
func (c *Crawler) inScope(url string) (ok bool, why string) {
	if origin := weburl.Origin(url); c.fileOrigins[origin] && !mediaIsFile(url) {
		return false, "site.file_hosts: only files (PDF, DOCX and the like) of " + origin + " belong to the site"
	}
	return c.scope.Check(url)
}

// sites returns the hosts of the start URLs.
func (c *Crawler) sites() []*host { return c.order[:len(c.order)-len(c.fileOrigins)] }

// isFileHost reports whether only files of a host belong to the site.
func (c *Crawler) isFileHost(h *host) bool { return h.index >= len(c.sites()) }

// Origins returns the origins of the start URLs, sorted: the scope.
func (c *Crawler) Origins() []string { return originsOf(c.sites()) }

func originsOf(hosts []*host) []string {
	origins := make([]string, len(hosts))
	for i, h := range hosts {
		origins[i] = h.origin
	}
	slices.Sort(origins)
	return origins
}

// FileOrigins returns the origins of which only files belong to the site, sorted.
func (c *Crawler) FileOrigins() []string {
	var origins []string
	for origin := range c.fileOrigins {
		origins = append(origins, origin)
	}
	slices.Sort(origins)
	return origins
}

// meet reads the robots.txt of a file host before the first request to it.
func (r *run) meet(ctx context.Context, h *host) error {
	if h.robots != nil || h.closed() {
		return nil
	}
	r.loadRobots(ctx, h)
	return r.trustHost(h)
}

// idle reports whether a file host had nothing to be asked for.
func (c *Crawler) idle(h *host, report document.Host) bool {
	return c.isFileHost(h) && h.robots == nil && report.Covered
}
