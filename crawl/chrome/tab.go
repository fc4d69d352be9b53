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
	quietRounds = 10  // rounds of waiting after which a page that keeps sending requests is read anyway
)

// tab is one page in the browser. It has a browser context of its own, so pages share no state.
type tab struct {
	renderer *Renderer
	page     Page

	ctx     context.Context
	cancel  context.CancelCauseFunc
	group   errgroup.Group
	changed chan struct{} // receives a value when a field below may have changed

	served      atomic.Bool
	requests    atomic.Int64 // requests for scripts, style sheets and data
	answerBytes atomic.Int64

	mu      sync.Mutex
	frame   cdp.FrameID
	loaded  bool
	over    bool
	asked   int
	waiting map[fetch.RequestID]string
	notes   map[string]bool
}

func (t *tab) render(ctx, browser context.Context) (string, error) {
	tabCtx, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer closeTab()
	t.ctx, t.cancel = context.WithCancelCause(tabCtx)
	defer context.AfterFunc(ctx, func() { t.cancel(ctx.Err()) })()
	defer time.AfterFunc(t.page.Limit, func() { t.cancel(t.late()) }).Stop()
	defer func() {
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
	// Events for console messages and changes to the HTML tree would flood the connection to the browser.
	for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{
		runtime.Disable, log.Disable, dom.Disable, css.Disable, network.Disable,
	} {
		if _, err := chromedp.Call(t.ctx, domain, cdp.Empty{}); err != nil {
			return "", fmt.Errorf("turn off the tab's events: %w", err)
		}
	}
	if _, err := chromedp.Call(t.ctx, fetch.Enable, fetch.EnableParams{}); err != nil {
		return "", fmt.Errorf("intercept the tab's requests: %w", err)
	}
	if _, err := chromedp.CallBrowser(t.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior:         cdpbrowser.SetDownloadBehaviorBehaviorDeny,
		BrowserContextID: chromedp.FromContext(t.ctx).BrowserContextID,
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
	// Our scripts run in an isolated world, where the page's scripts can't redefine Promise. The isolated
	// world ends with the document.
	world, err := chromedp.Call(t.ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: shown.FrameID})
	if err != nil {
		return "", fmt.Errorf("look into the page: %w", err)
	}
	if err := t.rest(world.ExecutionContextID); err != nil {
		return "", err
	}
	return t.markup(world.ExecutionContextID)
}

// event handles the events of the tab in order. It must not block.
func (t *tab) event(event any) {
	switch event := event.(type) {
	case *fetch.EventRequestPaused:
		t.mu.Lock()
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
	case *page.EventFrameNavigated:
		t.mu.Lock()
		defer t.mu.Unlock()
		switch frame := event.Frame; {
		case frame.ParentID != "" || !t.served.Load():
		// The first navigation shows the page. Any later one replaces it, even with a blank page.
		case t.frame == "":
			t.frame = frame.ID
		default:
			t.cancel(fmt.Errorf("its script went to %.200s", frame.URL))
		}
	case *page.EventJavascriptDialogOpening:
		t.start(func() {
			_, _ = chromedp.Call(t.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		})
	case *inspector.EventTargetCrashed:
		t.cancel(errors.New("the page crashed Chromium's process for it"))
	}
}

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

// rest waits until the page is loaded and has sent no request for quietTime. A timer inside the page measures
// quietTime, so that a page gets more time on a slow machine.
func (t *tab) rest(world runtime.ExecutionContextID) error {
	pause := fmt.Sprintf("new Promise(done => setTimeout(() => done(true), %d))", quietTime)
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
		if err := t.evaluate(world, pause, &done); err != nil {
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

func (t *tab) markup(world runtime.ExecutionContextID) (string, error) {
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
