package reading

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sitesync/crawl/page"
	"sitesync/crawl/signs"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// A Reader turns answers into pages. Scripts and ReadFile may be nil; the other functions are required.
type Reader struct {
	Canon     *weburl.Canonicalizer
	Agent     string                                       // product token of the crawler, which directives may name
	Staged    func(url string) bool                        // reports whether a staging host answers for the URL's host
	OnlyFiles func(url string) bool                        // reports whether only files of the host belong to the site
	Absence   func(url string) *signs.Absence              // how the host answers requests for missing pages
	IsStart   func(url string) bool                        // reports whether the URL is a start page
	Scripts   func(root *html.Node) bool                   // reports whether scripts must run before the page is read
	ReadFile  func(*document.Page) (*document.File, error) // reads a file for its links
	Start     time.Time                                    // start of the run, to compare with dates in directives
}

// WhyBreaksOff is the reason of an unread page (its text is unknown) that had </html> in the last run and has
// none now. The next run reads the page even without </html>. Such a page is no failure of its host.
const WhyBreaksOff = "the page breaks off: it has no </html>, and had one before"

// Read turns an answer into a page and the links to follow. known holds the facts of earlier runs. If the
// media type makes no document, or if it is HTML and only files of this host belong to the site, the page's
// Seen is Unread if the index holds a document for the URL, else LeftOut.
func (r *Reader) Read(a *Answer, known document.Known) (document.Page, page.Links) {
	p := document.Page{URL: a.URL, Status: a.Status, Header: a.Header, Media: a.Media, Ended: known.Ended, Known: known}
	if a.Fault != "" {
		return unread(p, a.Fault)
	}
	alive := a.Status == http.StatusOK || a.Status == http.StatusNotModified
	if alive && a.Header.Get("Refresh") != "" && r.leadOn(&p, page.ReadLinks(&p, r.Canon, r.Agent)) {
		return p, page.Links{}
	}
	switch a.Status {
	case http.StatusOK:
		return r.readBody(p, a, known)
	case http.StatusNotModified:
		if !a.Conditional {
			return unread(p, "HTTP status 304 to a request without conditions")
		}
		p.Seen, p.Claim = document.Kept, document.ClaimValidator
		links := r.obeyHeader(&p)
		return p, links
	case http.StatusGone:
		p.Seen = document.Gone
	case http.StatusNotFound:
		p.Seen = document.Missing
	case http.StatusMovedPermanently, http.StatusPermanentRedirect:
		r.readRedirect(&p, document.Moved, p.Header.Get("Location"))
	case http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect:
		r.readRedirect(&p, document.Elsewhere, p.Header.Get("Location"))
	default:
		p.Seen, p.Why = document.Unread, fmt.Sprintf("HTTP status %d %s", a.Status, http.StatusText(a.Status))+a.Note
		p.Refusal = refusal(a.Status)
		var root *html.Node
		if a.Body != nil {
			root, _, _ = a.Parse() // if the HTML can't be parsed, only the status and header are examined
		}
		if kind, why := signs.FindInterstitial(p.URL, a.Status, a.Header, root); kind != "" {
			p.Interstitial, p.Why = kind, p.Why+": "+why
			// a bot guard answered in place of the server, so the server refused nothing
			if kind == document.BotGuard {
				p.Refusal = document.RefusedNot
			}
		}
	}
	return p, page.Links{}
}

// refusal returns the kind of refusal that an HTTP status means. A status that asks the client to try again
// later is no refusal.
func refusal(status int) document.Refusal {
	switch {
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests:
	case status == http.StatusUnavailableForLegalReasons:
		return document.RefusedLegal
	case status >= 500:
		return document.RefusedServer
	case status >= 400:
		return document.RefusedClient
	}
	return document.RefusedNot
}

func refuse(p document.Page, kind document.Refusal, why string) (document.Page, page.Links) {
	p.Refusal = kind
	return unread(p, why)
}

func unread(p document.Page, why string) (document.Page, page.Links) {
	p.Seen, p.Why = document.Unread, why
	return p, page.Links{}
}

func (r *Reader) readRedirect(p *document.Page, seen document.Seen, location string) {
	p.Seen = seen
	if location == "" {
		p.Seen, p.Why = document.Unread, fmt.Sprintf("HTTP status %d without a Location", p.Status)
		return
	}
	target, err := r.Canon.Resolve(p.URL, location)
	if err != nil {
		p.Why = err.Error()
		return
	}
	p.Target = target
	if signs.AsksForLogin(p.URL, target) {
		p.Seen, p.Interstitial, p.Why = document.Elsewhere, document.LoginWall, "redirects to a login page"
		p.Refusal = document.RefusedLogin
	}
}

// leadOn turns a page with an automatic refresh (header or meta element) into a redirect, and reports whether
// it did. A refresh after at most a second becomes a permanent redirect, a later one a temporary redirect.
// The page then has no content, ETag and Last-Modified.
func (r *Reader) leadOn(p *document.Page, links page.Links) bool {
	if links.Refresh == "" || signs.FindGuard(p.Header) != "" {
		return false
	}
	p.Status, p.Root, p.Hints, p.Claim = http.StatusOK, nil, document.Hints{}, 0 // a 304 confirms an earlier 200
	seen := document.Moved
	if links.After > 1 {
		seen = document.Elsewhere
	}
	r.readRedirect(p, seen, links.Refresh)
	return true
}

func (r *Reader) readBody(p document.Page, a *Answer, known document.Known) (document.Page, page.Links) {
	p.Hints = document.Hints{ETag: validator(a.Header, "ETag"), LastModified: validator(a.Header, "Last-Modified")}
	same := known.Hints.LastModified != "" && p.Hints.LastModified == known.Hints.LastModified
	if known.Hints.ETag != "" {
		same = p.Hints.ETag == known.Hints.ETag
	}
	if same {
		p.Claim |= document.ClaimValidator
	}
	switch isPage := document.IsHTML(p.Media); {
	case a.File && len(a.Body) == 0:
		return refuse(p, document.RefusedEmpty, "the file is empty")
	case a.File:
		return r.readFile(p, a)
	case isPage && !r.OnlyFiles(p.URL):
		return r.readHTML(p, a, known)
	case isPage:
		p.Seen, p.Why = document.Unread, "the host of a file answered with a page"
	default:
		p.Seen, p.Refusal, p.Why = document.Unread, document.RefusedType, document.WhyNoDocument(p.Media)
	}
	if !known.Document {
		p.Seen, p.Refusal = document.LeftOut, document.RefusedNot
	}
	return p, page.Links{}
}

// maxValidator is the longest ETag or Last-Modified that is kept, in bytes. Servers refuse requests with long
// headers, so a page with a longer ETag could not be read on any later run.
const maxValidator = 1024

func validator(header http.Header, name string) string {
	if value := header.Get(name); len(value) <= maxValidator && utf8.ValidString(value) {
		return value
	}
	return ""
}

func (r *Reader) readHTML(p document.Page, a *Answer, known document.Known) (document.Page, page.Links) {
	p.Ended = hasEnd(a.Body)
	switch {
	case len(a.Body) == 0:
		return refuse(p, document.RefusedEmpty, "the body is empty")
	case len(a.Body) >= 5 && string(a.Body[:5]) == "%PDF-":
		return unread(p, "the body is a PDF, labelled HTML; correct its Content-Type")
	}
	root, is, err := a.Parse()
	p.Charset = is
	if err != nil {
		return unread(p, fmt.Sprintf("the HTML can't be parsed: %v", err))
	}
	read, links := r.readTree(p, root, false)
	if known.Ended && !p.Ended && read.Target == "" { // a page with an automatic refresh may lack </html>
		p.Root = root
		return unread(p, WhyBreaksOff)
	}
	return read, links
}

// hasEnd reports whether a page has </html>, in upper or lower case. It makes no lower-case copy of the body,
// because the copy of a body that is not UTF-8 may be three times as large.
func hasEnd(body []byte) bool {
	end := []byte("</html")
	at := bytes.LastIndex(body, end[:2])
	for at >= 0 && !bytes.EqualFold(body[at:min(len(body), at+len(end))], end) {
		at = bytes.LastIndex(body[:at], end[:2])
	}
	return at >= 0
}

// Waits reports whether scripts must run before a fetched page can be read.
func (r *Reader) Waits(p *document.Page) bool {
	fetched := p.Seen == document.Read && p.Root != nil && p.Status == http.StatusOK
	return fetched && r.Scripts != nil && r.Scripts(p.Root)
}

// ReadRendered reads text, the HTML that the scripts of page p made. The directives in before, which were
// found before the scripts ran, still apply. take reserves memory; nil: no limit.
func (r *Reader) ReadRendered(
	p document.Page, before page.Links, text string, take func(bytes int64) error,
) (document.Page, page.Links) {
	root, _, err := page.Parse([]byte(text), "text/html; charset=utf-8", take)
	if err != nil {
		p.Root = nil
		return unread(p, "rendering: "+err.Error())
	}
	p, links := r.readTree(p, root, true)
	links.NoFollow, links.NoIndex = cmp.Or(before.NoFollow, links.NoFollow), cmp.Or(before.NoIndex, links.NoIndex)
	return p, links
}

// readTree reads a page's HTML tree: signs of a login page or the like, links and directives. When no scripts
// are left to run, it compares the page with the host's answer for missing pages. A page that matches is
// missing. But some sites show their start page in place of missing pages. So a start page that matches is
// missing only if the index holds it and the host gives that answer with status 200.
func (r *Reader) readTree(p document.Page, root *html.Node, rendered bool) (document.Page, page.Links) {
	p.Seen, p.Root, p.Canonical, p.Why = document.Read, root, "", ""
	if kind, why := signs.FindInterstitial(p.URL, p.Status, p.Header, root); kind != "" {
		p.Root, p.Interstitial = nil, kind
		if kind == document.LoginWall {
			p.Refusal = document.RefusedLogin
		}
		return unread(p, why)
	}
	links := page.ReadLinks(&p, r.Canon, r.Agent)
	if r.leadOn(&p, links) {
		return p, page.Links{}
	}
	if absent := r.Absence(p.URL).Match(p.URL, root); absent != nil && (rendered || !r.Waits(&p)) {
		p.Interstitial = document.Soft404
		if !r.IsStart(p.URL) || !absent.Refused && p.Known.Document {
			p.Seen, p.Why = document.Missing, document.WhySoft404
			return p, page.Links{}
		}
	}
	p.Alternates = links.Alternates
	if links.Canonical != p.URL && links.Canonical != "" {
		p.Canonical, p.Why = links.Canonical, document.WhyCanonical
	}
	r.obey(&p, &links)
	return p, links
}

func (r *Reader) obeyHeader(p *document.Page) page.Links {
	if len(p.Header.Values("X-Robots-Tag")) == 0 {
		return page.Links{}
	}
	links := page.ReadLinks(p, r.Canon, r.Agent)
	r.obey(p, &links)
	return page.Links{NoIndex: links.NoIndex, NoFollow: links.NoFollow, Unhinted: links.Unhinted}
}

// obey applies a noindex directive, which may begin on a given day. On a staging host, obey ignores noindex,
// and a nofollow beside it: they often serve only to keep the staging host out of public search.
func (r *Reader) obey(p *document.Page, links *page.Links) {
	switch {
	case links.NoIndex != "" || links.Until.IsZero():
	case r.Start.Before(links.Until):
		links.Unhinted = true // use no ETag or Last-Modified next time: a 304 would hide that noindex has begun
	default:
		links.NoIndex = links.UntilSays
	}
	switch {
	case links.NoIndex == "":
	case r.Staged(p.URL):
		links.NoFollow = ""
	default:
		p.Seen, p.Why, p.Canonical = document.NoIndex, links.NoIndex, ""
	}
}
