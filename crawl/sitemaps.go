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
		w := &sitemapWalk{run: r, host: h, seen: seen, most: sitemapFiles}
		walks = append(walks, w)
		for _, address := range addresses {
			w.guessed = guessed
			if err := w.read(ctx, address, 0); err != nil {
				return err
			}
		}
	}
	for _, w := range walks { // only now: a sitemap may list another host's URLs
		memory, err := r.past.Host(w.host.origin)
		if err != nil {
			return err
		}
		switch {
		case w.broken != "":
			w.host.unlisted = true
			w.host.degrade(document.HostSitemapCollapse, "a sitemap can't be read: "+w.broken)
		case w.host.listed*2 < memory.Sitemap:
			w.host.degrade(document.HostSitemapCollapse, fmt.Sprintf("the sitemaps list %s, %d in the last run", document.Count(w.host.listed, "URL"), memory.Sitemap))
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
	seen    map[string]bool
	most    int    // files that are read
	more    bool   // there are more than that, or deeper ones
	guessed bool   // nobody named the file that is read; what it names is named
	broken  string // why the view of the sitemaps is incomplete
}

func (w *sitemapWalk) read(ctx context.Context, address string, depth int) error {
	address, err := w.run.crawler.site.Canon.Resolve(w.host.origin+"/", address)
	if err != nil {
		w.run.warnings.Add("sitemap", w.host.origin+"/", fmt.Sprintf("the address of a sitemap is of no use: %v", err))
		return nil
	}
	if w.seen[address] {
		return nil
	}
	if depth > sitemapNesting || len(w.seen) >= w.most {
		w.more = true
		w.fail(address, "too many or too deeply nested sitemap files")
		return nil
	}
	w.seen[address] = true
	var kind sitemap.Kind
	var children []string
	x := w.run.request(ctx, w.host, address, func(resp *http.Response) (err error) {
		kind, children = "", nil
		if resp.StatusCode != http.StatusOK {
			return resp.Body.Close()
		}
		kind, children, err = w.entries(ctx, resp, address)
		return err
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	missing := x.Status >= 400 && x.Status < 500 && x.Status != http.StatusTooManyRequests
	switch {
	case x.Status == 0 && x.err != nil:
		w.fail(address, transport.Explain(x.err))
	case w.guessed && missing: // there is none
	case x.Status != http.StatusOK:
		w.fail(address, fmt.Sprintf("HTTP status %d", x.Status))
	case x.err == nil:
	case kind == "" && w.guessed: // no sitemap, where the address was only a guess
		w.run.warnings.Add("sitemap", address, x.err.Error())
	case kind != "" && !errors.Is(x.err, sitemap.ErrBreaksOff): // it was read to its end
		w.host.unlisted = true // an address more may have stood there
		w.run.warnings.Add("sitemap", address, x.err.Error())
	default:
		w.fail(address, x.err.Error())
	}
	w.guessed = false
	for _, child := range children {
		if err := w.read(ctx, child, depth+1); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *sitemapWalk) fail(address, why string) {
	if w.broken == "" {
		w.broken = fmt.Sprintf("%s: %s", address, why)
	}
	w.run.warnings.Add("sitemap", address, why)
}

// entries marks and queues what one file lists, and returns the sitemaps that an
// index names.
func (w *sitemapWalk) entries(ctx context.Context, resp *http.Response, address string) (kind sitemap.Kind, children []string, err error) {
	w.run.note(w.host, address, sitemap.Entry{})
	body, err := w.run.crawler.bodies.Open(ctx, resp, transport.Limit{Bytes: sitemap.MaxBytes, Key: "the limit of a sitemap"})
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = body.Close() }()
	kind, err = sitemap.Read(body, func(e sitemap.Entry) bool {
		w.run.note(w.host, address, e)
		if e.Sitemap {
			children = append(children, e.Loc)
		} else {
			w.list(address, e)
		}
		return ctx.Err() == nil
	})
	return kind, children, err
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
		h.listed++
	}
	if e.Lastmod > 0 {
		w.run.opts.Table.SetValue(fp, uint64(e.Lastmod))
	}
	w.run.seed(url, 0)
}
