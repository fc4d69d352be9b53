package crawl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Finding is one line of a check.
type Finding struct {
	Subject string
	OK      bool
	Text    string
}

// Check tries each host of the site: robots.txt, sitemaps, the first page. It
// errs only when ctx is done.
func (c *Crawler) Check(ctx context.Context) ([]Finding, error) {
	c.opts.Table, c.opts.Only = spool.NewTable(), func(string) bool { return false } // count, queue nothing
	r := &run{Crawler: c, past: noPast{}}
	c.askVariants(ctx)
	var findings []Finding
	for _, h := range c.sites() {
		r.loadRobots(ctx, h)
		if h.robots == nil {
			findings = append(findings, Finding{h.origin + "/robots.txt", false, h.reason + "; the host is not crawled until it can be read"})
			continue
		}
		findings = append(findings, Finding{h.origin + "/robots.txt", true, "read, or absent: no rules"})
	}
	if err := r.loadSitemaps(ctx); err != nil {
		return nil, err
	}
	for _, h := range c.sites() {
		if !h.closed() {
			findings = append(findings, c.checkSitemaps(h, r.warnings.all())...)
		}
	}
	for _, url := range c.start {
		finding, err := c.checkStart(ctx, url)
		if err != nil {
			return nil, err
		}
		findings = append(findings, finding)
	}
	return findings, ctx.Err()
}

func (c *Crawler) checkSitemaps(h *host, warnings []document.Warning) []Finding {
	findings := []Finding{{h.origin + " sitemaps", true, fmt.Sprintf("%d URLs", h.listed)}}
	for _, w := range warnings {
		if Origin(w.URL) == h.origin {
			findings = append(findings, Finding{w.URL, false, w.Text})
		}
	}
	return findings
}

func (c *Crawler) checkStart(ctx context.Context, url string) (Finding, error) {
	finding := Finding{Subject: url}
	trace, err := c.Look(ctx, url, func(p *document.Page) error {
		finding.OK = p.Seen == document.Read || p.Seen == document.OutOfScope // followed, not indexed
		finding.Text = string(p.Seen) + ", " + or(p.Why, fmt.Sprintf("HTTP status %d", p.Status))
		return nil
	})
	switch {
	case err != nil:
		return finding, errors.Join(err, ctx.Err())
	case !trace.InScope:
		finding.Text = "out of scope: " + trace.Scope
	case !trace.Allowed:
		finding.Text = "not asked: robots.txt: " + strings.TrimPrefix(trace.Robots, "robots.txt ")
	}
	return finding, nil
}

// noPast is the past of a site that was never crawled.
type noPast struct{}

func (noPast) Known(func(string, document.Known) error) error { return nil }
func (noPast) Lookup(string) (document.Known, error)          { return document.Known{}, nil }
func (noPast) Host(string) (document.HostMemory, error)       { return document.HostMemory{}, nil }
