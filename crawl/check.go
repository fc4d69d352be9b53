package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	neturl "net/url"
	"strings"

	"sitesync/crawl/scout"
	"sitesync/crawl/sitemap"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// checker is one Check under way.
type checker struct {
	run   *run
	read  func(*document.Page) (text, next string)
	wires *scout.Wires
	maps  scout.Sitemaps
}

// Check tries each host of the site: its name, certificate, robots.txt, sitemaps
// and start pages. It makes no more requests than that takes and changes nothing
// anywhere. read says in words what a start page gives, and what could be better.
// It errs only when ctx is done. A crawler that has checked does nothing else.
func (c *Crawler) Check(ctx context.Context, read func(*document.Page) (text, next string)) ([]scout.Finding, error) {
	c.opts.Table, c.opts.Only = spool.NewTable(), func(string) bool { return false } // count, queue nothing
	k := &checker{run: c.newRun(noPast{}, nil), read: read, wires: &scout.Wires{Next: c.transport}}
	c.transport = k.wires
	k.run.note = k.countEntry
	c.askVariants(ctx)
	names := make([]scout.Finding, len(c.sites()))
	for i, h := range c.sites() {
		names[i] = c.checkName(ctx, h)
		if names[i].OK {
			k.run.loadRobots(ctx, h)
		} else {
			h.degrade(document.HostRobotsOutage, names[i].Text) // it is not asked for anything
		}
	}
	if err := k.run.loadSitemaps(ctx); err != nil {
		return nil, err
	}
	var all []scout.Finding
	for i, h := range c.sites() {
		if c.folder == nil {
			all = append(all, names[i])
		}
		if names[i].OK {
			found, err := k.checkHost(ctx, h)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, ctx.Err()
}

// checkName looks up the addresses of a host and asks the guard about each.
func (c *Crawler) checkName(ctx context.Context, h *host) scout.Finding {
	f := scout.Finding{Subject: "DNS", Of: h.origin, OK: true}
	u, err := neturl.Parse(cmp.Or(c.site.Via[h.origin], h.origin))
	if c.folder != nil || err != nil {
		return f
	}
	if proxy, err := c.proxy.Of(u); proxy != nil || err != nil {
		f.Text = "not looked up: " + c.proxy.Note()
		return f
	}
	if c.opts.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.opts.Timeout)
		defer cancel()
	}
	name, port := u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	addrs, err := c.guard.Lookup(ctx, name)
	if err != nil {
		f.OK, f.Text, f.Next = false, transport.Explain(err), "look at this machine's DNS settings, then check again"
		if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
			f.Next = "is it spelt as it should be in site.start, and does this machine see the name?"
		}
		return f
	}
	var allowed, left []string
	var refused *transport.RefusedError
	for _, addr := range addrs {
		if err := c.guard.Check(name, port, addr); errors.As(err, &refused) {
			left = append(left, fmt.Sprintf("%s is %s: not connected", addr, refused.Block))
		} else {
			allowed = append(allowed, addr.String())
		}
	}
	f.Text = strings.Join(append(allowed, left...), ", ")
	if len(allowed) == 0 {
		f.OK, f.Next = false, refused.Remedy()
	}
	return f
}

// checkHost returns what there is to say of a host behind its name. A fault that
// makes all the rest fail is reported once.
func (k *checker) checkHost(ctx context.Context, h *host) ([]scout.Finding, error) {
	var pages []scout.Finding
	for _, url := range k.run.crawler.site.Start {
		if h.closed() || weburl.Origin(url) != h.origin {
			continue
		}
		page, err := k.checkPage(ctx, url)
		if err != nil {
			return nil, err
		}
		pages = append(pages, page)
	}
	found := k.wires.Certificate(h.origin, k.run.crawler.now(), transport.ExplainTLS)
	if len(found) > 0 && !found[0].OK {
		return found, nil
	}
	found = append(found, k.run.crawler.checkRobots(h))
	if h.robots == nil {
		return found, nil
	}
	return append(append(found, k.checkSitemaps(h)...), pages...), nil
}

// checkRobots says what a host's robots.txt means for the crawl.
func (c *Crawler) checkRobots(h *host) scout.Finding {
	f := scout.Finding{Subject: "robots.txt", Of: h.origin, OK: h.robots != nil}
	switch {
	case h.robots == nil:
		f.Text, f.Next = h.found.Reason, "the host is not crawled until it can be read: let the server send it, or answer 404 if the site has no robots.txt"
		if h.answer == 0 {
			f.Next = "the host is not crawled until it can be read: is the server up, and does it let this machine in?"
		}
	case c.opts.IgnoreRobots:
		f.Text = `not asked for: fetch.robots is "ignore"`
	case h.answer >= 300:
		f.Text = fmt.Sprintf("none (HTTP status %d): everything may be crawled", h.answer)
	default:
		f.Text = fmt.Sprintf("read; %s for %s", document.Count(h.robots.Len(), "rule"), c.opts.agent())
		if h.robots.Delay > 0 {
			f.Text += ", crawl-delay " + h.robots.Delay.String()
		}
		f.Text += ", " + document.Count(len(h.robots.Sitemaps), "sitemap") + " named"
		if c.site.Staged(h.origin) {
			f.Text += "; those of the staging host are not obeyed"
		}
	}
	return f
}

func (k *checker) countEntry(h *host, file string, e sitemap.Entry) {
	f := k.maps.File(h.origin, file)
	url, err := k.run.crawler.site.Canon.Resolve(file, e.Loc)
	switch {
	case e.Loc == "": // the file begins, perhaps once more
		*f = scout.File{Host: h.origin, Name: file}
		return
	case e.Sitemap:
		f.Maps++
		return
	case err != nil || e.Alternate:
		return
	}
	f.URLs++
	f.Newest = max(f.Newest, e.Lastmod)
	if origin := weburl.Origin(url); k.run.crawler.hosts[origin] == nil {
		f.Elsewhere++
		f.Other = cmp.Or(f.Other, origin)
	} else if ok, _ := k.run.crawler.site.Includes(url); !ok {
		f.Outside++
	}
}

// checkSitemaps says what each sitemap of a host lists. A fault of a file elsewhere
// that gave nothing belongs to the first host.
func (k *checker) checkSitemaps(h *host) []scout.Finding {
	for _, w := range k.run.warnings.All() {
		owner := k.run.crawler.hosts[cmp.Or(k.maps.Host(w.URL), weburl.Origin(w.URL))]
		if w.Kind == "sitemap" && (owner == h || owner == nil && h.index == 0) {
			f := k.maps.File(h.origin, w.URL)
			f.Faults = append(f.Faults, w.Text)
		}
	}
	if found := k.maps.Findings(h.origin); len(found) > 0 {
		return found
	}
	f := scout.Finding{Subject: "sitemap", Of: h.origin, OK: true, Text: "none; pages are found by their links"}
	if k.run.opts.AutoSitemaps {
		f.Text = "none: robots.txt names none, and /sitemap.xml is not there; pages are found by their links"
	}
	if !k.run.opts.Links && k.run.crawler.folder == nil {
		f.OK, f.Next = false, "nothing leads to other pages: set site.links = true, or name sitemaps in site.sitemaps"
	}
	return []scout.Finding{f}
}

// checkPage asks for a start page.
func (k *checker) checkPage(ctx context.Context, url string) (scout.Finding, error) {
	f := scout.Finding{Subject: "start page", Of: url, Text: "its redirects don't end", Next: "name in site.start where they should lead"}
	trace, err := k.run.crawler.Look(ctx, url, func(p *document.Page) error {
		if _, known := k.run.crawler.hosts[weburl.Origin(p.Canonical)]; p.Target == "" {
			f.OK, f.Text, f.Next = scout.SeenPage(p, known, k.read)
		}
		return nil
	})
	if err != nil {
		return f, err
	}
	moved := len(trace.Hops) > 1 || len(trace.Hops) == 1 && !(trace.InScope && trace.Allowed)
	switch {
	case !trace.InScope:
		f.Text, f.Next = "out of scope: "+trace.Scope, "name another page in site.start, or change the rule"
		if origin, ok := strings.CutPrefix(trace.Scope, "other origin "); ok {
			f.Next = fmt.Sprintf("should it be site.start = [%q]?", origin+"/")
		}
	case !trace.Allowed:
		f.Text = "not asked: robots.txt: " + strings.TrimPrefix(trace.Robots, "robots.txt ")
		f.Next = "let robots.txt allow " + k.run.opts.agent() + ", or name another page in site.start"
	case moved && f.OK && f.Next == "":
		f.Next = "name " + trace.Hops[len(trace.Hops)-1].URL + " in site.start"
	}
	if moved {
		f.Text = "redirects; " + f.Text
	}
	return f, nil
}

// noPast is the past of a site that was never crawled.
type noPast struct{}

func (noPast) Known(func(string, document.Known) error) error { return nil }
func (noPast) Lookup(string) (document.Known, error)          { return document.Known{}, nil }
func (noPast) Host(string) (document.HostMemory, error)       { return document.HostMemory{}, nil }
