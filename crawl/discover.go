package crawl

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"

	"sitesync/crawl/frontier"
	"sitesync/crawl/page"
	"sitesync/crawl/signs"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

type discovery struct {
	client *client
	queue  *queue
	looks  *looks
}

// fill queues start URLs, sitemap URLs, URLs of the ledger (the record of earlier runs) and files of the local
// folder. Then it probes how each host answers requests for missing pages.
func (d *discovery) fill(ctx context.Context) error {
	if err := d.eachSite(ctx, d.client.loadRobots); err != nil {
		return err
	}
	for _, h := range d.client.hosts.sites() {
		if err := d.client.trustHost(d.looks.past, h); err != nil {
			return err
		}
		if d.looks.traps != nil {
			d.looks.traps.Recall(h.index, h.found.Repeats)
		}
	}
	if err := d.loadSitemaps(ctx); err != nil {
		return err
	}
	for _, url := range d.queue.site.Start {
		d.queue.seed(url, spool.Start)
	}
	err := d.looks.past.Known(func(url string, known document.Known) error { return d.knownURL(ctx, url, known) })
	if err != nil {
		return err
	}
	for _, url := range d.client.opts.OnlyURLs {
		d.queue.seed(url, spool.Start)
	}
	if d.client.folder != nil {
		for url, err := range d.client.folder.Seeds() {
			if err != nil {
				d.queue.warnings.Add("folder", "", err.Error())
				d.client.hosts.all[0].partial.Store(true)
				continue
			}
			d.queue.seed(url, 0)
		}
	}
	return d.eachSite(ctx, d.probe)
}

func (d *discovery) eachSite(ctx context.Context, do func(context.Context, *host)) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, h := range d.client.hosts.sites() {
		group.Go(func() error {
			do(ctx, h)
			return ctx.Err()
		})
	}
	return group.Wait()
}

func (d *discovery) probe(ctx context.Context, h *host) {
	if d.client.folder == nil && !h.given.Load() {
		asking, end := d.client.asking(ctx)
		defer end()
		(&probe{host: h, fetcher: newFetcher(asking, d.client), reader: d.looks.reader}).learn(ctx)
	}
}

// knownURL queues one URL of the ledger, unless its page is very likely unchanged. A URL that is out of scope
// or has a new canonical form is reported to the sink instead.
func (d *discovery) knownURL(ctx context.Context, url string, known document.Known) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	fp := spool.Fingerprint(url)
	flags, lastmod := d.client.opts.Table.Get(fp)
	if known.Failing {
		d.client.opts.Table.Mark(fp, spool.Failing)
	}
	h := d.client.hosts.of(url)
	if flags&spool.Sighted != 0 || d.client.opts.Only != nil && !d.client.opts.Only(url) {
		return nil
	}
	if canonical, err := d.queue.site.Canon.URL(url); err != nil || canonical != url {
		return d.reformed(ctx, fp, url, canonical, err)
	}
	if ok, why := d.queue.site.Includes(url); !ok {
		d.client.opts.Table.Mark(fp, spool.Sighted)
		p := &document.Page{URL: url, Seen: document.OutOfScope, Why: why}
		if unsure := d.queue.site.Unsure(url); unsure != "" { // perhaps in scope: keep its document
			p.Seen, p.Why = document.Unread, unsure
		}
		return d.looks.sink.Page(ctx, p)
	}
	unchanged := flags&spool.InSitemap != 0 && lastmod != 0 && known.Skip && known.Hints.Lastmod == int64(lastmod) &&
		!d.queue.excludes(url, known)
	rests := known.Rests && flags&(spool.Start|spool.InSitemap) == 0
	// if the last run followed links by the same rules (h.proven), the links of a skipped page are known
	if (unchanged || rests) && d.client.folder == nil && !h.given.Load() && h.proven {
		if ok, _ := h.robots.Allowed(weburl.Target(url)); ok {
			d.client.opts.Table.Mark(fp, spool.Queued|spool.Known|spool.Sighted|spool.Kept|spool.Unasked)
			d.looks.skipped.Add(1)
			d.client.opts.Progress.Looked.Add(1)
			if rests && flags&spool.Queued == 0 { // this URL is queued only so that package trap counts it
				d.queue.frontier.AddSecond(frontier.Key{Host: h.index}, url)
			}
			return nil
		}
	}
	// no link has given this URL a depth yet, so it waits until all links within max_depth are followed
	if d.client.opts.MaxDepth > 0 && flags&spool.Queued == 0 {
		d.client.opts.Table.Mark(fp, spool.Known)
		d.queue.frontier.AddSecond(frontier.Key{Wave: frontier.KnownWave, Host: h.index}, url)
		return nil
	}
	d.queue.seed(url, spool.Known)
	return nil
}

// reformed reports a URL of the ledger as moved to its new canonical form, or as out of scope if it has none.
func (d *discovery) reformed(ctx context.Context, fp uint64, url, canonical string, err error) error {
	const why = "today's rules write this address differently"
	p := &document.Page{URL: url, Seen: document.Moved, Target: canonical, Why: why}
	if err != nil {
		p.Seen, p.Why = document.OutOfScope, fmt.Sprintf("the address is no longer accepted: %v", err)
	} else {
		d.queue.seed(canonical, 0)
	}
	d.client.opts.Table.Mark(fp, spool.Sighted)
	return d.looks.sink.Page(ctx, p)
}

const (
	mostErrorPageBytes = 1 << 20
	mostProbeRedirects = 5
)

// probe finds out how a host answers requests for pages that do not exist. It obeys robots.txt.
type probe struct {
	host    *host
	fetcher *fetcher
	reader  *reader
}

// learn requests a page that cannot exist. If the host redirects the request to another page of the host
// that is no login, learn sets absence.Place to this page. If the host shows an error page, learn sets
// absence.Page to what two such pages have in common.
func (p *probe) learn(ctx context.Context) {
	name := "nosuchpage" + strings.ToLower(rand.Text())
	absence := &p.host.absence
	first := p.shown(ctx, name)
	if first == nil {
		return
	}
	if first.Target != "" { // a redirect to a login, or to no page, is ignored
		if first.Interstitial == "" && p.answer(ctx, first.Target) != nil {
			absence.Place = first.Target
		}
		return
	}
	second := p.shown(ctx, name+"/"+strings.ToLower(rand.Text())+".html")
	if second == nil || second.Status != first.Status {
		second = first
	}
	absence.Page = signs.NewNotFound(first, second)
}

// shown requests the page name at the host's root, and returns the answer: a page or a redirect. It follows a
// redirect whose target contains name, such as the same address with a final slash.
func (p *probe) shown(ctx context.Context, name string) *document.Page {
	url := p.host.origin + "/" + name
	for range 1 + mostProbeRedirects {
		got := p.answer(ctx, url)
		if got == nil || !strings.Contains(strings.ToLower(weburl.Path(got.Target)), name) {
			return got
		}
		url = got.Target
	}
	return nil
}

// answer requests url. It returns a redirect, or an HTML page with status 200, 404 or 410; otherwise nil.
func (p *probe) answer(ctx context.Context, url string) *document.Page {
	if weburl.Origin(url) != p.host.origin {
		return nil
	}
	if allowed, _ := p.host.robots.Allowed(weburl.Target(url)); !allowed {
		return nil
	}
	x, err := p.fetcher.ask(ctx, p.host, url, document.Hints{})
	defer p.fetcher.release()
	if err != nil || x.err != nil {
		return nil
	}
	if led, _ := p.reader.answers.Read(&x.Answer, document.Known{}); led.Target != "" {
		return &led
	}
	there := x.Status == http.StatusOK || x.Status == http.StatusNotFound || x.Status == http.StatusGone
	if !there || !document.IsHTML(x.Media) || len(x.Body) == 0 || len(x.Body) > mostErrorPageBytes {
		return nil
	}
	shown := document.Page{URL: x.URL, Seen: document.Read, Status: x.Status, Header: x.Header, Media: x.Media}
	shown.Root, shown.Charset, err = x.Parse()
	if kind, _ := signs.FindInterstitial(shown.URL, shown.Status, shown.Header, shown.Root); err != nil || kind != "" {
		return nil
	}
	rendered, _ := p.reader.render(ctx, x, shown, page.Links{})
	if rendered.Root == nil {
		return nil
	}
	shown.Root = rendered.Root
	return &shown
}
