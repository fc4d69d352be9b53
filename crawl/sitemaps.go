package crawl

import (
	"cmp"
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
	mostSitemapFiles   = 50_000
	mostSitemapNesting = 4
	mostUnlisted       = 0.1 // part of the last run's sitemap URLs that an unreadable sitemap may leave out
)

func (d *discovery) loadSitemaps(ctx context.Context) error {
	seen := map[string]bool{}
	var walks []*sitemapWalk
	for _, h := range d.client.hosts.sites() {
		if h.given.Load() {
			continue
		}
		addresses, guessed := d.sitemapsOf(h)
		if len(addresses) == 0 {
			continue
		}
		w := &sitemapWalk{client: d.client, queue: d.queue, host: h, listedBefore: h.listedBefore, seen: seen}
		walks = append(walks, w)
		for _, address := range addresses {
			w.guessed = guessed
			if err := w.readFile(ctx, address, 0); err != nil {
				return err
			}
		}
	}
	for _, w := range walks { // only after all walks, since a sitemap may list another host's URLs
		switch listed := w.host.found.Sitemap; {
		case w.broken != "" && float64(listed) < (1-mostUnlisted)*float64(w.listedBefore):
			w.host.degrade(document.HostSitemapCollapse, "a sitemap can't be read: "+w.broken)
		case 2*listed < w.listedBefore:
			urls := document.Count(listed, "URL")
			w.host.degrade(document.HostSitemapCollapse,
				fmt.Sprintf("the sitemaps list %s, less than half of the %d remembered", urls, w.listedBefore))
		}
	}
	return nil
}

// sitemapsOf returns the addresses of a host's sitemaps. guessed is true for the default /sitemap.xml.
func (d *discovery) sitemapsOf(h *host) (addresses []string, guessed bool) {
	if !d.client.opts.AutoSitemaps {
		for _, address := range d.client.opts.Sitemaps {
			// a sitemap outside the site's hosts counts for the first start host
			foreign := !slices.Contains(d.client.site.Origins(), weburl.Origin(address))
			if strings.HasPrefix(address, h.origin+"/") || h.index == 0 && foreign {
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

type sitemapWalk struct {
	client       *client
	queue        *queue
	host         *host
	listedBefore int
	seen         map[string]bool
	guessed      bool   // the current file is at the default address /sitemap.xml
	broken       string // the reason why the list of URLs is incomplete; empty: it is complete
}

func (w *sitemapWalk) readFile(ctx context.Context, address string, depth int) error {
	address, err := w.queue.site.Canon.Resolve(w.host.origin+"/", address)
	if err != nil {
		w.queue.warnings.Add("sitemap", w.host.origin+"/",
			fmt.Sprintf("the address of a sitemap can't be used: %v; correct it in robots.txt or site.sitemaps", err))
		return nil
	}
	if w.seen[address] {
		return nil
	}
	if depth > mostSitemapNesting || len(w.seen) >= mostSitemapFiles {
		w.fail(address, "too many or too deeply nested sitemap files")
		return nil
	}
	w.seen[address] = true
	var kind sitemap.Kind
	var children []string
	x := w.client.request(ctx, w.host, address, func(resp *http.Response) (err error) {
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
	w.answered(x, address, kind)
	w.guessed = false
	for _, child := range children {
		if err := w.readFile(ctx, child, depth+1); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *sitemapWalk) answered(x *exchange, address string, kind sitemap.Kind) {
	gone := x.Status == http.StatusNotFound || x.Status == http.StatusGone
	refused := x.Status >= 400 && x.Status < 500 && x.Status != http.StatusTooManyRequests
	switch {
	case x.Status == 0 && x.err != nil:
		w.fail(address, transport.Explain(x.err))
	case w.guessed && (gone || refused && w.listedBefore == 0): // the host has no sitemap: no warning
	case gone: // unlike an unreadable sitemap, a removed sitemap leaves the list of URLs complete
		w.queue.warnings.Add("sitemap", address, fmt.Sprintf("HTTP status %d", x.Status))
	case x.Status != http.StatusOK:
		w.fail(address, fmt.Sprintf("HTTP status %d", x.Status))
	case x.err == nil:
	case kind != "" && !errors.Is(x.err, sitemap.ErrBreaksOff):
		w.host.found.Unlisted = true // the file has faulty entries, which may have listed further URLs
		w.queue.warnings.Add("sitemap", address, x.err.Error())
	default:
		w.fail(address, x.err.Error())
	}
}

// fail warns that a file can't be read. If the last run found URLs in sitemaps, fail also records that URLs
// may be missing.
func (w *sitemapWalk) fail(address, why string) {
	w.queue.warnings.Add("sitemap", address, why)
	if w.listedBefore > 0 {
		w.host.found.Unlisted = true
		w.broken = cmp.Or(w.broken, fmt.Sprintf("%s: %s", address, why))
	}
}

func (w *sitemapWalk) entries(
	ctx context.Context, resp *http.Response, address string,
) (kind sitemap.Kind, children []string, err error) {
	limit := transport.Limit{Bytes: sitemap.MaxBytes, Key: "the limit of a sitemap"}
	body, err := transport.OpenBody(resp.Request.Context(), resp, limit)
	if err != nil {
		return "", nil, err
	}
	defer body.Close()
	kind, err = sitemap.Read(body, func(e sitemap.Entry) bool {
		if e.Sitemap {
			children = append(children, e.Loc)
		} else {
			w.list(address, e)
		}
		return ctx.Err() == nil
	})
	return kind, children, err
}

func (w *sitemapWalk) list(address string, e sitemap.Entry) {
	url, err := w.queue.site.Canon.Resolve(address, e.Loc)
	if err != nil {
		w.queue.warnings.Add("sitemap", address, err.Error())
		return
	}
	h := w.queue.hosts.of(url)
	if h == nil {
		w.host.found.Foreign++
		seen, why := w.queue.outside(url)
		w.queue.left.add(document.Page{URL: url, Seen: seen, Why: why, InSitemap: true})
		return
	}
	fp := spool.Fingerprint(url)
	if w.queue.opts.Table.Mark(fp, spool.InSitemap)&spool.InSitemap == 0 {
		h.found.Sitemap++
	}
	if e.Lastmod > 0 {
		w.queue.opts.Table.SetValue(fp, uint64(e.Lastmod))
		h.lastmods.add(e.Lastmod)
	}
	w.queue.seed(url, 0)
}
