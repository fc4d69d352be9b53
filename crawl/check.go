package crawl

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// Finding is one line of a check: what was tried, and what came of it.
type Finding struct {
	Subject string `json:"subject"`
	Of      string `json:"of"` // the host, page or file
	OK      bool   `json:"ok"`
	Text    string `json:"text"`
	Next    string `json:"next"` // what to do; where the finding is OK, only what could be better
}

// checker is one Check under way.
type checker struct {
	*run
	read    func(*document.Page) (text, next string)
	wires   *wires
	maps    []*tally          // in the order in which they were read
	tallies map[string]*tally // the same by file
}

// Check tries each host of the site: its name, certificate, robots.txt, sitemaps
// and start pages. It makes no more requests than that takes and changes nothing
// anywhere. read says in words what a start page gives, and what could be better.
// It errs only when ctx is done. A crawler that has checked is good for nothing
// else.
func (c *Crawler) Check(ctx context.Context, read func(*document.Page) (text, next string)) ([]Finding, error) {
	c.opts.Table, c.opts.Only = spool.NewTable(), func(string) bool { return false } // count, queue nothing
	k := &checker{run: &run{Crawler: c, past: noPast{}}, read: read, wires: &wires{next: c.transport, seen: map[string]wire{}}, tallies: map[string]*tally{}}
	c.transport = k.wires
	defer func() { c.transport = k.wires.next }()
	k.note = k.count
	k.askVariants(ctx)
	names := make([]Finding, len(c.sites()))
	for i, h := range c.sites() {
		if names[i] = k.name(ctx, h); names[i].OK {
			k.loadRobots(ctx, h)
		} else {
			h.degrade(document.HostRobotsOutage, names[i].Text) // it is not asked for anything
		}
	}
	if err := k.loadSitemaps(ctx); err != nil {
		return nil, err
	}
	var all []Finding
	for i, h := range c.sites() {
		if c.folder == nil {
			all = append(all, names[i])
		}
		if !names[i].OK {
			continue
		}
		found, err := k.host(ctx, h)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, ctx.Err()
}

// host returns what there is to say of a host behind its name. A fault that makes
// all the rest fail is told once.
func (k *checker) host(ctx context.Context, h *host) ([]Finding, error) {
	var pages []Finding
	for _, url := range k.start {
		if h.closed() || weburl.Origin(url) != h.origin {
			continue
		}
		page, err := k.page(ctx, url)
		if err != nil {
			return nil, err
		}
		pages = append(pages, page)
	}
	found := k.certificate(h)
	switch {
	case len(found) > 0 && !found[0].OK:
		return found, nil
	case h.robots == nil:
		return append(found, k.robots(h)), nil
	}
	found = append(found, k.robots(h))
	return append(append(found, k.sitemaps(h)...), pages...), nil
}

// robots says what a host's robots.txt means for the crawl.
func (k *checker) robots(h *host) Finding {
	f := Finding{Subject: "robots.txt", Of: h.origin}
	switch {
	case h.robots == nil && h.answer == 0:
		f.Text, f.Next = h.reason, "the host is not crawled until it can be read: is the server up, and does it let this machine in?"
	case h.robots == nil:
		f.Text, f.Next = h.reason, "the host is not crawled until it can be read: let the server send it, or answer 404 where there is none"
	case k.opts.IgnoreRobots:
		f.OK, f.Text = true, `not asked for: fetch.robots is "ignore"`
	case h.answer >= 300:
		f.OK, f.Text = true, fmt.Sprintf("none (HTTP status %d): everything may be crawled", h.answer)
	default:
		f.OK, f.Text = true, fmt.Sprintf("read; %s for %s", plural(h.robots.Len(), "rule"), k.opts.agent())
		if h.robots.Delay > 0 {
			f.Text += ", crawl-delay " + h.robots.Delay.String()
		}
		f.Text += ", " + plural(len(h.robots.Sitemaps), "sitemap") + " named"
		if k.staged(h.origin) {
			f.Text += "; those of the staging host are not obeyed"
		}
	}
	return f
}

// page asks for a start page.
func (k *checker) page(ctx context.Context, url string) (Finding, error) {
	f := Finding{Subject: "start page", Of: url, Text: "its redirects don't end", Next: "name in site.start where they should lead"}
	trace, err := k.Look(ctx, url, func(p *document.Page) error {
		f.OK, f.Text, f.Next = k.seen(p)
		return nil
	})
	if err != nil {
		return f, err
	}
	moved := len(trace.Hops) > 1 || len(trace.Hops) == 1 && !(trace.InScope && trace.Allowed)
	switch last := len(trace.Hops) - 1; {
	case !trace.InScope:
		f.Text, f.Next = "out of scope: "+trace.Scope, "name another page in site.start, or change the rule"
		if origin, ok := strings.CutPrefix(trace.Scope, "other origin "); ok {
			f.Next = fmt.Sprintf("should it be site.start = [%q]?", origin+"/")
		}
	case !trace.Allowed:
		f.Text = "not asked: robots.txt: " + strings.TrimPrefix(trace.Robots, "robots.txt ")
		f.Next = "let robots.txt allow " + k.opts.agent() + ", or name another page in site.start"
	case moved && f.OK && f.Next == "":
		f.Next = "name " + trace.Hops[last].URL + " in site.start"
	}
	if moved {
		f.Text = "redirects; " + f.Text
	}
	return f, nil
}

// seen says what came of the last page on the way from a start page.
func (k *checker) seen(p *document.Page) (ok bool, text, next string) {
	text = fmt.Sprintf("%s: %s", p.Seen, cmp.Or(p.Why, fmt.Sprintf("HTTP status %d", p.Status)))
	switch {
	case p.Seen == document.OutOfScope:
		return true, "followed, not indexed: " + p.Why, ""
	case p.Seen == document.NoIndex:
		return false, text, "take the directive away, or name another page in site.start"
	case p.Status == http.StatusUnauthorized || p.Status == http.StatusForbidden:
		return false, text, "give the host's password or headers under [[fetch.auth]]"
	case p.Interstitial != "":
		return false, text, "see to what stands before the page, or name another one in site.start"
	case p.Seen != document.Read:
		return false, text, "name in site.start a page that answers with status 200"
	}
	text, next = k.read(p)
	if _, known := k.hosts[weburl.Origin(p.Canonical)]; p.Canonical != "" && !known {
		next = fmt.Sprintf("it calls %s its canonical address: should site.start name that?", p.Canonical)
	}
	return true, text, next
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// day writes a moment as a day.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// noPast is the past of a site that was never crawled.
type noPast struct{}

func (noPast) Known(func(string, document.Known) error) error { return nil }
func (noPast) Lookup(string) (document.Known, error)          { return document.Known{}, nil }
func (noPast) Host(string) (document.HostMemory, error)       { return document.HostMemory{}, nil }
