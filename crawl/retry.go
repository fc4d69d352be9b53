package crawl

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/crawl/pace"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
)

// briefWait is pace.Longest where a person waits for one page.
const briefWait = 5 * time.Second

// ask asks for url, and again while it goes wrong in a way that can pass. The
// exchange is that of the last request. It errs when ctx is done, the time is over
// or the host was given up before there was an answer that counts.
func (w *worker) ask(ctx context.Context, url string, hints document.Hints) (*exchange, error) {
	x := &w.fetcher.got
	err := w.run.patiently(ctx, w.host, x, func() error {
		began, err := w.host.pace.Acquire(ctx, w.run.overtime)
		if err != nil {
			return err
		}
		w.fetcher.release()
		w.fetcher.get(url, hints)
		x.weary = !w.host.pace.Release(began, w.run.crawler.reply(x))
		return nil
	})
	if err == nil && canPass(x) && pace.RetryAfter(x.Header, w.run.crawler.now) > w.run.crawler.patience {
		x.Note = fmt.Sprintf("; its Retry-After is longer than the %s that are waited", w.run.crawler.patience)
	}
	return x, err
}

// patiently calls once, which fills x, until what x holds is final: at most
// fetch.retries times more, after waits that double, or as long as the host asks
// for. A wait holds no place in the host's pace. The errors are those of once and
// of the waiting; a host that is given up meanwhile only ends it.
func (r *run) patiently(ctx context.Context, h *host, x *exchange, once func() error) error {
	var waits *backoff.ExponentialBackOff
	var spent time.Duration
	for try := 0; ; try++ {
		if err := once(); err != nil {
			if try > 0 && err == pace.ErrGivenUp {
				return nil
			}
			return err
		}
		spent += x.took
		hopeless := !canPass(x) || x.weary || h.hopeless() || r.crawler.folder != nil
		if hopeless || try == r.opts.Retries || spent >= r.crawler.patience || ctx.Err() != nil {
			return nil
		}
		if waits == nil {
			waits = &backoff.ExponentialBackOff{InitialInterval: r.opts.RetryWait, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: pace.Longest}
			waits.Reset()
		}
		wait := min(max(waits.NextBackOff(), pace.RetryAfter(x.Header, r.crawler.now)), r.crawler.patience-spent)
		switch err := pace.Await(ctx, r.overtime, h.pace.Ended, time.After(wait)); err {
		case nil:
		case pace.ErrGivenUp:
			return nil
		default:
			return err
		}
		spent += wait
	}
}

// reply tells the host's pace of an exchange.
func (c *Crawler) reply(x *exchange) pace.Reply {
	r := pace.Reply{Good: x.err == nil && x.Status < 500 && x.Status != http.StatusTooManyRequests}
	if x.Status != 0 {
		r.Took = x.took
	}
	if canPass(x) {
		r.Pause = min(pace.RetryAfter(x.Header, c.now), c.patience)
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
