package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

const (
	quietTime   = 500 // milliseconds without a request after which a page is done
	quietRounds = 10  // after which one that never rests is taken as it is
)

// tab is one page in a browser: a fresh one, in a context of its own, that shares
// nothing with others and sees no network but what answer gives it.
type tab struct {
	renderer *Renderer
	page     Page

	ctx     context.Context
	cancel  context.CancelCauseFunc
	group   errgroup.Group // answers under way
	changed chan struct{}  // something below did

	served   atomic.Bool  // the page itself was handed over
	requests atomic.Int64 // that may be answered
	bytes    atomic.Int64 // that the page was given

	mu      sync.Mutex
	frame   cdp.FrameID // that shows the page
	loaded  bool
	over    bool
	asked   int // for whatever
	waiting map[fetch.RequestID]string
	notes   map[string]bool // what the owner should know
}

// render returns the page's HTML as its scripts leave it.
func (t *tab) render(ctx, browser context.Context) (string, error) {
	tabCtx, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer closeTab()
	t.ctx, t.cancel = context.WithCancelCause(tabCtx)
	defer context.AfterFunc(ctx, func() { t.cancel(ctx.Err()) })()
	defer time.AfterFunc(t.page.Limit, func() { t.cancel(t.late()) }).Stop()
	defer func() { // nothing of the tab stays under way: answers report to it
		t.mu.Lock()
		t.over = true
		t.mu.Unlock()
		t.cancel(nil)
		_ = t.group.Wait()
	}()
	text, err := t.show()
	if cause := context.Cause(t.ctx); cause != nil {
		return "", cause
	}
	return text, err
}

func (t *tab) late() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if waiting := slices.Sorted(maps.Values(t.waiting)); len(waiting) > 0 {
		return fmt.Errorf("not done after %s (fetch.timeout): it waits for %.200s", t.page.Limit, waiting[0])
	}
	return fmt.Errorf("not done after %s (fetch.timeout)", t.page.Limit)
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
	shown, err := chromedp.Call(t.ctx, page.Navigate, page.NavigateParams{URL: t.page.URL})
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
		t.mu.Lock() // the request waits for its answer
		t.asked++
		t.waiting[event.RequestID] = event.Request.URL
		asked := t.asked
		t.mu.Unlock()
		if asked > mostPaused {
			t.cancel(tooMany(mostPaused))
			return
		}
		t.start(func() {
			t.answer(event)
			t.mu.Lock()
			delete(t.waiting, event.RequestID)
			t.mu.Unlock()
			t.signal()
		})
	case *page.EventFrameStoppedLoading:
		t.mu.Lock()
		t.loaded = t.loaded || t.served.Load() && event.FrameID == t.frame
		t.mu.Unlock()
		t.signal()
	case *page.EventFrameNavigated: // a frame shows another document
		t.mu.Lock()
		defer t.mu.Unlock()
		switch frame := event.Frame; {
		case frame.ParentID != "" || !t.served.Load():
		case t.frame == "": // the page's own: a blank one in its place needs no request that could be refused
			t.frame = frame.ID
		default:
			t.cancel(fmt.Errorf("its script went to %.200s", frame.URL))
		}
	case *page.EventJavascriptDialogOpening:
		t.start(func() {
			_, _ = chromedp.Call(t.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}) // gone already, then
		})
	case *inspector.EventTargetCrashed:
		t.cancel(errors.New("the page crashed Chromium's process for it"))
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

// rest waits until the page is loaded and lets some time pass without a request. The
// time is measured in the page, so that a slow machine gives it more.
func (t *tab) rest(world runtime.ExecutionContextID) error {
	for range quietRounds {
		asked, idle := t.state()
		for !idle {
			select {
			case <-t.changed:
			case <-t.ctx.Done():
				return context.Cause(t.ctx)
			}
			asked, idle = t.state()
		}
		var done bool
		if err := t.evaluate(world, fmt.Sprintf("new Promise(done => setTimeout(() => done(true), %d))", quietTime), &done); err != nil {
			return err
		}
		if now, idle := t.state(); idle && now == asked {
			return nil
		}
	}
	return nil
}

func (t *tab) state() (asked int, idle bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asked, t.loaded && len(t.waiting) == 0
}

func (t *tab) read(world runtime.ExecutionContextID) (string, error) {
	limit := t.renderer.opts.MaxBody
	script := `(most => {
		const text = (document.doctype ? "<!DOCTYPE html>" : "") + document.documentElement.outerHTML
		return text.length > most ? null : text
	})`
	var text *string
	if err := t.evaluate(world, fmt.Sprintf("%s(%d)", script, limit), &text); err != nil {
		return "", err
	}
	if text == nil {
		return "", fmt.Errorf("the page is over %s (fetch.max_body)", document.FormatBytes(limit))
	}
	return strings.ToValidUTF8(*text, "\uFFFD"), nil
}

func (t *tab) evaluate(world runtime.ExecutionContextID, script string, value any) error {
	yes := true
	got, err := chromedp.Call(t.ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ContextID: world, AwaitPromise: &yes, ReturnByValue: &yes,
	})
	switch {
	case err != nil:
		return fmt.Errorf("read the page, which may have left for another one: %w", err)
	case got.ExceptionDetails != nil:
		return fmt.Errorf("read the page: %s", got.ExceptionDetails.Text)
	}
	if err := json.Unmarshal(got.Result.Value, value); err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	return nil
}
