package crawl

import (
	"context"
	"fmt"
	"net/http"

	"sitesync/internal/weburl"
)

// request makes a GET through the guarded transport, following up to five
// redirects, and hands the answer to use, which closes its body. What can pass is
// asked again, so use may be called again. The exchange has the last answer's
// status, 0 where there was none, and the error of the request or of use.
func (r *run) request(ctx context.Context, h *host, url string, use func(*http.Response) error) *exchange {
	x := &exchange{}
	client := &http.Client{Transport: pacedTransport{r, h, x}, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > robotsHops {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		x.err = fmt.Errorf("ask for %s: %w", url, err)
		return x
	}
	req.Header.Set("User-Agent", r.opts.UserAgent)
	err = r.patiently(ctx, h, x, func() error {
		*x = exchange{}
		began := r.crawler.now()
		resp, err := client.Do(req) //nolint:bodyclose // use closes it
		x.took = r.crawler.now().Sub(began)
		if x.err = err; err != nil {
			return nil
		}
		x.Status, x.Header, x.err = resp.StatusCode, resp.Header, use(resp)
		return nil
	})
	if err != nil && x.err == nil {
		x.err = err
	}
	return x
}

// pacedTransport keeps requests, redirects too, to the pace of their host; where
// that is none of the site's, to the pace of the host on whose behalf they are made.
type pacedTransport struct {
	run  *run
	host *host
	x    *exchange
}

func (t pacedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	h := t.run.crawler.hosts[weburl.Origin(req.URL.String())]
	if h == nil {
		h = t.host
	}
	resp, weary, err := t.run.crawler.roundTrip(req, h, t.run.overtime)
	t.x.weary = weary // of the last hop
	return resp, err
}

// roundTrip makes a request at the pace of a host. weary says that the host asks for
// more patience than there is.
func (c *Crawler) roundTrip(req *http.Request, h *host, overtime <-chan struct{}) (resp *http.Response, weary bool, err error) {
	began, err := h.pace.Acquire(req.Context(), overtime)
	if err != nil {
		return nil, false, err
	}
	resp, err = c.transport.RoundTrip(req)
	x := &exchange{err: err}
	if err == nil {
		x.Status, x.Header = resp.StatusCode, resp.Header
	}
	return resp, !h.pace.Release(began, c.reply(x)), err
}
