package crawl

import (
	"bytes"
	"fmt"
	"net/http"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sitesync/crawl/page"
	"sitesync/crawl/robots"
	"sitesync/crawl/signs"
	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// page turns an exchange into what it says of its URL, and the links to follow.
func (c *Crawler) page(url string, x *exchange, known document.Known) (document.Page, page.Links) {
	p := document.Page{URL: url, Status: x.status, Header: x.header, Media: x.media}
	if x.err != nil {
		p.Seen, p.Why = document.Unread, transport.Explain(x.err)
		return p, page.Links{}
	}
	switch x.status {
	case http.StatusOK:
		return c.body(p, x, known)
	case http.StatusNotModified:
		if !x.conditional {
			p.Seen, p.Why = document.Unread, "HTTP status 304 to a request without conditions"
			break
		}
		p.Seen, p.Claim = document.Kept, document.ClaimValidator
		links := c.headerNoIndex(&p)
		return p, links
	case http.StatusGone:
		p.Seen = document.Gone
	case http.StatusNotFound:
		p.Seen = document.Missing
	case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		c.redirect(&p, document.Moved)
	case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
		c.redirect(&p, document.Elsewhere)
	default:
		p.Seen, p.Why = document.Unread, fmt.Sprintf("HTTP status %d %s", x.status, http.StatusText(x.status))+x.note
		refused(&p, x)
	}
	return p, page.Links{}
}

// refused adds what stands before a page, where an answer says that it may not or
// can't be had.
func refused(p *document.Page, x *exchange) {
	var root *html.Node
	if x.body != nil {
		root, _ = parseHTML(x) // what can't be parsed says nothing
	}
	if w := signs.FindInterstitial(p.URL, x.status, x.header, root); w.Kind != "" {
		p.Interstitial, p.Why = w.Kind, p.Why+": "+w.Why
	}
}

// redirect reads where the answer leads.
func (c *Crawler) redirect(p *document.Page, seen document.Seen) {
	p.Seen = seen
	location := p.Header.Get("Location")
	if location == "" {
		p.Seen, p.Why = document.Unread, fmt.Sprintf("HTTP status %d without a Location", p.Status)
		return
	}
	target, err := c.canon.Resolve(p.URL, location)
	if err != nil {
		p.Why = err.Error()
		return
	}
	p.Target = target
	if signs.AsksForLogin(p.URL, target) {
		p.Seen, p.Interstitial, p.Why = document.Elsewhere, document.HostLoginWall, "redirects to a login page"
	}
}

// body reads a page or file that arrived whole.
func (c *Crawler) body(p document.Page, x *exchange, known document.Known) (document.Page, page.Links) {
	p.Hints = document.Hints{ETag: validator(x.header, "ETag"), LastModified: validator(x.header, "Last-Modified")}
	if sameValidators(p.Hints, known.Hints) {
		p.Claim |= document.ClaimValidator
	}
	switch {
	case x.file:
		return c.file(p, x)
	case page.IsHTML(p.Media) && !c.fileOrigins[weburl.Origin(p.URL)]:
		return c.html(p, x)
	case known.Document && page.IsHTML(p.Media):
		p.Seen, p.Why = document.Unread, "the host of a file answered with a page"
	case known.Document:
		p.Seen, p.Why = document.Unread, fmt.Sprintf("media type %q is neither HTML, PDF, an office file nor a .txt file", p.Media)
	}
	return p, page.Links{} // neither a document nor a page with links: Seen stays empty
}

// validator returns a header's value; of bytes that are no text nothing can be kept.
func validator(header http.Header, name string) string {
	if value := header.Get(name); utf8.ValidString(value) {
		return value
	}
	return ""
}

// sameValidators reports whether the answer carries the validators of the record.
func sameValidators(now, then document.Hints) bool {
	if then.ETag != "" {
		return now.ETag == then.ETag
	}
	return then.LastModified != "" && now.LastModified == then.LastModified
}

func (c *Crawler) file(p document.Page, x *exchange) (document.Page, page.Links) {
	if x.body.Len() == 0 {
		p.Seen, p.Why = document.Unread, "the file is empty"
		return p, page.Links{}
	}
	p.Seen, p.Body = document.Read, x.body.Bytes()
	links := c.headerNoIndex(&p)
	c.readFile(&p, &links)
	return p, links
}

// headerNoIndex obeys an X-Robots-Tag where there is no page to hold directives.
func (c *Crawler) headerNoIndex(p *document.Page) page.Links {
	if len(p.Header.Values("X-Robots-Tag")) == 0 { // as on nearly every 304 of a night
		return page.Links{}
	}
	links := page.ReadLinks(nil, p.URL, p.Header, c.canon, robots.ProductToken(c.opts.agent()))
	c.hide(p, &links)
	return page.Links{NoIndex: links.NoIndex, NoFollow: links.NoFollow}
}

func parseHTML(x *exchange) (*html.Node, error) {
	text, _ := page.Decode(x.body.Bytes(), x.header.Get("Content-Type"))
	return page.Parse(text)
}

func (c *Crawler) html(p document.Page, x *exchange) (document.Page, page.Links) {
	if x.body.Len() == 0 {
		p.Seen, p.Why = document.Unread, "the body is empty"
		return p, page.Links{}
	}
	if bytes.HasPrefix(x.body.Bytes(), []byte("%PDF-")) {
		p.Seen, p.Why = document.Unread, "the body is a PDF, labelled HTML; correct its Content-Type"
		return p, page.Links{}
	}
	root, err := parseHTML(x)
	if err != nil {
		p.Seen, p.Why = document.Unread, fmt.Sprintf("the HTML can't be parsed: %v", err)
		return p, page.Links{}
	}
	return c.tree(p, root, false)
}

// tree reads a page's tree: what stands in its place, its links and directives. What
// a host says of pages that do not exist is looked for where scripts have run.
func (c *Crawler) tree(p document.Page, root *html.Node, rendered bool) (document.Page, page.Links) {
	p.Seen, p.Root, p.Canonical, p.Why = document.Read, root, "", ""
	if w := signs.FindInterstitial(p.URL, p.Status, p.Header, root); w.Kind != "" {
		p.Seen, p.Root, p.Interstitial, p.Why = document.Unread, nil, w.Kind, w.Why
		return p, page.Links{}
	}
	if h := c.hosts[weburl.Origin(p.URL)]; h != nil && h.notFound.Matches(p.URL, root) && (rendered || !c.renders(&p)) {
		p.Seen, p.Root, p.Interstitial, p.Why = document.Missing, nil, document.HostSoft404, document.WhySoft404
		return p, page.Links{}
	}
	links := page.ReadLinks(root, p.URL, p.Header, c.canon, robots.ProductToken(c.opts.agent()))
	p.Alternates = links.Alternates
	if links.Canonical != p.URL {
		p.Canonical = links.Canonical
		if p.Canonical != "" {
			p.Why = "rel=canonical"
		}
	}
	c.hide(&p, &links)
	return p, links
}
