package crawl

import (
	"context"
	"fmt"
	"net/http/cookiejar"
	neturl "net/url"
	"strings"
	"time"

	"sitesync/crawl/signs"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// ask requests url, with retries while the fault may pass. The exchange holds the last request and its
// answer. It errs when ctx is done, max-duration is over, or the host is given up before a final answer.
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
		f.cookies, _ = cookiejar.New(nil) // the new address carries the session, so no cookie is needed
		return once(at, hints)
	})
	if err == nil && canPass(x) && document.RetryAfter(x.Header, time.Now()) > f.client.patience {
		x.Note = fmt.Sprintf("; its Retry-After is longer than the %s that are waited", f.client.patience)
	}
	return x, err
}

// mostRound is how many redirects may lead from a page back to the same page.
const mostRound = 3

// comeRound follows a redirect that only sets a cookie and then leads back to the page at url. Cookies are
// kept for these requests only; the next request for the page starts without them. If the redirects do not
// end at url, the first answer is the result.
func (f *fetcher) comeRound(h *host, url string, hints document.Hints, once func(at string, hints document.Hints) error) error {
	x, at, set := &f.got, url, false
	first := *x
	first.Body = nil // the memory share is reused by the next request
	for range mostRound {
		next := f.onRound(h, url, at)
		set = set || x.Header.Get("Set-Cookie") != ""
		// without a cookie the same address would answer the same
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

// onRound returns the redirect target of an answer from at if the target may lead back to url: an address
// with the path of url, or with that path in its query. It returns "" for other answers, for logins and for
// targets that robots.txt forbids.
func (f *fetcher) onRound(h *host, url, at string) string {
	x := &f.got
	location := x.Header.Get("Location")
	if x.Status < 300 || x.Status >= 400 || location == "" {
		return ""
	}
	next := weburl.Join(at, location)
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
