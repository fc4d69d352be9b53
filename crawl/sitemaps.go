package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"sitesync/crawl/sitemap"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

const (
	sitemapFiles   = 50_000 // of one host
	sitemapNesting = 4
)

// loadSitemaps reads the sitemaps of every host, marks and queues what they list,
// and compares them with those of the last run.
func (r *run) loadSitemaps(ctx context.Context) error {
	seen := map[string]bool{}
	var walks []*sitemapWalk
	for _, h := range r.crawler.sites() {
		if h.closed() {
			continue
		}
		addresses, guessed := r.sitemapsOf(h)
		if len(addresses) == 0 { // the owner wants none: nothing to compare
			continue
		}
		memory, err := r.past.Host(h.origin)
		if err != nil {
			return err
		}
		w := &sitemapWalk{run: r, host: h, total: memory.Sitemap, memory: sitemap.NewMemory(memory.Files), seen: seen}
		walks = append(walks, w)
		for _, address := range addresses {
			w.guessed = guessed
			if err := w.read(ctx, address, 0); err != nil {
				return err
			}
		}
	}
	for _, w := range walks { // only now: a sitemap may list another host's URLs
		w.host.found.Files = w.memory.Files(w.broken != "")
		switch {
		case w.broken != "":
			w.host.found.Unlisted = true
			w.host.degrade(document.HostSitemapCollapse, "a sitemap can't be read: "+w.broken)
		case w.host.found.Sitemap*2 < w.total:
			w.host.degrade(document.HostSitemapCollapse, fmt.Sprintf("the sitemaps list %s, less than half of the %d remembered", document.Count(w.host.found.Sitemap, "URL"), w.total))
		}
	}
	return nil
}

// sitemapsOf returns the addresses of a host's sitemaps; guessed says that nobody
// named them.
func (r *run) sitemapsOf(h *host) (addresses []string, guessed bool) {
	if !r.opts.AutoSitemaps {
		for _, address := range r.opts.Sitemaps {
			if strings.HasPrefix(address, h.origin+"/") || h.index == 0 && !slices.Contains(r.crawler.site.Origins(), weburl.Origin(address)) {
				addresses = append(addresses, address)
			}
		}
		return addresses, false
	}
	if len(h.robots.Sitemaps) > 0 {
		return h.robots.Sitemaps, false
	}
	return []string{h.origin + "/sitemap.xml"}, true
}

// sitemapWalk reads the sitemaps of one host, index files included.
type sitemapWalk struct {
	run     *run
	host    *host
	total   int // URLs that are remembered
	memory  *sitemap.Memory
	seen    map[string]bool
	guessed bool   // nobody named the file that is read; what it names is named
	broken  string // why the view of the sitemaps is incomplete
}

func (w *sitemapWalk) read(ctx context.Context, address string, depth int) error {
	address, err := w.run.crawler.site.Canon.Resolve(w.host.origin+"/", address)
	if err != nil {
		w.run.warnings.Add("sitemap", w.host.origin+"/", fmt.Sprintf("the address of a sitemap can't be used: %v; correct it in robots.txt or site.sitemaps", err))
		return nil
	}
	if w.seen[address] {
		return nil
	}
	if depth > sitemapNesting || len(w.seen) >= sitemapFiles {
		w.fail(address, "too many or too deeply nested sitemap files")
		return nil
	}
	w.seen[address] = true
	var kind sitemap.Kind
	var children []string
	count := 0
	x := w.run.request(ctx, w.host, address, func(resp *http.Response) (err error) {
		kind, children, count = "", nil, 0
		if resp.StatusCode != http.StatusOK {
			return resp.Body.Close()
		}
		kind, children, count, err = w.entries(ctx, resp, address)
		return err
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	w.answered(x, address, kind, count)
	w.guessed = false
	for _, child := range children {
		if err := w.read(ctx, child, depth+1); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// answered notes what the answer for one file says of it.
func (w *sitemapWalk) answered(x *exchange, address string, kind sitemap.Kind, count int) {
	file := spool.Fingerprint(address)
	gone := x.Status == http.StatusNotFound || x.Status == http.StatusGone
	refused := x.Status >= 400 && x.Status < 500 && x.Status != http.StatusTooManyRequests
	switch {
	case x.Status == 0 && x.err != nil:
		w.fail(address, transport.Explain(x.err))
	case w.guessed && (gone || refused && !w.memory.Listed(file)): // the guess was wrong: the host has no such file, or shows it to nobody
		w.memory.Forget(file)
	case gone: // it no longer lists anything
		w.memory.Forget(file)
		w.run.warnings.Add("sitemap", address, fmt.Sprintf("HTTP status %d", x.Status))
	case x.Status != http.StatusOK:
		w.fail(address, fmt.Sprintf("HTTP status %d", x.Status))
	case x.err == nil:
		w.memory.Note(file, count)
	case kind != "" && !errors.Is(x.err, sitemap.ErrBreaksOff): // it was read to its end
		w.host.found.Unlisted = true // an address more may have stood there
		w.memory.Note(file, count)
		w.run.warnings.Add("sitemap", address, x.err.Error())
	default:
		w.fail(address, x.err.Error())
	}
}

// fail warns of a file that can't be read. The view is incomplete if it listed something
// before; a file that never did is as if nobody had named it.
func (w *sitemapWalk) fail(address, why string) {
	w.run.warnings.Add("sitemap", address, why)
	file := spool.Fingerprint(address)
	w.memory.Note(file, 0)
	if w.memory.Listed(file) && w.broken == "" {
		w.broken = fmt.Sprintf("%s: %s", address, why)
	}
}

// entries marks and queues what one file lists, and returns the sitemaps that an
// index names and how many entries there are.
func (w *sitemapWalk) entries(ctx context.Context, resp *http.Response, address string) (kind sitemap.Kind, children []string, count int, err error) {
	body, err := w.run.crawler.bodies.Open(ctx, resp, transport.Limit{Bytes: sitemap.MaxBytes, Key: "the limit of a sitemap"})
	if err != nil {
		return "", nil, 0, err
	}
	defer func() { _ = body.Close() }()
	kind, err = sitemap.Read(body, func(e sitemap.Entry) bool {
		count++
		if e.Sitemap {
			children = append(children, e.Loc)
		} else {
			w.list(address, e)
		}
		return ctx.Err() == nil
	})
	return kind, children, count, err
}

// list marks and queues one URL of a sitemap. URLs of other origins are not the
// site's.
func (w *sitemapWalk) list(address string, e sitemap.Entry) {
	url, err := w.run.crawler.site.Canon.Resolve(address, e.Loc)
	if err != nil {
		w.run.warnings.Add("sitemap", address, err.Error())
		return
	}
	h := w.run.crawler.hosts[weburl.Origin(url)]
	if h == nil {
		return
	}
	fp := spool.Fingerprint(url)
	if w.run.opts.Table.Mark(fp, spool.InSitemap)&spool.InSitemap == 0 {
		h.found.Sitemap++
	}
	if e.Lastmod > 0 {
		w.run.opts.Table.SetValue(fp, uint64(e.Lastmod))
	}
	w.run.seed(url, 0)
}
