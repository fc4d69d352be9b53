package crawl

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"time"

	"github.com/gocolly/colly/v2"

	"sitesync/crawl/memory"
	"sitesync/crawl/pace"
	"sitesync/crawl/reading"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// exchange is one request and its answer.
type exchange struct {
	reading.Answer
	buffer   *bytes.Buffer // that holds the body; nil when it was not wanted
	rendered bool          // scripts made the page, or should have: no hint tells whether it changed
	err      error
	took     time.Duration // until the header came, or the error
	weary    bool          // the host asks for more patience than there is
	tooMuch  bool          // the page is over a limit of ours
}

// fetcher makes one exchange at a time. Each worker has its own. Colly fetches the
// pages; it reads no body, follows no redirect and keeps no state, for the transport it
// is given here takes all of that over. A question whether a page has changed goes
// around it: nearly all are answered with 304, which Colly has no use for.
type fetcher struct {
	crawler   *Crawler
	collector *colly.Collector
	ask       document.Hints // validators of the exchange under way
	at        string         // the address that is asked in place of the page's own; empty: that
	pace      *pace.Pace     // of the host that is asked
	cookies   *cookiejar.Jar // that the page has set since it was asked first
	got       exchange
	share     *memory.Share // of the exchange under way
	take      func(bytes int64) error
}

// standIn is the address that Colly is given in place of each exchange's own. It
// parses every address twice, at 25 µs, and refuses some that the WHATWG standard
// allows; ours are canonical already.
const standIn = "http://page/"

func newFetcher(ctx context.Context, c *Crawler) *fetcher {
	f := &fetcher{crawler: c, collector: &colly.Collector{}, share: c.memory.Share()}
	f.take = func(bytes int64) error {
		err := f.share.Take(ctx, bytes)
		f.got.tooMuch = f.got.tooMuch || err != nil && ctx.Err() == nil // the run's end is no limit
		return err
	}
	f.collector.Init() // not NewCollector, which obeys COLLY_* environment variables
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

// get asks for url. The exchange is valid until the next call; its body goes back
// with release.
func (f *fetcher) get(url string, ask document.Hints) *exchange {
	f.ask, f.got = ask, exchange{Answer: reading.Answer{URL: url, Take: f.take, Conditional: ask.ETag != "" || ask.LastModified != ""}}
	x := &f.got
	var err error
	if x.Conditional {
		_, err = f.exchange((&http.Request{Method: http.MethodGet, Header: http.Header{"User-Agent": {f.collector.UserAgent}}}).WithContext(f.collector.Context)) //nolint:bodyclose // it is empty
	} else {
		err = f.collector.Visit(standIn)
	}
	if err != nil && x.err == nil && x.Status == 0 {
		x.err = err
	}
	if x.buffer != nil {
		x.Body = x.buffer.Bytes()
	}
	if x.err != nil {
		x.Fault = transport.Explain(x.err)
	}
	return x
}

func (f *fetcher) release() {
	f.crawler.bodies.Release(f.got.buffer)
	f.got.buffer, f.got.Body = nil, nil
	f.share.Release()
}

// RoundTrip makes the exchange for Colly, whose request it leaves as it is.
func (f *fetcher) RoundTrip(req *http.Request) (*http.Response, error) {
	return f.exchange(req.Clone(req.Context()))
}

// exchange sends req to the exchange's address and keeps the answer for get. It returns
// an empty body, so that Colly neither copies nor decodes a byte.
func (f *fetcher) exchange(req *http.Request) (*http.Response, error) {
	url, err := weburl.ForRequest(cmp.Or(f.at, f.got.URL))
	if err != nil {
		f.got.err = fmt.Errorf("the address can't be asked for: %w", err)
		return nil, f.got.err
	}
	req.URL, req.Host = url, url.Host
	req.Header.Set("Accept", "text/html,application/xhtml+xml,application/pdf,"+document.MediaDOCX+";q=0.9,*/*;q=0.5")
	if f.ask.ETag != "" {
		req.Header.Set("If-None-Match", f.ask.ETag)
	}
	if f.ask.LastModified != "" {
		req.Header.Set("If-Modified-Since", f.ask.LastModified)
	}
	for _, cookie := range f.cookies.Cookies(url) {
		req.AddCookie(cookie)
	}
	began := time.Now()
	resp, err := f.pace.Exchange(f.crawler.transport, req)
	f.got.took = time.Since(began)
	if err != nil {
		f.got.err = err
		return nil, err
	}
	f.got.Status, f.got.Header = resp.StatusCode, resp.Header
	f.cookies.SetCookies(url, resp.Cookies())
	if limit, wanted := f.crawler.wants(&f.got, url.Path); wanted {
		limit.Take = f.take
		f.got.buffer, f.got.err = f.crawler.bodies.Read(req.Context(), resp, limit)
		f.got.tooMuch = f.got.tooMuch || transport.IsOurs(f.got.err)
	} else {
		resp.Body.Close()
	}
	resp.Body, resp.ContentLength, resp.Uncompressed = http.NoBody, 0, true
	return resp, nil
}

// wants says whether the body is read, and up to which size. A page that is not
// there is read as well, which costs little and keeps the connection.
func (c *Crawler) wants(x *exchange, path string) (limit transport.Limit, wanted bool) {
	if x.Status < 200 || x.Status >= 300 && x.Status < 400 || x.Status == http.StatusNoContent {
		return limit, false
	}
	x.Media, x.File = document.MediaOf(x.Header, path, nil)
	limit.Bytes, limit.Key = c.limit(x)
	if x.Media == "" || x.Media == document.MediaText && x.Status == http.StatusOK {
		limit.Bytes, limit.Key = c.opts.MaxBody, "fetch.max_body"
		limit.Of = func(head []byte) (int64, string) {
			x.Media, x.File = document.MediaOf(x.Header, path, head)
			x.Media = cmp.Or(x.Media, document.MediaHTML) // nothing at all is an empty page
			return c.limit(x)
		}
	}
	return limit, limit.Bytes > 0
}

// limit returns the size up to which the body of an exchange is read, 0 where it is not, and its key.
func (c *Crawler) limit(x *exchange) (bytes int64, key string) {
	switch {
	case x.File && x.Status == http.StatusOK:
		return c.opts.MaxFile, "fetch.max_file"
	case document.IsHTML(x.Media):
		return c.opts.MaxBody, "fetch.max_body"
	}
	return 0, ""
}

// briefWait is pace.Longest where a person waits for one page.
const briefWait = 5 * time.Second

// ask asks for url, and again while it goes wrong in a way that can pass. The
// exchange is that of the last request. It errs when ctx is done, the time is over
// or the host was given up before there was an answer that counts.
func (w *worker) ask(ctx context.Context, url string, hints document.Hints) (*exchange, error) {
	x := &w.fetcher.got
	once := func(at string, hints document.Hints) error {
		began, err := w.host.pace.Acquire(ctx, w.run.over.Done())
		if err != nil {
			return err
		}
		w.fetcher.release()
		w.fetcher.at, w.fetcher.pace = at, w.host.pace
		w.fetcher.get(url, hints)
		x.weary = !w.host.pace.Release(began, w.run.crawler.reply(x))
		return nil
	}
	err := w.run.patiently(ctx, w.host, x, func() error {
		w.fetcher.cookies, _ = cookiejar.New(nil) // without options there is no error
		if err := once("", hints); err != nil || x.Status < 300 || x.Status >= 400 {
			return err
		}
		at := w.run.crawler.site.WithSession(url, x.Header.Get("Location"))
		if at == "" {
			return w.comeRound(url, hints, once)
		}
		if allowed, _ := w.host.robots.Allowed(weburl.Target(at)); !allowed {
			return nil
		}
		w.fetcher.cookies, _ = cookiejar.New(nil) // the address holds the session
		return once(at, hints)
	})
	if err == nil && canPass(x) && document.RetryAfter(x.Header, time.Now()) > w.run.crawler.patience {
		x.Note = fmt.Sprintf("; its Retry-After is longer than the %s that are waited", w.run.crawler.patience)
	}
	return x, err
}

// patiently calls once, which fills x, until what x holds is final or nothing is left of
// fetch.retries, of the time for one page or of fetch.max_wait. The errors are those of
// pace.Retry.
func (r *run) patiently(ctx context.Context, h *host, x *exchange, once func() error) error {
	tries := pace.Tries{More: r.opts.Retries, Wait: r.opts.RetryWait, Longest: r.crawler.patience}
	return h.pace.Retry(ctx, r.over.Done(), tries, func() (pace.Try, error) {
		err := once()
		final := !canPass(x) || x.weary || h.hopeless.Load() || r.crawler.folder != nil
		return pace.Try{Final: final, Took: x.took, After: document.RetryAfter(x.Header, time.Now())}, err
	})
}

// reply tells the host's pace of an exchange.
func (c *Crawler) reply(x *exchange) pace.Reply {
	r := pace.Reply{Good: x.err == nil && x.Status < 500 && x.Status != http.StatusTooManyRequests}
	if x.Status != 0 {
		r.Took = x.took
	}
	if after := document.RetryAfter(x.Header, time.Now()); canPass(x) && after <= c.patience {
		r.Pause = after
	}
	switch x.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		r.Overload = true
	case 0:
		r.Overload = transport.TimedOut(x.err)
	}
	return r
}

// canPass reports whether the same request may go well a little later: a fault of
// the server that is known to pass, or a break on the way. Certificates, refusals of
// the guard, names that don't exist and our own limits stay what they are.
func canPass(x *exchange) bool {
	switch x.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return x.err != nil && transport.CanPass(x.err)
}
