package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"sitesync/crawl/folder"
	"sitesync/crawl/frontier"
	"sitesync/crawl/memory"
	"sitesync/crawl/pace"
	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/crawl/trap"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/warning"
	"sitesync/internal/weburl"
)

// A Crawler requests the pages of one site: all of them with Run, or a single page with Look.
type Crawler struct {
	opts   Options
	site   *site.Site
	client *client
	reader *reader
	guard  *transport.Guard
	proxy  *transport.Proxy

	trapLimit int // most URLs of one pattern, passed to trap.New; only tests set it
}

// New returns a crawler. It errs if a folder, file, address or pattern in the options can't be used.
func New(o Options) (*Crawler, error) {
	o.Progress, o.Began = cmp.Or(o.Progress, &Progress{}), cmp.Or(o.Began, time.Now())
	of, err := site.New(o.Options)
	if err != nil {
		return nil, err
	}
	c := &Crawler{opts: o, site: of}
	c.client = &client{
		opts: &c.opts, site: of, hosts: newHosts(of, &c.opts),
		memory: memory.New(cmp.Or(o.Memory, memory.Usual)), patience: briefWait,
		over: context.Background(), warnings: &warning.List{},
	}
	c.reader = newReader(c.client)
	if err := c.connect(); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Crawler) connect() (err error) {
	if c.opts.Folder != "" {
		c.client.folder, err = folder.Open(c.opts.Folder, weburl.Origin(c.site.Start[0]), c.opts.Own...)
		if err != nil {
			return err
		}
		c.client.transport = c.client.folder
		return nil
	}
	named := slices.Concat(c.site.Asked(), c.site.FileOrigins(), c.opts.Sitemaps)
	c.guard, err = transport.NewGuard(named, c.opts.Networks)
	if err != nil {
		return err
	}
	o := transport.Options{
		Guard: c.guard, Timeout: c.opts.Timeout, Credentials: c.opts.Credentials,
		Concurrency: c.opts.Concurrency, Via: c.site.Via,
	}
	var authorities, cookies, proxy error
	o.RootCAs, authorities = transport.ReadAuthorities("fetch.ca_file", c.opts.CAFile)
	o.Cookies, cookies = transport.ReadCookies(c.opts.Cookies, time.Now())
	o.Proxy, proxy = transport.ReadProxy("fetch.proxy", c.opts.Proxy, c.opts.Credentials)
	c.proxy, c.client.transport = o.Proxy, transport.New(o)
	return errors.Join(authorities, cookies, proxy)
}

// Site returns the rules that decide which URLs belong to the site.
func (c *Crawler) Site() *site.Site { return c.site }

// Close ends the browser, and closes idle connections and the local folder that was crawled.
func (c *Crawler) Close() error {
	c.reader.renderer.Close()
	if t, ok := c.client.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
	if closer, ok := c.client.transport.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Run requests each URL of the site once and calls sink for each page. It returns a report on each host. It
// errs if ctx is done, if past or sink errs, or if the work folder can't be written. An unreachable host is
// no error: its report says so.
func (c *Crawler) Run(ctx context.Context, past Past, sink Sink) (document.Survey, error) {
	c.client.patience = pace.Longest
	if c.opts.MaxDuration > 0 {
		var cancel context.CancelFunc
		c.client.over, cancel = context.WithTimeout(c.client.over, c.opts.MaxDuration)
		defer cancel()
	}
	c.client.askVariants(ctx)
	q := &queue{opts: &c.opts, site: c.site, hosts: c.client.hosts, warnings: c.client.warnings}
	q.left.all = map[uint64]document.Page{}
	l := &looks{opts: &c.opts, queue: q, reader: c.reader, past: past, sink: sink}
	if err := c.crawl(ctx, l); err != nil {
		return document.Survey{}, err
	}
	return c.survey(l), ctx.Err()
}

func (c *Crawler) crawl(ctx context.Context, l *looks) (err error) {
	if note := c.proxy.Note(); note != "" {
		c.client.warnings.Add("proxy", "", note)
	}
	dir := filepath.Join(c.opts.Work, "frontier")
	l.queue.frontier, err = frontier.Open(dir, c.opts.Table, c.opts.Group, len(c.client.hosts.all))
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, l.queue.frontier.Close()) }()
	l.queue.notes, err = frontier.OpenNotes(filepath.Join(c.opts.Work, "links.log"), c.opts.Table, c.opts.Group)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, l.queue.notes.Close()) }()
	if c.client.folder == nil { // a local folder has no traps (endless sets of URLs)
		bodies, openErr := spool.OpenLog(filepath.Join(c.opts.Work, "bodies.log"))
		if openErr != nil {
			return openErr
		}
		c.opts.Group.Add(bodies, true)
		defer func() { err = cmp.Or(err, c.opts.Group.Remove(bodies), bodies.Close()) }()
		l.traps = trap.New(c.trapLimit, bodies)
	}
	if c.opts.MaxDepth > 0 && c.opts.Table.Count(spool.Sighted) > 0 {
		for _, h := range c.client.hosts.all { // a resumed run does not know where MaxDepth left URLs out
			h.partial.Store(true)
		}
	}
	for _, wave := range frontier.FirstWaves {
		if err := l.queue.frontier.Prepare(wave); err != nil {
			return err
		}
	}
	d := &discovery{client: c.client, queue: l.queue, looks: l}
	if err := d.fill(ctx); err != nil {
		return err
	}
	w := &waves{client: c.client, queue: l.queue, looks: l}
	w.limit()
	for _, first := range frontier.FirstWaves {
		if err := w.ask(ctx, first); err != nil {
			return err
		}
	}
	return l.tellLeft(ctx)
}

func (c *Crawler) survey(l *looks) document.Survey {
	s := document.Survey{Complete: true, Counts: document.Counts{
		Discovered: c.opts.Table.Count(spool.Queued), Fetched: int(l.fetched.Load()),
		NotModified: int(l.notModified.Load()), SkippedByHint: int(l.skipped.Load()),
	}}
	if c.client.over.Err() != nil && c.opts.Table.Count(spool.Sighted) == 0 {
		c.client.warnings.Add("duration", "", pace.ErrOvertime.Error()+" before a page was looked at: give more")
	}
	if l.traps != nil {
		var cut []string
		s.Caps, cut = l.traps.Caps()
		for _, trapped := range s.Caps {
			c.client.warnings.Add("trap", trapped.Example, fmt.Sprintf("%s; a sitemap that lists them has them asked "+
				"all the same, site.exclude = ['re:%s'] leaves out the others too", trapped.Why, trapped.Pattern))
		}
		for _, origin := range cut {
			c.client.hosts.of(origin).partial.Store(true)
		}
	}
	for _, h := range c.client.hosts.all {
		if h.pace.Overdrawn() {
			c.client.warnings.Add("wait", h.origin+"/", fmt.Sprintf("waiting for this host took all of fetch.max_wait "+
				"(%s): from then on a page that failed was not asked again, and slow answers were cut. The next run "+
				"asks those pages early. If the host needs more time, raise fetch.max_wait; if it answers 429, raise "+
				"fetch.delay", c.opts.MaxWait))
		}
		report := h.report()
		if c.client.hosts.onlyFiles(h) && h.robots == nil && report.Covered {
			continue
		}
		// folded: origins that redirect to this host; fresh: one of these redirects is new since the last run
		folded, fresh := c.site.Folded(h.origin)
		report.Folded = folded
		if l.traps != nil {
			report.Repeats = l.traps.Repeats(h.index, h.origin, report.Repeats)
		}
		if fresh && h.proven { // links to a new folded origin now count, so the next run must read all pages
			report.Followed = ""
		}
		s.Hosts = append(s.Hosts, report)
		s.Complete = s.Complete && report.Covered
	}
	s.Warnings = c.client.warnings.All()
	return s
}
