package crawl

import (
	"net/http"
	"net/http/cookiejar"
	neturl "net/url"
	"strings"

	"sitesync/crawl/signs"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// mostRound is how many redirects may lie between a page and itself.
const mostRound = 3

// comeRound asks a page once more that sends visitors without its cookie around, to itself or
// by way of addresses that name it. The cookies of the round go along, and are forgotten with
// it: the next look, or a question whether the page has changed, goes the round again. Where
// that does not end at the page, its first answer stands.
func (w *worker) comeRound(url string, hints document.Hints, once func(at string, hints document.Hints) error) error {
	x, at := &w.fetcher.got, url
	first := *x
	w.fetcher.cookies, _ = cookiejar.New(nil) // without options there is no error
	defer func() { w.fetcher.cookies = nil }()
	for range mostRound {
		next := w.onRound(url, at, x)
		from, fromErr := weburl.ForRequest(at)
		to, err := weburl.ForRequest(next)
		if next == "" || fromErr != nil || err != nil {
			break
		}
		w.fetcher.cookies.SetCookies(from, (&http.Response{Header: x.Header}).Cookies())
		if weburl.Path(next) == weburl.Path(url) && len(w.fetcher.cookies.Cookies(to)) == 0 {
			break // it would answer the same
		}
		if target, err := w.run.crawler.site.Canon.URL(next); err == nil && target == url {
			return once(next, hints)
		}
		if err := once(next, document.Hints{}); err != nil {
			return err
		}
		at = next
	}
	w.fetcher.release()
	*x = first
	return nil
}

// onRound returns where an answer from at redirects, if that may be on a round that leads back
// to the page at url: another address of its path, or one whose query holds its path. It is
// empty for other answers, logins, and what robots.txt forbids.
func (w *worker) onRound(url, at string, x *exchange) string {
	if x.Status < 300 || x.Status >= 400 {
		return ""
	}
	next := weburl.Join(at, x.Header.Get("Location"))
	if weburl.Origin(next) != weburl.Origin(url) || signs.AsksForLogin(url, next) {
		return ""
	}
	path, query, _ := strings.Cut(weburl.Target(next), "?")
	query, _ = neturl.QueryUnescape(query)
	if allowed, _ := w.host.robots.Allowed(weburl.Target(next)); !allowed || path != weburl.Path(url) && !strings.Contains(query, weburl.Path(url)) {
		return ""
	}
	return next
}
