package crawl

import (
	"context"
	"net/http"
	"strings"

	"sitesync/crawl/page"
	"sitesync/crawl/signs"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

const (
	maxPrint  = 1 << 20 // bytes of an answer that a print is made of
	probeHops = 5       // redirects to other forms of the address that was asked for
)

// probe learns what a host shows for pages that cannot exist. It asks nothing that
// robots.txt forbids.
func (r *run) probe(ctx context.Context, h *host) {
	if r.crawler.folder == nil && !h.given.Load() {
		asking, end := r.asking(ctx)
		defer end()
		w := &worker{run: r, host: h, fetcher: newFetcher(asking, r.crawler)}
		w.probe(ctx)
	}
}

// probe asks for a page that cannot exist. A redirect on the same host shows a place. Of a
// page, a second answer tells what is the same for all such pages.
func (w *worker) probe(ctx context.Context) {
	name := "nosuchpage" + strings.ToLower(w.run.crawler.token())
	absence := &w.host.absence
	first := w.shown(ctx, name)
	if first == nil {
		return
	}
	if first.Target != "" { // a login is no such place, nor is what can't be read or stands in place of a page there
		if first.Interstitial == "" && weburl.Origin(first.Target) == w.host.origin && w.answer(ctx, first.Target) != nil {
			absence.SetPlace(first.Target)
		}
		return
	}
	second := w.shown(ctx, name+"/"+strings.ToLower(w.run.crawler.token())+".html")
	if second == nil || second.Status != first.Status {
		second = first
	}
	newPrint := signs.NewNotFound
	if first.Status != http.StatusOK {
		newPrint = signs.NewRefusal
	}
	absence.Page = newPrint(first.URL, first.Root, second.URL, second.Root)
}

// shown returns what the host shows for a name at its root: a page, or a redirect. One
// that only writes the address in another form, with a slash or a language, is followed.
func (w *worker) shown(ctx context.Context, name string) *document.Page {
	url := w.host.origin + "/" + name
	for range 1 + probeHops {
		p := w.answer(ctx, url)
		if p == nil || !strings.Contains(strings.ToLower(weburl.Path(p.Target)), name) {
			return p
		}
		url = p.Target
	}
	return nil
}

// answer asks for an address and returns a page, whether it is there or not, or a redirect;
// nil for any other answer.
func (w *worker) answer(ctx context.Context, url string) *document.Page {
	if weburl.Origin(url) != w.host.origin {
		return nil
	}
	if allowed, _ := w.host.robots.Allowed(weburl.Target(url)); !allowed {
		return nil
	}
	x, err := w.ask(ctx, url, document.Hints{})
	defer w.fetcher.release()
	if err != nil || x.err != nil {
		return nil
	}
	if p, _ := w.run.crawler.reader.Read(&x.Answer, document.Known{}); p.Target != "" {
		return &p
	}
	there := x.Status == http.StatusOK || x.Status == http.StatusNotFound || x.Status == http.StatusGone
	if !there || !document.IsHTML(x.Media) || len(x.Body) == 0 || len(x.Body) > maxPrint {
		return nil
	}
	p := document.Page{URL: x.URL, Seen: document.Read, Status: x.Status, Header: x.Header, Media: x.Media}
	p.Root, p.Charset, err = x.Parse()
	if kind, _ := signs.FindInterstitial(p.URL, p.Status, p.Header, p.Root); err != nil || kind != "" {
		return nil
	}
	rendered, _ := w.run.render(ctx, x, p, page.Links{})
	if rendered.Root == nil {
		return nil
	}
	p.Root = rendered.Root
	return &p
}

// misplaced makes a redirect to where the host sends what does not exist a page that is
// missing. A start page may lead to a page that a sitemap lists, that the index holds, or,
// in the first run, to any.
func (w *worker) misplaced(p *document.Page, flags uint16) {
	if p.Seen != document.Moved && p.Seen != document.Elsewhere || p.Interstitial != "" || !w.host.absence.Leads(p.URL, p.Target) {
		return
	}
	if there, _ := w.run.opts.Table.Get(spool.Fingerprint(p.Target)); flags&spool.Start != 0 &&
		(there&(spool.InSitemap|spool.Document) != 0 || w.run.opts.Table.Count(spool.Document) == 0) {
		return
	}
	p.Why = "redirects to " + p.Target + ", where the host sends what does not exist"
	p.Seen, p.Interstitial, p.Target = document.Missing, document.Soft404, ""
}
