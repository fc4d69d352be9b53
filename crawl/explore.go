package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sitesync/crawl/pace"
	"sitesync/crawl/scout"
	"sitesync/crawl/site"
	"sitesync/crawl/sitemap"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// The bounds of a first look.
const (
	exploreMaps   = 20               // sitemap files
	exploreFaults = 5                // pages unread in a row that end it
	exploreFor    = 10 * time.Minute // in all
)

// usualSitemaps are where sitemaps lie that robots.txt does not name: those of
// WordPress and its plug-ins, of generators and shops.
var usualSitemaps = []string{"/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap-index.xml", "/sitemap/sitemap.xml", "/sitemap.xml.gz", "/sitemap.txt"}

// Explore has a first look at the site of the only start URL: where it redirects
// to, robots.txt, sitemaps, and a sample of thirty pages at most, spread over its
// sections, one after the other. visit gets each page; its tree is valid until it
// returns. The error says why the site can't be read, and is ctx's when that is
// done. A crawler that has explored does nothing else.
func (c *Crawler) Explore(ctx context.Context, visit func(*document.Page)) (*scout.Exploration, error) {
	whole := ctx
	ctx, cancel := context.WithTimeout(whole, exploreFor)
	defer cancel()
	c.opts.Retries = 0
	c.opts.Table, c.opts.Only = spool.NewTable(), func(string) bool { return false } // count, queue nothing
	e := &explorer{
		run: c.newRun(noPast{}, nil), found: &scout.Exploration{Asked: c.site.Start[0]}, fetch: newFetcher(ctx, c), visit: visit,
		sections:  scout.Sections{},
		languages: scout.Tally{}, alternate: scout.Tally{}, fileHosts: scout.Tally{}, origins: scout.Tally{}, params: scout.Tally{},
	}
	e.run.note = e.countEntry
	h, err := e.arrive(ctx)
	if err != nil {
		return nil, errors.Join(whole.Err(), err)
	}
	e.readSitemaps(ctx, h)
	e.sample(ctx, h)
	f := e.found
	f.Sections, f.Languages, f.Alternate = e.sections.Sorted(), e.languages.Sorted(), e.alternate.Sorted()
	f.FileHosts, f.Origins, f.Params = e.fileHosts.Sorted(), e.origins.Sorted(), e.params.Sorted()
	return f, whole.Err()
}

// explorer is one Explore under way.
type explorer struct {
	run      *run
	found    *scout.Exploration
	fetch    *fetcher
	visit    func(*document.Page)
	sections scout.Sections

	languages, alternate, fileHosts, origins, params scout.Tally
}

// arrive reads the first page, behind redirects. A redirect to another origin
// makes that the site; the guard still judges it by the address that was given.
func (e *explorer) arrive(ctx context.Context) (*host, error) {
	url := e.run.crawler.site.Start[0]
	for range robotsHops + 1 {
		h, err := e.enter(ctx, weburl.Origin(url))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", url, err)
		}
		if ok, rule := h.robots.Allowed(weburl.Target(url)); !ok {
			return nil, fmt.Errorf("read %s: robots.txt forbids it to %s: %s", url, e.run.opts.agent(), rule)
		}
		p, err := e.ask(ctx, h, url)
		switch {
		case err != nil:
			return nil, err
		case p.Target != "":
			url = p.Target
		case p.Seen == document.Read || p.Seen == document.NoIndex:
			e.sections.Asked(url)
			e.found.Start, e.found.Delay = url, h.robots.Delay
			return h, nil
		default:
			return nil, fmt.Errorf("read %s: %s", url, cmp.Or(p.Why, fmt.Sprintf("HTTP status %d %s", p.Status, http.StatusText(p.Status))))
		}
	}
	return nil, fmt.Errorf("read %s: its redirects don't end", e.run.crawler.site.Start[0])
}

// enter makes origin the site and reads its robots.txt.
func (e *explorer) enter(ctx context.Context, origin string) (*host, error) {
	h := e.run.crawler.hosts[origin]
	if h == nil {
		h = newHost(origin, 0, pace.New(1, e.run.opts.Delay, e.run.opts.MaxWait))
		of, err := site.New(site.Options{Start: []string{origin + "/"}, IgnoreParams: e.run.opts.IgnoreParams})
		if err != nil {
			return nil, err
		}
		c := e.run.crawler
		c.site, c.hosts, c.order, c.starts = of, map[string]*host{origin: h}, []*host{h}, 1
	}
	if h.robots == nil {
		e.run.loadRobots(ctx, h)
	}
	if h.robots == nil {
		return nil, errors.New(h.found.Reason)
	}
	return h, nil
}

// ask asks for one page, gives it to visit, and counts what it says.
func (e *explorer) ask(ctx context.Context, h *host, url string) (document.Page, error) {
	e.run.opts.Table.Mark(spool.Fingerprint(url), spool.Queued)
	x, err := (&worker{run: e.run, host: h, fetcher: e.fetch}).ask(ctx, url, document.Hints{})
	defer e.fetch.release()
	if err := errors.Join(err, ctx.Err()); err != nil {
		return document.Page{}, err
	}
	p, links := e.run.crawler.reader.Read(&x.Answer, document.Known{})
	if p.Root == nil {
		return p, nil
	}
	e.found.Sampled++
	e.languages.AddLanguages(p.Root, e.alternate)
	for _, link := range links.Found {
		e.countLink(link.URL)
	}
	e.visit(&p)
	p.Root, p.Body = nil, nil // not valid any longer
	return p, nil
}

// readSitemaps reads the sitemaps that a crawl would find, else looks in the usual
// places. Faults are for check to report.
func (e *explorer) readSitemaps(ctx context.Context, h *host) {
	walk := &sitemapWalk{run: e.run, host: h, seen: map[string]bool{}, memory: sitemap.NewMemory(nil), most: exploreMaps}
	read := func(address string) {
		before := e.found.Listed
		walk.guessed = true
		if walk.read(ctx, address, 0) == nil && e.found.Listed > before {
			address, _ = e.run.crawler.site.Canon.Resolve(h.origin+"/", address) // it was read: it has one
			e.found.Sitemaps = append(e.found.Sitemaps, address)
		}
	}
	addresses, guessed := e.run.sitemapsOf(h)
	for _, address := range addresses {
		read(address)
	}
	e.found.Named = e.found.Listed > 0
	if !e.found.Named && guessed && h.robots.Delay <= time.Second { // with long pauses guessing costs too much
		e.found.Sitemaps = nil
		for _, place := range usualSitemaps {
			if e.found.Listed == 0 {
				read(h.origin + place)
			}
		}
	}
	e.found.MoreMaps = walk.more
}

// countEntry counts one line of a sitemap.
func (e *explorer) countEntry(_ *host, file string, entry sitemap.Entry) {
	url, err := e.run.crawler.site.Canon.Resolve(file, entry.Loc)
	switch {
	case entry.Sitemap || entry.Loc == "" || err != nil:
	case e.run.crawler.hosts[weburl.Origin(url)] == nil:
		e.origins.Add(weburl.Origin(url))
	default:
		if !entry.Alternate {
			e.found.Listed++
		}
		e.countAddress(url)
	}
}

func (e *explorer) countLink(url string) {
	if e.run.crawler.hosts[weburl.Origin(url)] != nil {
		e.countAddress(url)
	} else if site.IsFile(url) {
		e.fileHosts.Add(strings.TrimSuffix(weburl.Host(url), ":443")) // of an odd http address: the port that a name alone means
	}
}

// countAddress counts an address of the site, once.
func (e *explorer) countAddress(url string) {
	if site.IsAsset(url) || e.run.opts.Table.Mark(spool.Fingerprint(url), spool.Queued)&spool.Queued != 0 {
		return
	}
	e.sections.Add(url, !site.IsFile(url))
	_, query, _ := strings.Cut(url, "?")
	for param := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(param, "=")
		e.params.Add(name)
	}
}

// sample asks for pages of all sections in turn.
func (e *explorer) sample(ctx context.Context, h *host) {
	failed := 0
	for asked := 1; asked < scout.SampleSize(min(h.robots.Delay, e.run.crawler.patience)) && failed < exploreFaults; {
		url := e.sections.Next()
		if url == "" {
			return
		}
		if ok, _ := h.robots.Allowed(weburl.Target(url)); !ok {
			continue
		}
		p, err := e.ask(ctx, h, url)
		if err != nil {
			return
		}
		asked++
		failed++
		if p.Seen != document.Unread {
			failed = 0
		}
		if p.Target != "" {
			e.countLink(p.Target)
		}
	}
}
