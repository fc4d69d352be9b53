package chrome

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/chromedp/cdproto/network"
	"golang.org/x/sync/singleflight"
)

const mostAssets = 32 << 20 // bytes of scripts and style sheets that are kept

// assets keeps the scripts and style sheets that pages share, so that a thousand
// pages of one application ask for it once. It is safe for concurrent use.
type assets struct {
	flight singleflight.Group
	mu     sync.Mutex
	kept   map[string]*Answer
	bytes  int
}

// assetKey is the address, and the origin that asks: answers may differ by it.
func assetKey(request *network.Request) string {
	return fmt.Sprint(request.Headers["Origin"], " ", request.URL)
}

// get returns what is kept under key, or asks for it. Who asks does so for all that
// wait, so that ask gets the context life, which outlasts a page.
func (a *assets) get(ctx, life context.Context, key string, ask func(context.Context) (*Answer, error)) (*Answer, error) {
	a.mu.Lock()
	kept := a.kept[key]
	a.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	result := a.flight.DoChan(key, func() (any, error) {
		got, err := ask(life)
		a.keep(key, got)
		return got, err
	})
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case r := <-result:
		got, _ := r.Val.(*Answer)
		return got, r.Err
	}
}

func (a *assets) keep(key string, got *Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if got == nil || got.Status != http.StatusOK || a.bytes+len(got.Body) > mostAssets {
		return
	}
	if a.kept == nil {
		a.kept = map[string]*Answer{}
	}
	a.kept[key], a.bytes = got, a.bytes+len(got.Body)
}
