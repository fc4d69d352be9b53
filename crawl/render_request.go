package crawl

import (
	"fmt"
	"net/http"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"sitesync/internal/weburl"
)

const (
	mostRequests = 200  // of one page that may be answered
	mostPaused   = 5000 // of one page, pictures and the like with them
)

// paused takes a request of the page, which waits for its answer.
func (t *tab) paused(event *fetch.EventRequestPaused) {
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
}

// answer gives a request what it may have. All of it comes from here: the browser
// has no network of its own.
func (t *tab) answer(event *fetch.EventRequestPaused) {
	switch t.verdict(event) {
	case asItIs:
		_, _ = chromedp.Call(t.ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: event.RequestID})
	case thePage:
		if err := t.fulfil(event, &answer{status: http.StatusOK, body: t.body, header: t.pageHeader()}); err != nil {
			t.cancel(fmt.Errorf("hand the page over: %w", err))
		}
	case theirs:
		if got := t.fetch(event); got != nil && t.fulfil(event, got) == nil {
			return
		}
		fallthrough
	case withheld:
		// Aborted, since any other reason shows an error in the place of a document.
		_, _ = chromedp.Call(t.ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: event.RequestID, ErrorReason: network.ErrorReasonAborted})
	}
}

// verdict is what becomes of a request.
type verdict int

const (
	withheld verdict = iota
	asItIs           // it needs no network
	thePage          // it was fetched already
	theirs           // to be fetched
)

func (t *tab) verdict(event *fetch.EventRequestPaused) verdict {
	request := event.Request
	scheme := weburl.Scheme(request.URL)
	switch {
	case scheme == "data:" || scheme == "blob:":
		return asItIs
	case event.ResourceType == network.ResourceTypeDocument:
		return t.document()
	case scheme != "http:" && scheme != "https:", isAhead(request), !mayAsk(event.ResourceType, request.Method, t.renderer.crawler.site(request.URL) != nil):
		return withheld
	case !t.counts():
		t.cancel(tooMany(mostRequests))
		return withheld
	}
	if why := t.disallowed(request.URL); why != "" {
		t.note(request.URL, why)
		return withheld
	}
	return theirs
}

func tooMany(most int) error { return fmt.Errorf("it asks for more than %d things", most) }

// counts counts a request that may be answered, and reports whether it is one of
// those that a page is allowed.
func (t *tab) counts() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	return t.requests <= mostRequests
}

// document answers the first request for a document with the page. Frames are no
// part of its text, and where scripts would lead is left to those who find a link.
func (t *tab) document() verdict {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.served {
		return withheld
	}
	t.served = true
	return thePage
}

// mayAsk reports whether a kind of request serves the text of a page. What changes
// things on a server is never sent; POST, by which some ask for data, to the site's
// own hosts only.
func mayAsk(kind network.ResourceType, method string, own bool) bool {
	switch kind {
	case network.ResourceTypeScript, network.ResourceTypeStylesheet:
		return method == http.MethodGet
	case network.ResourceTypeXHR, network.ResourceTypeFetch:
		return method == http.MethodGet || method == http.MethodHead || method == http.MethodPost && own
	case network.ResourceTypePreflight:
		return own
	}
	return false
}

// isAhead reports whether a request is for later: a page that might be visited next,
// or a stream of events. Their kinds are those of any other request.
func isAhead(request *network.Request) bool {
	return request.Headers["Sec-Purpose"] != nil || request.Headers["Accept"] == "text/event-stream"
}

// site returns the start host that an address belongs to, nil for others.
func (c *Crawler) site(url string) *host {
	if h := c.hosts[weburl.Origin(url)]; h != nil && !c.isFileHost(h) {
		return h
	}
	return nil
}

// disallowed returns why robots.txt keeps us from an address of the site. Other
// hosts' files are none of ours to ask.
func (t *tab) disallowed(url string) string {
	h := t.renderer.crawler.site(url)
	if h == nil {
		return ""
	}
	if h.robots == nil {
		return "the robots.txt of " + h.origin + " was not read"
	}
	if ok, rule := h.robots.Allowed(weburl.Target(url)); !ok {
		return "robots.txt: " + rule
	}
	return ""
}

func (t *tab) note(url, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes[fmt.Sprintf("its script was refused %s: %s", clip(url, maxShown), why)] = true
}
