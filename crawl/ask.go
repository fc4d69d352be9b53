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

// ask asks for url, and again while it goes wrong in a way that can pass. The
// exchange is that of the last request. It errs when ctx is done, the time is over
// or the host was given up before there was an answer that counts.
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
		f.cookies, _ = cookiejar.New(nil) // without options there is no error
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
		f.cookies, _ = cookiejar.New(nil) // the address holds the session
		return once(at, hints)
	})
	if err == nil && canPass(x) && document.RetryAfter(x.Header, time.Now()) > f.client.patience {
		x.Note = fmt.Sprintf("; its Retry-After is longer than the %s that are waited", f.client.patience)
	}
	return x, err
}

// mostRound is how many redirects may lie between a page and itself.
const mostRound = 3

// comeRound asks a page once more that sends visitors without its cookie around, to itself or
// by way of addresses that name it. The cookies of the round go along, and are forgotten with
// it: the next look, or a question whether the page has changed, goes the round again. Where
// that does not end at the page, its first answer stands.
func (f *fetcher) comeRound(h *host, url string, hints document.Hints, once func(at string, hints document.Hints) error) error {
	x, at, set := &f.got, url, false
	first := *x
	first.Body = nil // its memory goes back with whatever is asked next
	for range mostRound {
		next := f.onRound(h, url, at)
		set = set || x.Header.Get("Set-Cookie") != ""
		if next == "" || !set && weburl.Path(next) == weburl.Path(url) { // which would answer the same
			if at == url { // nothing else was asked
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

// onRound returns where an answer from at redirects, if that may be on a round that leads back
// to the page at url: another address of its path, or one whose query holds its path. It is
// empty for other answers, logins, and what robots.txt forbids.
func (f *fetcher) onRound(h *host, url, at string) string {
	x := &f.got
	location := x.Header.Get("Location")
	if x.Status < 300 || x.Status >= 400 || location == "" { // as on nearly every answer of a night
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
