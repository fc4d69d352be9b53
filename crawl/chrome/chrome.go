package chrome

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"
)

// pageTries is how often a page is opened under which the browser ends.
const pageTries = 2

// Site answers what pages ask for.
type Site interface {
	// Fetch makes a request and returns its whole answer. A *RefusedError is one that the
	// configuration does not allow; the texts of all errors are for the owner.
	Fetch(ctx context.Context, req *http.Request) (*Answer, error)
	// Own reports whether an address belongs to the site, and why robots.txt keeps us
	// from it; empty when it does not.
	Own(url string) (own bool, forbidden string)
}

// Answer is what a request is answered with.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// RefusedError says that a request is not allowed.
type RefusedError struct{ Text string }

func (e *RefusedError) Error() string { return e.Text }

// Options says how pages are rendered.
type Options struct {
	Path      string // of Chromium; empty: looked up
	NoSandbox bool   // give the browser's sandbox up
	Tabs      int    // pages that are rendered at the same time
	MaxBody   int64  // bytes of a page (fetch.max_body); its answers may hold four times that
	Site      Site
}

// Renderer lets Chromium run the scripts of pages, which it starts for the first one.
type Renderer struct {
	opts    Options
	browser *browser
	tabs    chan struct{} // holds as many as there may be
	assets  assets
}

// New returns a renderer.
func New(o Options) *Renderer {
	return &Renderer{opts: o, browser: newBrowser(o.Path, o.NoSandbox), tabs: make(chan struct{}, max(1, o.Tabs))}
}

// Close ends the browser, if there is one, and waits until nothing of it is left.
func (r *Renderer) Close() { r.browser.end() }

// Page is a page as it was fetched.
type Page struct {
	URL    string
	Header http.Header
	Body   []byte        // in UTF-8
	Limit  time.Duration // how long it may take (fetch.timeout)
}

// Render returns the page's HTML once its scripts have come to rest, and what the
// owner should know of it. A browser that ends meanwhile is given a second chance.
// The error is ErrNoBrowser where there is no Chromium.
func (r *Renderer) Render(ctx context.Context, p Page) (text string, notes map[string]bool, err error) {
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
			return "", nil, cmp.Or(ctx.Err(), err)
		}
		t := newTab(r, p)
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
