package chrome

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/sync/singleflight"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	mostRequests = 200  // most requests of one page that are answered
	mostPaused   = 5000 // most requests of one page, including those that are refused, such as pictures
	mostBodies   = 4    // limit for the bytes of all answers to one page, in multiples of fetch.max_body
)

func tooMany(most int) error { return fmt.Errorf("it makes more than %d requests", most) }

// answer answers or aborts one request. The browser has no network, so it gets all answers here.
func (t *tab) answer(event *fetch.EventRequestPaused) {
	request, answered := event.Request, false
	own, forbidden := t.renderer.opts.Site.Own(request.URL)
	switch scheme := weburl.Scheme(request.URL); {
	case scheme == "data:" || scheme == "blob:": // such URLs need no network
		_, err := chromedp.Call(t.ctx, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: event.RequestID})
		answered = err == nil
	case event.ResourceType == network.ResourceTypeDocument:
		answered = t.answerPage(event)
	case scheme != "http:" && scheme != "https:", !mayAsk(event.ResourceType, request.Method, own):
	// Prefetches of other pages and streams of events are refused: the variable answered stays false.
	case request.Headers["Sec-Purpose"] != nil, request.Headers["Accept"] == "text/event-stream":
	case t.requests.Add(1) > mostRequests:
		t.cancel(tooMany(mostRequests))
	case forbidden != "":
		t.note(request.URL, forbidden)
	default:
		answered = t.answerOther(event, own)
	}
	if !answered {
		// With any other ErrorReason, Chromium shows an error page in place of the document.
		failed := fetch.FailRequestParams{RequestID: event.RequestID, ErrorReason: network.ErrorReasonAborted}
		_, _ = chromedp.Call(t.ctx, fetch.FailRequest, failed)
	}
}

// answerPage answers the tab's first request for a document with the page itself. It refuses later requests
// for documents, which come from frames or from scripts that leave the page. Of the page's header, only the
// content type and the security policy are sent, so that no field redirects the page or makes it a download.
func (t *tab) answerPage(event *fetch.EventRequestPaused) bool {
	if t.served.Swap(true) {
		return false
	}
	header := []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html; charset=" + t.page.In}}
	for _, policy := range t.page.Header.Values("Content-Security-Policy") {
		header = append(header, &fetch.HeaderEntry{Name: "Content-Security-Policy", Value: policy})
	}
	if err := t.fulfil(event, http.StatusOK, header, t.page.Body); err != nil {
		t.cancel(fmt.Errorf("give the page to Chromium: %w", err))
	}
	return true
}

// answerOther fetches the answer to a request for a script, style sheet or data. A failed style sheet does
// not matter. If any other request to the site itself fails, rendering ends with an error, because the page
// might show an error message as its text.
func (t *tab) answerOther(event *fetch.EventRequestPaused, own bool) bool {
	r := t.renderer
	get := func(ctx context.Context) (*Answer, error) { return r.exchange(ctx, event.Request) }
	var got *Answer
	var err error
	if event.ResourceType == network.ResourceTypeScript || event.ResourceType == network.ResourceTypeStylesheet {
		// answers may depend on the Origin header
		key := fmt.Sprint(event.Request.Headers["Origin"], " ", event.Request.URL)
		got, err = r.assets.get(t.ctx, r.browser.life, key, get)
	} else {
		got, err = get(t.ctx)
	}
	if err == nil && (got.Status < 200 || got.Status >= 500 || got.Status == http.StatusTooManyRequests) {
		err = fmt.Errorf("HTTP status %d %s", got.Status, http.StatusText(got.Status))
	}
	if err != nil {
		if own && event.ResourceType != network.ResourceTypeStylesheet {
			t.cancel(fmt.Errorf("%.200s, which it needs, was not read: %w", event.Request.URL, err))
		} else if refused, ok := errors.AsType[Refusal](err); ok {
			t.note(event.Request.URL, refused.Error())
		}
		return false
	}
	if most := mostBodies * t.renderer.opts.MaxBody; t.answerBytes.Add(int64(len(got.Body))) > most {
		t.cancel(fmt.Errorf("it asks for more than %s (%d times fetch.max_body)",
			document.FormatBytes(most), mostBodies))
		return false
	}
	return t.fulfil(event, int64(got.Status), entries(got.Header), got.Body) == nil
}

func (t *tab) fulfil(event *fetch.EventRequestPaused, status int64, header []*fetch.HeaderEntry, body []byte) error {
	_, err := chromedp.Call(t.ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: event.RequestID, ResponseCode: status, ResponseHeaders: header, Body: body,
	})
	return err
}

// mayAsk reports whether a request may be needed for the text of a page. A POST is allowed only to the site's
// own hosts: some scripts read data with POST, but a POST can also change data.
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

func (t *tab) note(url, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes[fmt.Sprintf("its script was refused %.200s: %s", url, why)] = true
}

func (r *Renderer) exchange(ctx context.Context, request *network.Request) (*Answer, error) {
	var body bytes.Buffer
	for _, entry := range request.PostDataEntries {
		body.Write(entry.Bytes)
	}
	if request.HasPostData && body.Len() == 0 {
		return nil, errors.New("the browser does not tell what it would send")
	}
	req, err := http.NewRequestWithContext(ctx, request.Method, request.URL, &body)
	if err != nil {
		return nil, err
	}
	for name, value := range request.Headers {
		name = textproto.CanonicalMIMEHeaderKey(name)
		if value, ok := value.(string); ok && !slices.Contains(ownHeaders, name) && !strings.HasPrefix(name, "Sec-") {
			req.Header.Set(name, value)
		}
	}
	return r.opts.Site.Fetch(ctx, req)
}

// ownHeaders are request headers that exchange drops: the transport sets them, or they would make the answer
// incomplete. exchange also drops headers that begin with Sec-, since they describe the browser.
var ownHeaders = []string{
	"Accept-Encoding", "Connection", "Content-Length", "Cookie", "Host", "If-Modified-Since", "If-None-Match",
	"Range", "User-Agent",
}

// heldHeaders are response headers that the browser does not get: they concern the transfer, or set cookies.
var heldHeaders = []string{
	"Connection", "Content-Encoding", "Content-Length", "Set-Cookie", "Trailer", "Transfer-Encoding",
}

func entries(header http.Header) []*fetch.HeaderEntry {
	var all []*fetch.HeaderEntry
	for name, values := range header {
		if slices.Contains(heldHeaders, name) || !httpguts.ValidHeaderFieldName(name) {
			continue // Chromium refuses the whole answer for an invalid name; net/http accepts names with spaces
		}
		for _, value := range values {
			if utf8.ValidString(value) {
				all = append(all, &fetch.HeaderEntry{Name: name, Value: strings.TrimSpace(value)})
			}
		}
	}
	return all
}

const mostAssetBytes = 32 << 20

// assets caches scripts and style sheets for the whole crawl. It is safe for concurrent use.
type assets struct {
	flight singleflight.Group
	mu     sync.Mutex
	kept   map[string]*Answer
	bytes  int
}

// get returns the cached answer for key, or calls the function ask. Concurrent calls for one key share one
// request. The request uses life, a context that outlasts the page of ctx.
func (a *assets) get(
	ctx, life context.Context, key string, ask func(context.Context) (*Answer, error),
) (*Answer, error) {
	a.mu.Lock()
	kept := a.kept[key]
	a.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	result := a.flight.DoChan(key, func() (any, error) {
		got, err := ask(life)
		a.mu.Lock()
		defer a.mu.Unlock()
		if got != nil && got.Status == http.StatusOK && a.bytes+len(got.Body) <= mostAssetBytes {
			a.kept[key], a.bytes = got, a.bytes+len(got.Body)
		}
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
