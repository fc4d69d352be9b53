package crawl

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"golang.org/x/net/html"

	"sitesync/crawl/transport"
	"sitesync/internal/document"
)

// The values of Options.Render beside "never".
const (
	renderAuto   = "auto"
	renderAlways = "always"
)

const (
	mostTabs  = 4 // pages that are rendered at the same time
	pageTries = 2 // of a page under which the browser ends
)

// renderer lets Chromium run the scripts of pages. It is safe for concurrent use.
type renderer struct {
	crawler *Crawler
	browser *browser
	tabs    chan struct{} // holds as many as there may be
	assets  assets
	missing sync.Once // the warning that there is no browser
}

func newRenderer(c *Crawler) *renderer {
	tabs := max(1, min(mostTabs, c.opts.Concurrency))
	return &renderer{crawler: c, browser: newBrowser(c.opts.Browser, c.opts.NoSandbox), tabs: make(chan struct{}, tabs)}
}

// wants reports whether a page is to be rendered.
func (r *renderer) wants(p *document.Page) bool {
	switch {
	case p.Seen != document.Read || p.Root == nil || p.Status != http.StatusOK:
		return false
	case r.crawler.opts.Render == renderAlways:
		return true
	}
	return r.crawler.opts.Render == renderAuto && emptyShell(p.Root)
}

// render puts what the page's scripts make of it in the page's place. A page that
// has no whole answer to that is unread; without a browser an empty shell stays
// one.
func (r *run) render(ctx context.Context, x *exchange, p document.Page, links PageLinks) (document.Page, PageLinks) {
	if !r.renderer.wants(&p) {
		return p, links
	}
	x.rendered = true
	body, _ := decodeHTML(x.body.Bytes(), p.Header.Get("Content-Type"))
	text, notes, err := r.renderer.render(ctx, &p, body)
	for note := range notes {
		r.warn("render", p.URL, note)
	}
	if errors.Is(err, errNoBrowser) && r.opts.Render == renderAuto {
		r.renderer.missing.Do(func() { r.warn("render", "", err.Error()) })
		return p, links
	}
	var root *html.Node
	if err == nil {
		root, err = parseMarkup([]byte(text))
	}
	if err != nil {
		p.Seen, p.Root, p.Why = document.Unread, nil, "rendering: "+transport.Explain(err)
		return p, PageLinks{}
	}
	rendered, found := r.tree(p, root, true)
	found.NoFollow, found.NoIndex = or(links.NoFollow, found.NoFollow), or(links.NoIndex, found.NoIndex)
	return rendered, found
}

// render returns the page's HTML once its scripts have come to rest, and what the
// owner should know of it. A browser that ends meanwhile is given a second chance.
func (r *renderer) render(ctx context.Context, p *document.Page, body []byte) (text string, notes map[string]bool, err error) {
	select {
	case r.tabs <- struct{}{}:
		defer func() { <-r.tabs }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	// When the run is over nobody waits for a browser to start, or for tabs to close.
	defer context.AfterFunc(ctx, r.browser.kill)()
	for try := 1; ; try++ {
		browser, err := r.browser.use()
		if err != nil {
			return "", nil, err
		}
		t := newTab(r, p, body)
		text, err := t.render(ctx, browser)
		switch {
		case ctx.Err() != nil:
			return "", nil, ctx.Err()
		case err == nil || browser.Err() == nil:
			return text, t.notes, err
		case try == pageTries:
			return "", nil, errors.New("Chromium ended twice while it had the page open") //nolint:staticcheck // a name
		}
	}
}
