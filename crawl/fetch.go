package crawl

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	neturl "net/url"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"

	"sitesync/crawl/memory"
	"sitesync/crawl/pace"
	"sitesync/crawl/reading"
	"sitesync/crawl/signs"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// A fetcher makes one request at a time, so each worker has its own. The library Colly sends its requests
// through the fetcher. The fetcher itself reads bodies, follows redirects and keeps cookies. Conditional
// requests bypass Colly, because Colly can't use their usual answer, status 304.
type fetcher struct {
	client    *client
	collector *colly.Collector
	hints     document.Hints
	at        string // address to request if it differs from the page's own; otherwise empty
	pace      *pace.Pace
	cookies   *cookiejar.Jar // cookies that answers have set in the current try
	got       exchange
	share     *memory.Share
	take      func(bytes int64) error
}

// standIn is passed to Colly in place of the real address. Colly parses every address twice, which is slow,
// and refuses some addresses that the WHATWG standard allows.
const standIn = "http://page/"

func newFetcher(ctx context.Context, c *client) *fetcher {
	f := &fetcher{client: c, collector: &colly.Collector{}, share: c.memory.Share()}
	f.take = func(bytes int64) error {
		err := f.share.Take(ctx, bytes)
		f.got.tooMuch = f.got.tooMuch || err != nil && ctx.Err() == nil // a done ctx exceeds no limit
		return err
	}
	f.collector.Init() // NewCollector would obey COLLY_* environment variables
	f.collector.Context = ctx
	f.collector.AllowURLRevisit = true
	f.collector.ParseHTTPErrorResponse = true
	f.collector.MaxBodySize = 0
	f.collector.UserAgent = c.opts.UserAgent
	f.collector.DisableCookies()
	f.collector.SetRequestTimeout(0)
	f.collector.SetRedirectHandler(func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse })
	f.collector.WithTransport(f)
	return f
}

// get requests url and sets f.got, which is valid until the next call. f.release frees the memory of f.got.
func (f *fetcher) get(url string, ask document.Hints) {
	conditional := ask.ETag != "" || ask.LastModified != ""
	f.hints, f.got = ask, exchange{Answer: reading.Answer{URL: url, Take: f.take, Conditional: conditional}}
	x := &f.got
	var err error
	if x.Conditional {
		req := &http.Request{Method: http.MethodGet, Header: http.Header{"User-Agent": {f.collector.UserAgent}}}
		_, err = f.exchange(req.WithContext(f.collector.Context)) //nolint:bodyclose // the body is empty
	} else {
		err = f.collector.Visit(standIn)
	}
	if err != nil && x.err == nil && x.Status == 0 {
		x.err = err
	}
	if x.err != nil {
		x.Fault = transport.Explain(x.err)
	}
}

func (f *fetcher) release() {
	f.got.Body = nil
	f.share.Release()
}

func (f *fetcher) RoundTrip(req *http.Request) (*http.Response, error) {
	return f.exchange(req.Clone(req.Context()))
}

// exchange sends req to the page's address and stores the answer in f.got. It returns an empty body, so that
// Colly neither copies nor decodes a byte.
func (f *fetcher) exchange(req *http.Request) (*http.Response, error) {
	url, err := weburl.ForRequest(cmp.Or(f.at, f.got.URL))
	if err != nil {
		f.got.err = fmt.Errorf("the address can't be asked for: %w", err)
		return nil, f.got.err
	}
	req.URL, req.Host = url, url.Host
	req.Header.Set("Accept", "text/html,application/xhtml+xml,application/pdf,"+document.MediaDOCX+";q=0.9,*/*;q=0.5")
	if f.hints.ETag != "" {
		req.Header.Set("If-None-Match", f.hints.ETag)
	}
	if f.hints.LastModified != "" {
		req.Header.Set("If-Modified-Since", f.hints.LastModified)
	}
	for _, cookie := range f.cookies.Cookies(url) {
		req.AddCookie(cookie)
	}
	began := time.Now()
	resp, err := f.pace.Exchange(f.client.transport, req)
	f.got.took = time.Since(began)
	if err != nil {
		f.got.err = err
		return nil, err
	}
	f.got.Status, f.got.Header = resp.StatusCode, resp.Header
	f.cookies.SetCookies(url, resp.Cookies())
	if limit, wanted := f.wants(url.Path); wanted {
		limit.Take = f.take
		f.got.Body, f.got.err = transport.ReadBody(req.Context(), resp, limit)
		f.got.tooMuch = f.got.tooMuch || transport.IsOurs(f.got.err)
	} else {
		resp.Body.Close()
	}
	resp.Body, resp.ContentLength, resp.Uncompressed = http.NoBody, 0, true
	return resp, nil
}

// wants reports whether the body of f.got is read, and up to which size. Error pages are read too: they cost
// little, and the connection can then be used again.
func (f *fetcher) wants(path string) (limit transport.Limit, wanted bool) {
	x := &f.got
	if x.Status < 200 || x.Status >= 300 && x.Status < 400 || x.Status == http.StatusNoContent {
		return limit, false
	}
	x.Media, x.File = document.MediaOf(x.Header, path, nil)
	limit.Bytes, limit.Key = f.limit()
	if x.Media == "" || x.Media == document.MediaText && x.Status == http.StatusOK {
		limit.Bytes, limit.Key = f.client.opts.MaxBody, "fetch.max_body"
		limit.Of = func(head []byte) (int64, string) {
			x.Media, x.File = document.MediaOf(x.Header, path, head)
			// an empty body without a media type counts as an empty page
			x.Media = cmp.Or(x.Media, document.MediaHTML)
			return f.limit()
		}
	}
	return limit, limit.Bytes > 0
}

func (f *fetcher) limit() (bytes int64, key string) {
	switch x := &f.got; {
	case x.File && x.Status == http.StatusOK:
		return f.client.opts.MaxFile, "fetch.max_file"
	case document.IsHTML(x.Media):
		return f.client.opts.MaxBody, "fetch.max_body"
	}
	return 0, ""
}

// ask requests url, and repeats the request while its fault may be temporary. It returns the last answer. It
// errs if ctx is done, the run's time limit is over, or the host gets no more requests (is given up).
func (f *fetcher) ask(ctx context.Context, h *host, url string, hints document.Hints) (*exchange, error) {
	x := &f.got
	once := func(at string, hints document.Hints) error {
		began, err := h.pace.Acquire(ctx, f.client.over.Done())
		if err != nil {
			return err
		}
		f.release()
		f.at, f.pace = at, h.pace
		f.get(url, hints)
		x.weary = !h.pace.Release(began, f.client.reply(x))
		return nil
	}
	err := f.client.patiently(ctx, h, x, func() error {
		f.cookies, _ = cookiejar.New(nil) // New never errs without options
		if err := once("", hints); err != nil || x.Status < 300 || x.Status >= 400 {
			return err
		}
		at := f.client.site.WithSession(url, x.Header.Get("Location"))
		if at == "" {
			return f.comeRound(h, url, hints, once)
		}
		if allowed, _ := h.robots.Allowed(weburl.Target(at)); !allowed {
			return nil
		}
		f.cookies, _ = cookiejar.New(nil) // the new address holds the session ID, so no cookie is needed
		return once(at, hints)
	})
	if err == nil && canPass(x) && document.RetryAfter(x.Header, time.Now()) > f.client.patience {
		x.Note = fmt.Sprintf("; its Retry-After is longer than the %s that are waited", f.client.patience)
	}
	return x, err
}

const mostRound = 3 // most redirects from a page back to the same page

// comeRound follows redirects that set a cookie and lead back to url. It then requests the page with the
// cookie. If the redirects do not lead back to url, f.got keeps the first answer. The next call of ask drops
// the cookies.
func (f *fetcher) comeRound(
	h *host, url string, hints document.Hints, once func(at string, hints document.Hints) error,
) error {
	x, at, set := &f.got, url, false
	first := *x
	first.Body = nil // the next request releases the body's memory
	for range mostRound {
		next := f.onRound(h, url, at)
		set = set || x.Header.Get("Set-Cookie") != ""
		// without a new cookie, the same address would give the same answer
		if next == "" || !set && weburl.Path(next) == weburl.Path(url) {
			if at == url {
				return nil
			}
			break
		}
		if target, err := f.client.site.Canon.URL(next); err == nil && target == url {
			return once(next, hints)
		}
		if err := once(next, document.Hints{}); err != nil {
			return err
		}
		at = next
	}
	f.release()
	*x = first
	return nil
}

// onRound returns the target of the redirect in f.got, the answer for requestURL. It returns "" if f.got
// is no redirect. It returns "" for a target on another origin, a login, and a target that robots.txt
// forbids. The path of url must be the target's path or part of its query; otherwise onRound returns "".
func (f *fetcher) onRound(h *host, url, requestURL string) string {
	x := &f.got
	location := x.Header.Get("Location")
	if x.Status < 300 || x.Status >= 400 || location == "" {
		return ""
	}
	next := weburl.Join(requestURL, location)
	if weburl.Origin(next) != weburl.Origin(url) || signs.AsksForLogin(url, next) {
		return ""
	}
	path, query, _ := strings.Cut(weburl.Target(next), "?")
	query, _ = neturl.QueryUnescape(query)
	allowed, _ := h.robots.Allowed(weburl.Target(next))
	if !allowed || path != weburl.Path(url) && !strings.Contains(query, weburl.Path(url)) {
		return ""
	}
	return next
}
