package crawl

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"golang.org/x/net/html"

	"sitesync/crawl/chrome"
	"sitesync/crawl/page"
	"sitesync/crawl/reading"
	"sitesync/crawl/robots"
	"sitesync/crawl/signs"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	renderAuto   = "auto"
	renderAlways = "always"
)

const (
	mostTabs   = 4
	delaysATab = 20 // rendering may exceed fetch.timeout by this many request delays of the host
)

// reader turns answers into pages. It lets a browser run the scripts of pages that need them.
type reader struct {
	client   *client
	answers  *reading.Reader
	renderer *chrome.Renderer
}

func newReader(c *client) *reader {
	o := c.opts
	r := &reading.Reader{
		Canon: c.site.Canon, Agent: robots.ProductToken(o.UserAgent), Staged: c.site.Staged, ReadFile: o.ReadFile,
		OnlyFiles: c.site.OnlyFiles, Start: o.Began,
		IsStart: func(url string) bool { return slices.Contains(c.site.Start, url) },
		Absence: func(url string) *signs.Absence {
			if h := c.hosts.of(url); h != nil {
				return &h.absence
			}
			return nil
		},
	}
	switch o.Render {
	case renderAlways:
		r.Scripts = func(*html.Node) bool { return true }
	case renderAuto:
		r.Scripts = signs.EmptyShell
	}
	return &reader{client: c, answers: r, renderer: chrome.New(chrome.Options{
		Path: o.Browser, NoSandbox: o.NoSandbox, Tabs: min(mostTabs, o.Concurrency), MaxBody: o.MaxBody, Site: needs{c},
	})}
}

func (r *reader) readPage(ctx context.Context, x *exchange, known document.Known) (document.Page, page.Links) {
	p, links := r.answers.Read(&x.Answer, known)
	return r.render(ctx, x, p, links)
}

// render runs the scripts of a page that needs them. If rendering fails, the page counts as unread: its text
// is unknown. If Chromium is missing, mode "auto" keeps the page as it was fetched.
func (r *reader) render(
	ctx context.Context, x *exchange, p document.Page, links page.Links,
) (document.Page, page.Links) {
	if !r.answers.Waits(&p) {
		return p, links
	}
	x.rendered = true
	limit := r.client.opts.Timeout
	if h := r.client.hosts.start(p.URL); h != nil {
		limit += delaysATab * h.pace.Apart()
	}
	asked := chrome.Page{URL: p.URL, Header: p.Header, Body: x.Body, In: p.Charset.Name, Limit: limit}
	text, notes, err := r.renderer.Render(ctx, asked)
	for note := range notes {
		r.client.warnings.Add("render", p.URL, note)
	}
	switch {
	case errors.Is(err, chrome.ErrNoBrowser) && r.client.opts.Render == renderAuto:
		r.client.warnings.Add("render", "", err.Error())
		return p, links
	case err != nil:
		p.Seen, p.Root, p.Why = document.Unread, nil, "rendering: "+transport.Explain(err)
		return p, page.Links{}
	}
	return r.answers.ReadRendered(p, links, text, x.Take)
}

// needs answers the requests of rendered pages with the crawl's own transport, credentials, limits and pace.
type needs struct{ client *client }

func (n needs) Fetch(ctx context.Context, req *http.Request) (*chrome.Answer, error) {
	c := n.client
	req.Header.Set("User-Agent", c.opts.UserAgent)
	var resp *http.Response
	var err error
	if h := c.hosts.start(req.URL.String()); h != nil {
		resp, _, err = c.roundTrip(req, h) //nolint:bodyclose // ReadBody closes the body
	} else {
		resp, err = c.transport.RoundTrip(req) //nolint:bodyclose // ReadBody closes the body
	}
	var body []byte
	if err == nil {
		body, err = transport.ReadBody(ctx, resp, transport.Limit{Bytes: c.opts.MaxBody, Key: "fetch.max_body"})
	}
	if refused, ok := errors.AsType[*transport.RefusedError](err); ok {
		return nil, refused
	}
	if err != nil {
		return nil, errors.New(transport.Explain(err))
	}
	return &chrome.Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
}

func (n needs) Own(url string) (own bool, forbidden string) {
	h := n.client.hosts.start(url)
	switch {
	case h == nil:
		return false, ""
	case h.robots == nil:
		return true, "the robots.txt of " + h.origin + " was not read"
	}
	if ok, rule := h.robots.Allowed(weburl.Target(url)); !ok {
		return true, "robots.txt: " + rule
	}
	return true, ""
}
