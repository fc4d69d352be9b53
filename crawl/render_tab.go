package crawl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"golang.org/x/sync/errgroup"

	"sitesync/internal/document"
)

const delaysATab = 20 // waits for its host's delay that a page is given beyond its time

// tab is one page in a browser: a fresh one, in a context of its own, that shares
// nothing with others and sees no network but what answer gives it.
type tab struct {
	renderer *renderer
	url      string
	body     []byte // as it was fetched, in UTF-8
	header   http.Header

	ctx     context.Context
	cancel  context.CancelCauseFunc
	group   errgroup.Group // answers under way
	changed chan struct{}  // something below did

	mu       sync.Mutex
	served   bool        // the page itself was handed over
	frame    cdp.FrameID // that shows it
	loaded   bool
	over     bool
	asked    int // for whatever
	requests int // that may be answered
	bytes    int64
	waiting  map[fetch.RequestID]string
	notes    map[string]bool // what the owner should know
}

func newTab(r *renderer, p *document.Page, body []byte) *tab {
	return &tab{
		renderer: r, url: p.URL, body: body, header: p.Header,
		changed: make(chan struct{}, 1), waiting: map[fetch.RequestID]string{}, notes: map[string]bool{},
	}
}

// render returns the page's HTML as its scripts leave it.
func (t *tab) render(ctx, browser context.Context) (string, error) {
	tabCtx, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer closeTab()
	t.ctx, t.cancel = context.WithCancelCause(tabCtx)
	defer context.AfterFunc(ctx, func() { t.cancel(ctx.Err()) })()
	limit := t.limit()
	defer time.AfterFunc(limit, func() { t.cancel(t.late(limit)) }).Stop()
	defer t.end()
	text, err := t.show()
	if cause := context.Cause(t.ctx); cause != nil {
		return "", cause
	}
	return text, err
}

// limit is how long the page may take.
func (t *tab) limit() time.Duration {
	limit := t.renderer.crawler.opts.Timeout
	if h := t.renderer.crawler.site(t.url); h != nil {
		limit += delaysATab * h.pace.apart()
	}
	return limit
}

func (t *tab) late(limit time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if waiting := slices.Sorted(maps.Values(t.waiting)); len(waiting) > 0 {
		return fmt.Errorf("not done after %s (fetch.timeout): it waits for %s", limit, clip(waiting[0], maxShown))
	}
	return fmt.Errorf("not done after %s (fetch.timeout)", limit)
}

// end waits until nothing of the tab is under way.
func (t *tab) end() {
	t.mu.Lock()
	t.over = true
	t.mu.Unlock()
	t.cancel(nil)
	_ = t.group.Wait() // answers report to the tab
}

func (t *tab) show() (string, error) {
	if err := chromedp.Listen(t.ctx, t.event); err != nil {
		return "", fmt.Errorf("open a tab: %w", err)
	}
	// What a page writes to its console, or into its tree, would all come here.
	for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{runtime.Disable, log.Disable, dom.Disable, css.Disable, network.Disable} {
		if _, err := chromedp.Call(t.ctx, domain, cdp.Empty{}); err != nil {
			return "", fmt.Errorf("quiet the tab: %w", err)
		}
	}
	if _, err := chromedp.Call(t.ctx, fetch.Enable, fetch.EnableParams{}); err != nil {
		return "", fmt.Errorf("take the network over: %w", err)
	}
	if _, err := chromedp.CallBrowser(t.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: chromedp.FromContext(t.ctx).BrowserContextID,
	}); err != nil {
		return "", fmt.Errorf("refuse downloads: %w", err)
	}
	shown, err := chromedp.Call(t.ctx, page.Navigate, page.NavigateParams{URL: t.url})
	if err == nil && shown.ErrorText != "" {
		err = errors.New(shown.ErrorText)
	}
	if err != nil {
		return "", fmt.Errorf("open the page: %w", err)
	}
	// Scripts of ours run in a world of their own, where the page's can't change
	// what a promise is, and which ends with the document.
	world, err := chromedp.Call(t.ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: shown.FrameID})
	if err != nil {
		return "", fmt.Errorf("look into the page: %w", err)
	}
	if err := t.rest(world.ExecutionContextID); err != nil {
		return "", err
	}
	return t.read(world.ExecutionContextID)
}

// event is called in order, and must not wait.
func (t *tab) event(event any) {
	switch event := event.(type) {
	case *fetch.EventRequestPaused:
		t.paused(event)
	case *page.EventFrameStoppedLoading:
		t.mu.Lock()
		t.loaded = t.loaded || t.served && event.FrameID == t.frame
		t.mu.Unlock()
		t.signal()
	case *page.EventFrameNavigated:
		t.navigated(event.Frame)
	case *page.EventJavascriptDialogOpening:
		t.start(func() {
			_, _ = chromedp.Call(t.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}) // gone already, then
		})
	case *inspector.EventTargetCrashed:
		t.cancel(errors.New("the page crashed Chromium's process for it"))
	}
}

// navigated notes that a frame shows another document. Of the page's own there is
// one: a blank one in its place needs no request that could be refused.
func (t *tab) navigated(frame *cdp.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case frame.ParentID != "" || !t.served:
	case t.frame == "":
		t.frame = frame.ID
	default:
		t.cancel(fmt.Errorf("its script went to %s", clip(frame.URL, maxShown)))
	}
}

// start runs what waits, unless the tab is over.
func (t *tab) start(do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		t.group.Go(func() error { do(); return nil })
	}
}

func (t *tab) signal() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}
