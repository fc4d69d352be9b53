package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// The bounds of a first look.
const (
	explorePages  = 30
	exploreMaps   = 20               // sitemap files
	exploreWait   = time.Minute      // of all the pauses that robots.txt asks for
	exploreFaults = 5                // pages unread in a row that end it
	exploreBody   = 4 << 20          // bytes of a page
	exploreFor    = 10 * time.Minute // in all
)

// Exploration is what a first look at a site found. Its texts are the site's own.
type Exploration struct {
	Asked     string        // canonical URL that was given
	Start     string        // canonical URL of the first page, behind redirects
	Sitemaps  []string      // that gave addresses
	Named     bool          // those are what robots.txt names, or /sitemap.xml: no need to list them
	MoreMaps  bool          // there are more than a first look reads
	Listed    int           // addresses in sitemaps
	Delay     time.Duration // that robots.txt asks for
	Sampled   int           // pages that were read
	Sections  []Counted     // first folders of paths ("/news/"; "/" for what is in none), by the number of addresses
	Languages []Counted     // lang attributes, by pages
	Alternate []Counted     // hreflang attributes, by pages
	FileHosts []Counted     // other hosts with linked files (PDF, DOCX and the like), by links
	Origins   []Counted     // other origins that sitemaps list, by addresses
	Params    []Counted     // names of query parameters, by addresses
}

// Counted is a text of the site and how often it was met.
type Counted struct {
	Text string
	N    int
}

// explorer is one Explore under way.
type explorer struct {
	*run
	found    *Exploration
	fetch    *fetcher
	visit    func(*document.Page)
	sections map[string]*section
	maps     map[string]bool

	languages, alternate, fileHosts, origins, params tallies
}

// Explore has a first look at the site of the only start URL: where it redirects
// to, robots.txt, sitemaps, and a sample of thirty pages at most, spread over its
// sections, one after the other. visit gets each page; its tree is valid until it
// returns. The error says why the site can't be read, and is ctx's when that is
// done. A crawler that has explored is good for nothing else.
func (c *Crawler) Explore(ctx context.Context, visit func(*document.Page)) (*Exploration, error) {
	whole := ctx
	ctx, cancel := context.WithTimeout(whole, exploreFor)
	defer cancel()
	c.opts.Table, c.opts.Only = spool.NewTable(), func(string) bool { return false } // count, queue nothing
	c.opts.MaxBody, c.opts.Retries = min(c.opts.MaxBody, exploreBody), 0
	e := &explorer{
		run: &run{Crawler: c, past: noPast{}}, found: &Exploration{Asked: c.start[0]}, fetch: newFetcher(ctx, c), visit: visit,
		sections: map[string]*section{}, maps: map[string]bool{},
		languages: tallies{}, alternate: tallies{}, fileHosts: tallies{}, origins: tallies{}, params: tallies{},
	}
	e.note = e.entry
	h, err := e.arrive(ctx)
	if err != nil {
		return nil, errors.Join(whole.Err(), err)
	}
	e.sitemaps(ctx, h)
	e.sample(ctx, h)
	e.sum()
	return e.found, whole.Err()
}

// arrive reads the first page, behind redirects. A redirect to another origin
// makes that the site; the guard still judges it by the address that was given.
func (e *explorer) arrive(ctx context.Context) (*host, error) {
	url := e.start[0]
	for range robotsHops + 1 {
		if err := e.settle(ctx, weburl.Origin(url)); err != nil {
			return nil, fmt.Errorf("read %s: %w", url, err)
		}
		h := e.order[0]
		if ok, rule := h.robots.Allowed(weburl.Target(url)); !ok {
			return nil, fmt.Errorf("read %s: robots.txt forbids it to %s: %s", url, e.opts.agent(), rule)
		}
		p, err := e.ask(ctx, h, url)
		if err != nil {
			return nil, err
		}
		switch {
		case p.Target != "":
			url = p.Target
		case p.Seen != document.Read && p.Seen != document.NoIndex:
			why := p.Why
			if why == "" {
				why = fmt.Sprintf("HTTP status %d %s", p.Status, http.StatusText(p.Status))
			}
			return nil, fmt.Errorf("read %s: %s", url, why)
		default:
			e.section(url).asked++
			e.found.Start, e.found.Delay = url, h.robots.Delay
			return h, nil
		}
	}
	return nil, fmt.Errorf("read %s: its redirects don't end", e.start[0])
}

// settle makes origin the site and reads its robots.txt.
func (e *explorer) settle(ctx context.Context, origin string) (err error) {
	if e.hosts[origin] == nil {
		h := newHost(origin, 0, newPace(1, e.opts.Delay))
		e.hosts, e.order = map[string]*host{origin: h}, []*host{h}
		if e.scope, err = weburl.NewScope([]string{origin}, nil, nil); err != nil {
			return err
		}
	}
	h := e.order[0]
	if h.robots == nil {
		e.loadRobots(ctx, h)
	}
	if h.robots == nil {
		return errors.New(h.reason)
	}
	return nil
}

// ask asks for one page, gives it to visit, and takes in what it says.
func (e *explorer) ask(ctx context.Context, h *host, url string) (document.Page, error) {
	e.opts.Table.Mark(spool.Fingerprint(url), spool.Queued)
	x, err := (&worker{run: e.run, host: h, fetcher: e.fetch}).ask(ctx, url, document.Hints{})
	defer e.fetch.release()
	if err := errors.Join(err, ctx.Err()); err != nil {
		return document.Page{}, err
	}
	p, links := e.reader.Read(x.answer(url), document.Known{})
	if p.Root == nil {
		return p, nil
	}
	e.found.Sampled++
	e.words(p.Root)
	for _, link := range links.Found {
		e.link(link.URL)
	}
	e.visit(&p)
	p.Root, p.Body = nil, nil // not valid any longer
	return p, nil
}
