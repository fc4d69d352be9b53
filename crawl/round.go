package crawl

import (
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
	x, at, set := &w.fetcher.got, url, false
	first := *x
	first.buffer, first.Body = nil, nil // whatever is asked next takes them back
	for range mostRound {
		next := w.onRound(url, at, x)
		set = set || x.Header.Get("Set-Cookie") != ""
		if next == "" || !set && weburl.Path(next) == weburl.Path(url) { // which would answer the same
			if at == url { // nothing else was asked
				return nil
			}
			break
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
	allowed, _ := w.host.robots.Allowed(weburl.Target(next))
	if !allowed || path != weburl.Path(url) && !strings.Contains(query, weburl.Path(url)) {
		return ""
	}
	return next
}
