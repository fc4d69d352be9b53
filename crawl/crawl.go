package crawl

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"sitesync/crawl/chrome"
	"sitesync/crawl/folder"
	"sitesync/crawl/frontier"
	"sitesync/crawl/memory"
	"sitesync/crawl/pace"
	"sitesync/crawl/reading"
	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/crawl/trap"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/warning"
	"sitesync/internal/weburl"
)

// Crawler crawls one site. See Run and Look.
type Crawler struct {
	opts      Options
	site      *site.Site
	transport http.RoundTripper
	guard     *transport.Guard
	proxy     *transport.Proxy
	folder    *folder.Folder // nil: the network
	bodies    *transport.Bodies
	memory    *memory.Budget
	reader    *reading.Reader
	renderer  *chrome.Renderer
	hosts     map[string]*host // by origin
	order     []*host
	starts    int           // hosts of start URLs, which come first
	patience  time.Duration // how long one page is waited for
	token     func() string // nobody can guess it

	trapLimit int
}

// New returns a crawler for the options. All that is wrong with addresses and
// patterns is in the error.
func New(o Options) (*Crawler, error) {
	if o.Progress == nil {
		o.Progress = &Progress{}
	}
	if o.Began.IsZero() {
		o.Began = time.Now()
	}
	of, err := site.New(site.Options{
		Start: o.Start, Include: o.Include, Exclude: o.Exclude, IgnoreParams: o.IgnoreParams, FollowOnly: o.FollowOnly, NoFollow: o.NoFollow,
		FileHosts: o.FileHosts, Via: o.Via, Folder: o.Folder != "",
	})
	if err != nil {
		return nil, err
	}
	c := &Crawler{opts: o, site: of, bodies: transport.NewBodies(), memory: memory.New(cmp.Or(o.Memory, memory.Usual)), hosts: map[string]*host{}, token: rand.Text, patience: briefWait}
	c.renderer = chrome.New(chrome.Options{
		Path: o.Browser, NoSandbox: o.NoSandbox, Tabs: min(mostTabs, o.Concurrency), MaxBody: o.MaxBody, Site: needs{c},
	})
	starts, files := of.Hosts()
	c.starts = len(starts)
	for _, origin := range slices.Concat(starts, files) { // those of files have no sitemaps, and their robots.txt is read when the first file is due
		c.hosts[origin] = newHost(origin, len(c.order), pace.New(o.Concurrency, o.Delay, o.MaxWait))
		c.order = append(c.order, c.hosts[origin])
	}
	c.reader = c.newReader()
	if err := c.connect(); err != nil {
		return nil, err
	}
	return c, nil
}

// connect chooses what stands for the network.
func (c *Crawler) connect() (err error) {
	if c.opts.Folder != "" {
		c.folder, err = folder.Open(c.opts.Folder, weburl.Origin(c.site.Start[0]), c.opts.Own...)
		if err != nil {
			return err
		}
		c.transport = c.folder
		return nil
	}
	c.guard, err = transport.NewGuard(slices.Concat(c.site.Asked(), c.site.FileOrigins(), c.opts.Sitemaps), c.opts.Networks)
	if err != nil {
		return err
	}
	o := transport.Options{Guard: c.guard, Timeout: c.opts.Timeout, Credentials: c.opts.Credentials, Concurrency: c.opts.Concurrency, Via: c.site.Via}
	var authorities, cookies, proxy error // of the files all faults are named
	o.RootCAs, authorities = transport.ReadAuthorities("fetch.ca_file", c.opts.CAFile)
	o.Cookies, cookies = transport.ReadCookies(c.opts.Cookies, time.Now())
	o.Proxy, proxy = transport.ReadProxy("fetch.proxy", c.opts.Proxy, c.opts.Credentials)
	c.proxy, c.transport = o.Proxy, transport.New(o)
	return errors.Join(authorities, cookies, proxy)
}

// Close ends the browser, and closes idle connections and the folder.
func (c *Crawler) Close() error {
	c.renderer.Close()
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
	if closer, ok := c.transport.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// run is the state of one Run.
type run struct {
	crawler    *Crawler
	opts       *Options // of the crawler
	past       Past
	sink       Sink
	frontier   *frontier.Frontier
	notes      *frontier.Notes
	traps      *trap.Traps     // nil: a folder
	bodyLog    *spool.Log      // of traps
	files      int             // the last wave of files that may hold some
	budget     int             // new pages that may still be asked, when max_pages limits them
	knownLimit uint64          // the largest fingerprint of a known page that max_pages lets be asked
	over       context.Context // done when max-duration is over: nothing more is asked

	fetched, notModified, skipped atomic.Int64
	warnings                      warning.List
	left                          leftOut
}

func (c *Crawler) newRun(past Past, sink Sink) *run {
	return &run{crawler: c, opts: &c.opts, past: past, sink: sink, over: context.Background()}
}

// Run looks at every URL of the site once and gives each page to sink. It returns
// what was found of the hosts. It errs when ctx is done, when past or sink err, and
// when the work folder can't be written; a site that can't be read is no error but
// a host's state.
func (c *Crawler) Run(ctx context.Context, past Past, sink Sink) (document.Survey, error) {
	r := c.newRun(past, sink)
	c.patience = pace.Longest
	if c.opts.MaxDuration > 0 {
		var cancel context.CancelFunc
		r.over, cancel = context.WithTimeout(r.over, c.opts.MaxDuration)
		defer cancel()
	}
	r.crawler.askVariants(ctx)
	if err := cmp.Or(r.crawl(ctx), r.close()); err != nil { // the first one: a broken work file says so at every step
		return document.Survey{}, err
	}
	return r.survey(), ctx.Err()
}

// asking returns the context of requests, which the end of max-duration breaks off.
func (r *run) asking(ctx context.Context) (asking context.Context, end func()) {
	asking, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(r.over, func() { cancel(pace.ErrOvertime) })
	return asking, func() { stop(); cancel(nil) }
}

func (r *run) crawl(ctx context.Context) (err error) {
	if note := r.crawler.proxy.Note(); note != "" {
		r.warnings.Add("proxy", "", note)
	}
	r.frontier, err = frontier.Open(filepath.Join(r.opts.Work, "frontier"), r.opts.Table, r.opts.Group, len(r.crawler.order))
	if err != nil {
		return err
	}
	r.notes, err = frontier.OpenNotes(filepath.Join(r.opts.Work, "links.log"), r.opts.Table, r.opts.Group)
	if err != nil {
		return err
	}
	if r.crawler.folder == nil { // which has an end; a resumed run counts anew from the queues on disk
		r.bodyLog, err = spool.OpenLog(filepath.Join(r.opts.Work, "bodies.log"))
		if err != nil {
			return err
		}
		r.opts.Group.Add(r.bodyLog, true)
		r.traps = trap.New(r.crawler.trapLimit, r.bodyLog)
	}
	if r.opts.MaxDepth > 0 && r.opts.Table.Count(spool.Sighted) > 0 {
		for _, h := range r.crawler.order { // what the run left out before it was interrupted is not known
			h.partial.Store(true)
		}
	}
	for _, wave := range frontier.FirstWaves {
		if err := r.frontier.Prepare(wave); err != nil {
			return err
		}
	}
	if err := r.discover(ctx); err != nil {
		return err
	}
	for _, first := range frontier.FirstWaves { // what start URLs and sitemaps lead to, then what waits behind that
		if err := r.waves(ctx, first); err != nil {
			return err
		}
	}
	return r.tellLeft(ctx)
}

func (r *run) close() (err error) {
	if r.frontier != nil {
		err = r.frontier.Close()
	}
	if r.notes != nil {
		err = cmp.Or(err, r.notes.Close())
	}
	if r.traps != nil {
		err = cmp.Or(err, r.opts.Group.Remove(r.bodyLog), r.bodyLog.Close())
	}
	return err
}

func (r *run) survey() document.Survey {
	s := document.Survey{Complete: true, Counts: document.Counts{
		Discovered: r.opts.Table.Count(spool.Queued), Fetched: int(r.fetched.Load()), NotModified: int(r.notModified.Load()), SkippedByHint: int(r.skipped.Load()),
	}}
	if r.over.Err() != nil && r.opts.Table.Count(spool.Sighted) == 0 {
		r.warnings.Add("duration", "", pace.ErrOvertime.Error()+" before a page was looked at: give more")
	}
	if r.traps != nil {
		var cut []string
		s.Caps, cut = r.traps.Caps()
		for _, c := range s.Caps {
			r.warnings.Add("trap", c.Example, fmt.Sprintf("%s; a sitemap that lists them has them asked all the same, site.exclude = ['re:%s'] leaves out the others too",
				c.Why, c.Pattern))
		}
		for _, origin := range cut {
			r.crawler.hosts[origin].partial.Store(true)
		}
	}
	for _, h := range r.crawler.order {
		if h.pace.Overdrawn() {
			r.warnings.Add("wait", h.origin+"/", fmt.Sprintf("waiting for this host took all of fetch.max_wait (%s): from then on a page that failed was not asked again, and slow answers were cut. "+
				"The next run asks those pages early. If the host needs more time, raise fetch.max_wait; if it answers 429, raise fetch.delay", r.opts.MaxWait))
		}
		report := h.report()
		if r.crawler.isFileHost(h) && h.robots == nil && report.Covered {
			continue // it had nothing to be asked for
		}
		folded, fresh := r.crawler.site.Folded(h.origin)
		report.Folded = folded
		if r.traps != nil {
			report.Repeats = r.traps.Repeats(h.index, h.origin, report.Repeats)
		}
		if fresh && h.proven { // pages that were skipped tonight may lead there: the next run reads them
			report.Followed = ""
		}
		s.Hosts = append(s.Hosts, report)
		s.Complete = s.Complete && report.Covered
	}
	s.Warnings = r.warnings.All()
	return s
}
