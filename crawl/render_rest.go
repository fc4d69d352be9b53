package crawl

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"sitesync/crawl/transport"
)

const (
	quietTime   = 500 // milliseconds without a request after which a page is at rest
	quietRounds = 10  // after which one that never rests is taken as it is
)

// rest waits until the page is loaded and lets some time pass without a request. The
// time is measured in the page, so that a slow machine gives it more.
func (t *tab) rest(world runtime.ExecutionContextID) error {
	for range quietRounds {
		asked, err := t.idle()
		if err != nil {
			return err
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

// idle waits until nothing is under way, and returns how many requests there were.
func (t *tab) idle() (int, error) {
	for {
		if asked, idle := t.state(); idle {
			return asked, nil
		}
		select {
		case <-t.changed:
		case <-t.ctx.Done():
			return 0, context.Cause(t.ctx)
		}
	}
}

func (t *tab) state() (asked int, idle bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asked, t.loaded && len(t.waiting) == 0
}

// read returns the document as it stands.
func (t *tab) read(world runtime.ExecutionContextID) (string, error) {
	limit := t.renderer.crawler.opts.MaxBody
	script := `(most => {
		const text = (document.doctype ? "<!DOCTYPE html>" : "") + document.documentElement.outerHTML
		return text.length > most ? null : text
	})`
	var text *string
	if err := t.evaluate(world, fmt.Sprintf("%s(%d)", script, limit), &text); err != nil {
		return "", err
	}
	if text == nil {
		return "", fmt.Errorf("the page is over %s (fetch.max_body)", transport.FormatBytes(limit))
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
