package crawl

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// Crawler crawls one site. See Run and Look.
type Crawler struct {
	opts      Options
	start     []string // canonical
	canon     *Canonicalizer
	scope     *Scope
	rules     pageRules
	variants  *variants
	via, live map[string]string // live origin → staging origin, and back
	transport http.RoundTripper
	guard     *Guard
	proxy     *Proxy
	folder    *Folder // nil: the network
	bodies    *bodyReader
	renderer  *renderer
	hosts     map[string]*host // by origin
	order     []*host
	now       func() time.Time
	patience  time.Duration // how long one page is waited for
	token     func() string // nobody can guess it

	trapLimits trapLimits
}

// New returns a crawler for the options. All that is wrong with addresses and
// patterns is in the error.
func New(o Options) (*Crawler, error) {
	if o.Progress == nil {
		o.Progress = &Progress{}
	}
	c := &Crawler{
		opts: o, canon: NewCanonicalizer(o.IgnoreParams), bodies: newBodyReader(),
		hosts: map[string]*host{}, now: time.Now, token: rand.Text, patience: briefWait,
		trapLimits: defaultTrapLimits(),
	}
	c.renderer = newRenderer(c)
	var errs []error
	for _, raw := range o.Start {
		url, err := c.canon.URL(raw)
		if err != nil {
			errs = append(errs, fmt.Errorf("site.start: %w", err))
			continue
		}
		c.start = append(c.start, url)
		if origin := Origin(url); c.hosts[origin] == nil {
			c.hosts[origin] = newHost(origin, len(c.order), newPace(o.Concurrency, o.Delay))
			c.order = append(c.order, c.hosts[origin])
		}
	}
	var err error
	if c.scope, err = NewScope(originsOf(c.order), o.Include, o.Exclude); err != nil {
		errs = append(errs, err)
	} else {
		errs = append(errs, c.addFileHosts(), c.addVia())
	}
	if c.rules, err = newPageRules(&o); err != nil {
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	c.addVariants()
	if err := c.connect(); err != nil {
		return nil, err
	}
	return c, nil
}

// connect chooses what stands for the network.
func (c *Crawler) connect() error {
	if c.opts.Folder != "" {
		folder, err := NewFolder(c.opts.Folder, Origin(c.start[0]))
		if err != nil {
			return err
		}
		c.folder, c.transport = folder, folder
		return nil
	}
	guard, err := NewGuard(c.asked(c.start), c.opts.Networks)
	if err != nil {
		return err
	}
	o, err := c.opts.transport(guard, c.now())
	c.guard, c.proxy, c.transport = guard, o.Proxy, c.rerouted(NewTransport(o))
	return err
}

// Close ends the browser, and closes idle connections and the folder.
func (c *Crawler) Close() error {
	c.renderer.browser.end()
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
	*Crawler
	past       Past
	sink       Sink
	frontier   *frontier
	notes      *linkNotes
	traps      *traps
	files      int             // the last wave of files that may hold some
	budget     int             // new pages that may still be asked, when max_pages limits them
	knownLimit uint64          // the largest fingerprint of a known page that max_pages lets be asked
	overtime   <-chan struct{} // closed when max-duration is over: nothing more is asked

	fetched, notModified, skipped atomic.Int64
	warnings

	note func(h *host, file string, e SitemapEntry) // gets all that sitemaps list, of each file an empty entry first; nil: nobody
}

// Run looks at every URL of the site once and gives each page to sink. It returns
// what was found of the hosts. It errs when ctx is done, when past or sink err, and
// when the work folder can't be written; a site that can't be read is no error but
// a host's state.
func (c *Crawler) Run(ctx context.Context, past Past, sink Sink) (document.Survey, error) {
	r := &run{Crawler: c, past: past, sink: sink}
	c.patience = longestWait
	if c.opts.MaxDuration > 0 {
		over, cancel := context.WithTimeout(context.Background(), c.opts.MaxDuration)
		defer cancel()
		r.overtime = over.Done()
	}
	r.askVariants(ctx)
	err := r.crawl(ctx)
	if err := errors.Join(err, r.close()); err != nil {
		return document.Survey{}, err
	}
	return r.survey(), ctx.Err()
}

func (r *run) crawl(ctx context.Context) error {
	var err error
	if note := r.proxy.Note(); note != "" {
		r.warn("proxy", "", note)
	}
	if r.frontier, err = openFrontier(filepath.Join(r.opts.Work, "frontier"), r.opts.Table, r.opts.Group, len(r.order)); err != nil {
		return err
	}
	if r.notes, err = openLinkNotes(filepath.Join(r.opts.Work, "links.log"), r.opts.Table, r.opts.Group); err != nil {
		return err
	}
	if r.traps, err = openTraps(r); err != nil {
		return err
	}
	r.recallDepth()
	for _, wave := range firstWaves {
		if err := r.frontier.prepare(wave, len(r.order)); err != nil {
			return err
		}
	}
	if err := r.discover(ctx); err != nil {
		return err
	}
	return r.waves(ctx)
}

func (r *run) close() error {
	var errs []error
	if r.frontier != nil {
		errs = append(errs, r.frontier.close())
	}
	if r.notes != nil {
		errs = append(errs, r.notes.close())
	}
	errs = append(errs, r.traps.close())
	return errors.Join(errs...)
}

// waves asks everything that is queued: what start URLs and sitemaps lead to, then
// what waits behind that.
func (r *run) waves(ctx context.Context) error {
	for _, first := range firstWaves {
		if first == againWave {
			if err := r.probeAgain(ctx); err != nil {
				return err
			}
		}
		if err := r.wavesFrom(ctx, first); err != nil {
			return err
		}
	}
	return nil
}

// wavesFrom asks a wave and what its pages lead to, one link further each time.
func (r *run) wavesFrom(ctx context.Context, first int) error {
	for wave := first; ; wave++ {
		if err := errors.Join(r.frontier.prepare(wave+1, len(r.order)), r.prepareFiles(wave+1)); err != nil {
			return err
		}
		if err := r.opts.Group.Flush(); err != nil {
			return err
		}
		if (wave < fileWave || wave >= r.files) && r.frontier.empty(wave, len(r.order)) {
			return nil
		}
		r.notes.index(wave)
		if err := r.wave(ctx, wave); err != nil {
			return err
		}
		if err := r.frontier.done(wave, len(r.order)); err != nil {
			return err
		}
	}
}

// wave asks what one wave holds, all hosts at once.
func (r *run) wave(ctx context.Context, wave int) error {
	r.traps.gauge(wave)
	pick := r.pick(wave)
	group, ctx := errgroup.WithContext(ctx)
	for _, h := range r.order {
		if wave < fileWave && r.isFileHost(h) {
			continue
		}
		urls := make(chan string, 4*r.opts.Concurrency)
		group.Go(func() error { return r.feed(ctx, queueKey{wave, h.index}, pick, urls) })
		for range max(1, r.opts.Concurrency) {
			worker := &worker{run: r, host: h, fetcher: newFetcher(ctx, r.Crawler), wave: wave}
			group.Go(func() error { return worker.work(ctx, urls) })
		}
	}
	return group.Wait()
}

// feed sends the URLs of a queue that were not looked at yet.
func (r *run) feed(ctx context.Context, key queueKey, pick picker, urls chan<- string) error {
	defer close(urls)
	for url := range r.frontier.urls(key) {
		if err := r.meet(ctx, r.order[key.host]); err != nil {
			return err
		}
		fp := spool.Fingerprint(url)
		flags := r.opts.Table.Mark(fp, spool.Queued)
		if flags&spool.Sighted != 0 || key.wave == knownWave && flags&spool.Queued != 0 {
			continue
		}
		if key.wave == knownWave {
			r.opts.Progress.Found.Add(1)
		}
		if flags&spool.Capped != 0 {
			continue
		}
		if !pick(fp, flags) {
			r.order[key.host].uncover()
			continue
		}
		select {
		case urls <- url:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (r *run) survey() document.Survey {
	s := document.Survey{
		Complete: true, Discovered: r.opts.Table.Count(spool.Queued),
		Fetched: int(r.fetched.Load()), NotModified: int(r.notModified.Load()), SkippedByHint: int(r.skipped.Load()),
	}
	s.Caps = r.traps.report()
	for _, h := range r.order {
		report := h.report()
		if r.idle(h, report) {
			continue
		}
		r.variants.report(h, &report)
		s.Hosts = append(s.Hosts, report)
		s.Complete = s.Complete && report.Covered
	}
	s.Warnings = r.warnings.all()
	return s
}
