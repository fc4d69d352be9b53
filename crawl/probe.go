package crawl

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"

	"sitesync/crawl/page"
	"sitesync/crawl/signs"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	maxPrint  = 1 << 20 // largest body that is compared, in bytes
	probeHops = 5       // redirects to other forms of the requested address
)

// probe finds out how a host answers requests for pages that do not exist. It obeys robots.txt.
type probe struct {
	host    *host
	fetcher *fetcher
	reader  *reader
}

// learn requests a page that cannot exist. A redirect on the same host is remembered as the place for
// missing pages. For a page, a second request shows which parts all such pages share.
func (p *probe) learn(ctx context.Context) {
	name := "nosuchpage" + strings.ToLower(rand.Text())
	absence := &p.host.absence
	first := p.shown(ctx, name)
	if first == nil {
		return
	}
	if first.Target != "" { // ignore a login, and a target that can't be read
		if first.Interstitial == "" && p.answer(ctx, first.Target) != nil {
			absence.Place = first.Target
		}
		return
	}
	second := p.shown(ctx, name+"/"+strings.ToLower(rand.Text())+".html")
	if second == nil || second.Status != first.Status {
		second = first
	}
	absence.Page = signs.NewNotFound(first, second)
}

// shown returns the host's answer for a name at its root: a page, or a redirect. A redirect to another form
// of the same address, such as with a slash or a language, is followed.
func (p *probe) shown(ctx context.Context, name string) *document.Page {
	url := p.host.origin + "/" + name
	for range 1 + probeHops {
		got := p.answer(ctx, url)
		if got == nil || !strings.Contains(strings.ToLower(weburl.Path(got.Target)), name) {
			return got
		}
		url = got.Target
	}
	return nil
}

// answer requests an address and returns a redirect, or a page with status 200, 404 or 410. It returns nil
// for any other answer.
func (p *probe) answer(ctx context.Context, url string) *document.Page {
	if weburl.Origin(url) != p.host.origin {
		return nil
	}
	if allowed, _ := p.host.robots.Allowed(weburl.Target(url)); !allowed {
		return nil
	}
	x, err := p.fetcher.ask(ctx, p.host, url, document.Hints{})
	defer p.fetcher.release()
	if err != nil || x.err != nil {
		return nil
	}
	if led, _ := p.reader.answers.Read(&x.Answer, document.Known{}); led.Target != "" {
		return &led
	}
	there := x.Status == http.StatusOK || x.Status == http.StatusNotFound || x.Status == http.StatusGone
	if !there || !document.IsHTML(x.Media) || len(x.Body) == 0 || len(x.Body) > maxPrint {
		return nil
	}
	shown := document.Page{URL: x.URL, Seen: document.Read, Status: x.Status, Header: x.Header, Media: x.Media}
	shown.Root, shown.Charset, err = x.Parse()
	if kind, _ := signs.FindInterstitial(shown.URL, shown.Status, shown.Header, shown.Root); err != nil || kind != "" {
		return nil
	}
	rendered, _ := p.reader.render(ctx, x, shown, page.Links{})
	if rendered.Root == nil {
		return nil
	}
	shown.Root = rendered.Root
	return &shown
}
