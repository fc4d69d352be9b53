package crawl

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"sitesync/crawl/frontier"
	"sitesync/crawl/site"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// discover fills the first wave: robots.txt, sitemaps, then what is known, then start
// URLs and the folder's files. Then it probes each host.
func (r *run) discover(ctx context.Context) error {
	if err := r.eachSite(ctx, r.loadRobots); err != nil {
		return err
	}
	for _, h := range r.crawler.sites() {
		if err := r.trustHost(h); err != nil {
			return err
		}
		if r.traps != nil {
			r.traps.Recall(h.index, h.found.Repeats)
		}
	}
	if err := r.loadSitemaps(ctx); err != nil {
		return err
	}
	for _, url := range r.crawler.site.Start {
		r.seed(url, spool.Start)
	}
	if err := r.past.Known(func(url string, known document.Known) error { return r.knownURL(ctx, url, known) }); err != nil {
		return err
	}
	for _, url := range r.opts.OnlyURLs {
		r.seed(url, spool.Start)
	}
	if r.crawler.folder != nil {
		for url, err := range r.crawler.folder.Seeds() {
			if err != nil {
				r.warnings.Add("folder", "", err.Error())
				r.crawler.order[0].partial.Store(true)
				continue
			}
			r.seed(url, 0)
		}
	}
	if r.opts.MaxPages > 0 {
		// Start URLs always go, then what is known, then the rest. Within a group those with
		// the smallest fingerprints go, so that the choice depends on nothing but the URLs.
		known := r.opts.Table.Fingerprints(spool.Known, spool.Start)
		room := max(0, r.opts.MaxPages-r.opts.Table.Count(spool.Start))
		r.knownLimit, r.budget = smallest(known, room), max(0, room-len(known))
	}
	return r.eachSite(ctx, r.probe)
}

// eachSite does something with every start host, all at once.
func (r *run) eachSite(ctx context.Context, do func(context.Context, *host)) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, h := range r.crawler.sites() {
		group.Go(func() error {
			do(ctx, h)
			return ctx.Err()
		})
	}
	return group.Wait()
}

// trustHost finds out what is obeyed of a host's robots.txt, and whether the last run knew
// every link of the host.
func (r *run) trustHost(h *host) error {
	memory, err := r.past.Host(h.origin)
	if err != nil {
		return err
	}
	r.obeyRobots(h, memory.Robots)
	h.proven = !r.crawler.site.Staged(h.origin) && memory.Followed != "" && memory.Followed == h.found.Followed && r.opts.Render != renderAlways
	r.crawler.site.Recall(h.origin, memory.Folded)
	h.found.Repeats = memory.Repeats
	return nil
}

// seed queues url for the first wave when it is in scope.
func (r *run) seed(url string, flags uint16) {
	h := r.crawler.hosts[weburl.Origin(url)]
	if h == nil || r.opts.Only != nil && !r.opts.Only(url) {
		return
	}
	if ok, why := r.crawler.site.Includes(url); !ok {
		if flags&spool.Start != 0 {
			r.warnings.Add("start", url, "out of scope: "+why)
		}
		listed, _ := r.opts.Table.Get(spool.Fingerprint(url))
		r.left.add(document.Page{URL: url, Seen: document.LeftOut, Why: why, InSitemap: listed&spool.InSitemap != 0})
		return
	}
	wave := 0
	if site.IsFile(url) {
		wave = frontier.FileWave
	}
	if r.frontier.Add(frontier.Key{Wave: wave, Host: h.index}, url, flags|spool.Seeded)&spool.Queued == 0 {
		r.opts.Progress.Found.Add(1)
	}
}

// knownURL looks at one URL of the ledger: out of scope, unchanged by a trusted hint,
// or queued.
func (r *run) knownURL(ctx context.Context, url string, known document.Known) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	fp := spool.Fingerprint(url)
	flags, lastmod := r.opts.Table.Get(fp)
	if known.Failing {
		r.opts.Table.Mark(fp, spool.Failing)
	}
	h := r.crawler.hosts[weburl.Origin(url)]
	if flags&spool.Sighted != 0 || r.opts.Only != nil && !r.opts.Only(url) {
		return nil
	}
	if canonical, err := r.crawler.site.Canon.URL(url); err != nil || canonical != url {
		return r.reformed(ctx, fp, url, canonical, err)
	}
	if ok, why := r.crawler.site.Includes(url); !ok {
		r.opts.Table.Mark(fp, spool.Sighted)
		p := &document.Page{URL: url, Seen: document.OutOfScope, Why: why}
		if unsure := r.crawler.site.Unsure(url); unsure != "" { // no evidence, then
			p.Seen, p.Why = document.Unread, unsure
		}
		return r.sink.Page(ctx, p)
	}
	unchanged := flags&spool.InSitemap != 0 && lastmod != 0 && known.Skip && known.Hints.Lastmod == int64(lastmod) &&
		!r.crawler.excludes(url, known)
	rests := known.Rests && flags&(spool.Start|spool.InSitemap) == 0
	if (unchanged || rests) && r.crawler.folder == nil && !h.given.Load() && h.proven { // its links are known
		if ok, _ := h.robots.Allowed(weburl.Target(url)); ok {
			r.opts.Table.Mark(fp, spool.Queued|spool.Known|spool.Sighted|spool.Kept|spool.Unasked)
			r.skipped.Add(1)
			r.opts.Progress.Looked.Add(1)
			if rests && flags&spool.Queued == 0 { // it counts in the cap of a trap
				r.frontier.AddSecond(frontier.Key{Host: h.index}, url)
			}
			return nil
		}
	}
	if r.opts.MaxDepth > 0 && flags&spool.Queued == 0 { // its depth is not known
		r.opts.Table.Mark(fp, spool.Known)
		r.frontier.AddSecond(frontier.Key{Wave: frontier.KnownWave, Host: h.index}, url)
		return nil
	}
	r.seed(url, spool.Known)
	return nil
}

// reformed handles a known ID whose form under today's rules is another one: it
// has moved there.
func (r *run) reformed(ctx context.Context, fp uint64, url, canonical string, err error) error {
	p := &document.Page{URL: url, Seen: document.Moved, Target: canonical, Why: "today's rules write this address differently"}
	if err != nil {
		p.Seen, p.Why = document.OutOfScope, fmt.Sprintf("the address is no longer accepted: %v", err)
	} else {
		r.seed(canonical, 0)
	}
	r.opts.Table.Mark(fp, spool.Sighted)
	return r.sink.Page(ctx, p)
}

// leftOut gathers addresses that a page or a sitemap names and that are not asked: mostLeft at
// most, those with the smallest fingerprints, so that the choice depends on nothing but the URLs.
type leftOut struct {
	mu     sync.Mutex
	halved int // how often the fingerprints that are kept were halved
	all    map[uint64]document.Page
}

const mostLeft = 10_000

// add takes in an address. Of several pages that name it the first in the order of URLs counts.
func (l *leftOut) add(p document.Page) {
	fp := spool.Fingerprint(p.URL)
	l.mu.Lock()
	defer l.mu.Unlock()
	if fp > math.MaxUint64>>l.halved {
		return
	}
	if was, known := l.all[fp]; known {
		if was.First.From <= p.First.From {
			was, p = p, was
		}
		p.InSitemap = p.InSitemap || was.InSitemap
	}
	if l.all == nil {
		l.all = map[uint64]document.Page{}
	}
	l.all[fp] = p
	for len(l.all) > mostLeft {
		l.halved++
		maps.DeleteFunc(l.all, func(fp uint64, _ document.Page) bool { return fp > math.MaxUint64>>l.halved })
	}
}

// outside says why an address is not the site's; empty where it is.
func (r *run) outside(url string) (seen document.Seen, why string) {
	if r.crawler.hosts[weburl.Origin(url)] == nil {
		return document.OtherHost, "it is on another host"
	}
	if site.IsAsset(url) {
		ext := strings.ToLower(path.Ext(weburl.Path(url)))
		return document.LeftOut, "its name ends in " + ext + ", which makes no document"
	}
	if ok, why := r.crawler.site.Includes(url); !ok {
		return document.LeftOut, why
	}
	return "", ""
}

// tellLeft hands over what was left out, and neither known nor asked all the same.
func (r *run) tellLeft(ctx context.Context) error {
	for fp, p := range r.left.all {
		if flags, _ := r.opts.Table.Get(fp); flags&(spool.Queued|spool.Sighted|spool.Known) != 0 {
			continue
		}
		if err := r.sink.Page(ctx, &p); err != nil {
			return err
		}
	}
	return nil
}
