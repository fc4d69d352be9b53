package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"golang.org/x/net/http/httpguts"

	"sitesync/crawl/transport"
)

const mostBodies = 4 // times fetch.max_body, that all answers to one page may hold

// answer is what a request is answered with. It is shared, and never changed.
type answer struct {
	status int
	header []*fetch.HeaderEntry
	body   []byte
}

// fulfil hands an answer to the browser. It fails when the page is gone, and when the
// browser won't have the answer.
func (t *tab) fulfil(event *fetch.EventRequestPaused, a *answer) error {
	_, err := chromedp.Call(t.ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{
		RequestID: event.RequestID, ResponseCode: int64(a.status), ResponseHeaders: a.header, Body: a.body,
	})
	return err
}

// pageHeader holds what decides how the page is shown, and nothing that would
// make a download of it or lead it away.
func (t *tab) pageHeader() []*fetch.HeaderEntry {
	header := []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html; charset=utf-8"}}
	for _, policy := range t.header.Values("Content-Security-Policy") {
		header = append(header, &fetch.HeaderEntry{Name: "Content-Security-Policy", Value: policy})
	}
	return header
}

// fetch returns the answer of the site or of another host. nil when there is none:
// where that leaves the page without what its own site should have given, the page
// is unread, for what it shows then is an excuse.
func (t *tab) fetch(event *fetch.EventRequestPaused) *answer {
	got, err := t.ask(event)
	if err == nil && (got.status < 200 || got.status >= 500 || got.status == http.StatusTooManyRequests) {
		err = fmt.Errorf("HTTP status %d %s", got.status, http.StatusText(got.status))
	}
	var guarded *transport.RefusedError
	switch {
	case err == nil:
		return t.weigh(got)
	case t.renderer.crawler.site(event.Request.URL) != nil && event.ResourceType != network.ResourceTypeStylesheet:
		t.cancel(fmt.Errorf("%s, which it needs, was not read: %s", clip(event.Request.URL, maxShown), transport.Explain(err)))
	case errors.As(err, &guarded):
		t.note(event.Request.URL, guarded.Error())
	}
	return nil
}

// weigh counts the bytes that a page is given.
func (t *tab) weigh(a *answer) *answer {
	t.mu.Lock()
	t.bytes += int64(len(a.body))
	bytes := t.bytes
	t.mu.Unlock()
	if most := mostBodies * t.renderer.crawler.opts.MaxBody; bytes > most {
		t.cancel(fmt.Errorf("it asks for more than %s (%d times fetch.max_body)", transport.FormatBytes(most), mostBodies))
		return nil
	}
	return a
}

func (t *tab) ask(event *fetch.EventRequestPaused) (*answer, error) {
	r := t.renderer
	get := func(ctx context.Context) (*answer, error) { return r.exchange(ctx, event.Request) }
	if event.ResourceType == network.ResourceTypeScript || event.ResourceType == network.ResourceTypeStylesheet {
		return r.assets.get(t.ctx, r.browser.life, assetKey(event.Request), get)
	}
	return get(t.ctx)
}

// exchange asks for what the page does, by the crawler's own transport: guard,
// credentials and limits are those of any page, and its turn is too.
func (r *renderer) exchange(ctx context.Context, request *network.Request) (*answer, error) {
	c := r.crawler
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
	req.Header.Set("User-Agent", c.opts.UserAgent)
	resp, err := r.send(req) //nolint:bodyclose // read closes it
	if err != nil {
		return nil, err
	}
	buf, err := c.bodies.Read(ctx, resp, transport.Limit{Bytes: c.opts.MaxBody, Key: "fetch.max_body"})
	if err != nil {
		return nil, err
	}
	defer c.bodies.Release(buf)
	return &answer{resp.StatusCode, entries(resp.Header), bytes.Clone(buf.Bytes())}, nil
}

// send makes a request at the pace of its host, where that is the site's.
func (r *renderer) send(req *http.Request) (*http.Response, error) {
	c := r.crawler
	h := c.site(req.URL.String())
	if h == nil {
		return c.transport.RoundTrip(req)
	}
	began, err := h.pace.acquire(req.Context(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.transport.RoundTrip(req)
	x := &exchange{err: err}
	if err == nil {
		x.status, x.header = resp.StatusCode, resp.Header
	}
	h.pace.release(began, c.reply(x))
	return resp, err
}

// ownHeaders are those of a request that the transport writes, or that would have
// it answered by less than the whole. Those that begin with Sec- tell of the browser.
var ownHeaders = []string{
	"Accept-Encoding", "Connection", "Content-Length", "Cookie", "Host", "If-Modified-Since", "If-None-Match", "Range", "User-Agent",
}

// sentHeaders are those of an answer that speak of bytes on their way.
var sentHeaders = []string{"Connection", "Content-Encoding", "Content-Length", "Set-Cookie", "Trailer", "Transfer-Encoding"}

func entries(header http.Header) []*fetch.HeaderEntry {
	var all []*fetch.HeaderEntry
	for name, values := range header {
		if slices.Contains(sentHeaders, name) || !httpguts.ValidHeaderFieldName(name) {
			continue // net/http lets a name with spaces pass, Chromium refuses the whole answer for it
		}
		for _, value := range values {
			if utf8.ValidString(value) {
				all = append(all, &fetch.HeaderEntry{Name: name, Value: strings.TrimSpace(value)})
			}
		}
	}
	return all
}
