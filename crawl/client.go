package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"sitesync/crawl/folder"
	"sitesync/crawl/memory"
	"sitesync/crawl/pace"
	"sitesync/crawl/reading"
	"sitesync/crawl/site"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/warning"
)

// client makes requests at the pace of each host (its delay and its number of parallel requests).
type client struct {
	opts      *Options
	site      *site.Site
	hosts     *hosts
	transport http.RoundTripper
	folder    *folder.Folder // local folder to crawl; nil: the crawl uses the network
	memory    *memory.Budget
	patience  time.Duration   // most time for one page, with its retries and waits
	over      context.Context // done when max-duration, the time limit of a run, is over
	warnings  *warning.List
}

const briefWait = 5 * time.Second // client.patience for Look, since a person waits for its result

type exchange struct {
	reading.Answer
	rendered bool // the page needs its scripts, so its ETag does not show every change
	err      error
	took     time.Duration
	weary    bool // the host asks for a longer wait than sitesync grants
	tooMuch  bool // the page exceeds one of sitesync's own limits
}

func (c *client) asking(ctx context.Context) (asking context.Context, end func()) {
	asking, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.over, func() { cancel(pace.ErrOvertime) })
	return asking, func() { stop(); cancel(nil) }
}

const mostHops = 5 // most redirects that client.request follows (RFC 9309, section 2.3.1.2)

// request makes a GET and follows up to mostHops redirects. After a temporary fault it tries again. It passes
// the response to each try to the function use, which must close the body. The result holds the status of the
// last try (0: no answer) and its error.
func (c *client) request(ctx context.Context, h *host, url string, use func(*http.Response) error) *exchange {
	x := &exchange{}
	client := &http.Client{
		Transport: pacedTransport{c, h, x},
		CheckRedirect: func(_ *http.Request, via []*http.Request) error {
			if len(via) > mostHops {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
	asking, end := c.asking(ctx)
	defer end()
	req, err := http.NewRequestWithContext(asking, http.MethodGet, url, nil)
	if err != nil {
		x.err = fmt.Errorf("ask for %s: %w", url, err)
		return x
	}
	req.Header.Set("User-Agent", c.opts.UserAgent)
	err = c.patiently(ctx, h, x, func() error {
		*x = exchange{}
		began := time.Now()
		resp, err := client.Do(req) //nolint:bodyclose // the function use closes the body
		x.took = time.Since(began)
		x.err = err
		if err != nil {
			return nil
		}
		x.Status, x.Header, x.err = resp.StatusCode, resp.Header, use(resp)
		return nil
	})
	x.err = cmp.Or(x.err, err)
	return x
}

// pacedTransport makes each request at the pace of the requested host. A redirect may lead to a host outside
// the site. The request to that host is made at the pace of pacedTransport.host.
type pacedTransport struct {
	client *client
	host   *host
	x      *exchange
}

func (t pacedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	h := cmp.Or(t.client.hosts.of(req.URL.String()), t.host)
	resp, weary, err := t.client.roundTrip(req, h)
	t.x.weary = weary
	return resp, err
}

// roundTrip makes a request at the pace of h. weary means that h asks for a longer wait than sitesync grants.
func (c *client) roundTrip(req *http.Request, h *host) (resp *http.Response, weary bool, err error) {
	began, err := h.pace.Acquire(req.Context(), c.over.Done())
	if err != nil {
		return nil, false, err
	}
	resp, err = h.pace.Exchange(c.transport, req)
	x := &exchange{err: err}
	if err == nil {
		x.Status, x.Header = resp.StatusCode, resp.Header
	}
	return resp, !h.pace.Release(began, c.reply(x)), err
}

// patiently calls send, which makes a request and fills x. After a temporary fault it calls send again.
// fetch.retries, fetch.max_wait and c.patience limit the retries.
func (c *client) patiently(ctx context.Context, h *host, x *exchange, send func() error) error {
	tries := pace.Tries{More: c.opts.Retries, Wait: c.opts.RetryWait, Longest: c.patience}
	return h.pace.Retry(ctx, c.over.Done(), tries, func() (pace.Try, error) {
		err := send()
		final := !canPass(x) || x.weary || h.hopeless.Load() || c.folder != nil
		return pace.Try{Final: final, Took: x.took, After: document.RetryAfter(x.Header, time.Now())}, err
	})
}

func (c *client) reply(x *exchange) pace.Reply {
	overload := x.Status == http.StatusTooManyRequests || x.Status == http.StatusServiceUnavailable ||
		x.Status == 0 && transport.TimedOut(x.err)
	r := pace.Reply{Good: x.err == nil && x.Status < 500 && !overload, Overload: overload}
	if x.Status != 0 {
		r.Took = x.took
	}
	if after := document.RetryAfter(x.Header, time.Now()); canPass(x) && after <= c.patience {
		r.Pause = after
	}
	return r
}

// canPass reports whether the fault in x is temporary, such as status 503 or a broken connection.
func canPass(x *exchange) bool {
	switch x.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return x.err != nil && transport.CanPass(x.err)
}

// askVariants gives c.site a function for variants of a start URL's origin, such as one with "www.". The
// function returns the origin to which the variant's root page redirects.
func (c *client) askVariants(ctx context.Context) {
	c.site.AskBy(func(variant, start string) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, variant+"/", nil)
		if err != nil {
			return "", err
		}
		req.Header.Set("User-Agent", c.opts.UserAgent)
		resp, _, err := c.roundTrip(req, c.hosts.of(start))
		if err != nil {
			return "", errors.New(transport.Explain(err))
		}
		resp.Body.Close()
		return site.Leads(variant, resp)
	})
}
