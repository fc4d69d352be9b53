package crawl

import (
	"context"
	"net/http"
	"strings"

	"sitesync/crawl/page"
	"sitesync/crawl/signs"
	"sitesync/internal/document"
)

// maxPrint bounds the answer that a print is made of, in bytes.
const maxPrint = 1 << 20

// probe asks a host for a page that cannot exist. Where the answer is 200, a second
// one tells what of it is the same for all such pages; then the host has a print, and
// the first answer is returned. It asks nothing that robots.txt forbids.
func (r *run) probe(ctx context.Context, h *host) *document.Page {
	if r.crawler.folder != nil || h.closed() {
		return nil
	}
	w := &worker{run: r, host: h, fetcher: newFetcher(ctx, r.crawler)}
	name := "/nosuchpage" + strings.ToLower(r.crawler.token())
	first := w.shown(ctx, name)
	if first == nil {
		return nil
	}
	second := w.shown(ctx, name+"/"+strings.ToLower(r.crawler.token())+".html")
	if second == nil {
		second = first
	}
	h.notFound = signs.NewNotFound(first.URL, first.Root, second.URL, second.Root)
	return first
}

// shown returns what the host shows at a path, nil when it is not a page.
func (w *worker) shown(ctx context.Context, path string) *document.Page {
	if allowed, _ := w.host.robots.Allowed(path); !allowed {
		return nil
	}
	url := w.host.origin + path
	x, err := w.ask(ctx, url, document.Hints{})
	defer w.fetcher.release()
	if err != nil || x.err != nil || x.Status != http.StatusOK || !page.IsHTML(x.Media) || len(x.Body) == 0 || len(x.Body) > maxPrint {
		return nil
	}
	p := &document.Page{URL: url, Seen: document.Read, Status: x.Status, Header: x.Header, Media: x.Media}
	if p.Root, err = page.Parse(x.Body, x.Header.Get("Content-Type")); err != nil || signs.FindInterstitial(p.URL, p.Status, p.Header, p.Root).Kind != "" {
		return nil
	}
	rendered, _ := w.run.render(ctx, x, *p, page.Links{})
	if p.Root = rendered.Root; p.Root == nil {
		return nil
	}
	return p
}

// probeAgain asks once more at the end, where no print was had: a host that has
// begun to answer 200 for what does not exist is no longer believed, and what was
// missing is looked at with its print at hand.
func (r *run) probeAgain(ctx context.Context) error {
	return r.eachSite(ctx, func(ctx context.Context, h *host) {
		if h.notFound != nil {
			return
		}
		if h.lost = r.probe(ctx, h); h.notFound != nil {
			h.degrade(document.HostSoft404, "it began to answer 200 for pages that do not exist while it was crawled")
		}
	})
}
