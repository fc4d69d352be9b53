package page

import (
	"net/http"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/internal/weburl"
)

// Link is a link of a page.
type Link struct {
	URL  string // canonical
	Text string // of a and area: white space folded, at most 200 bytes; may be empty
}

// Links is what a page says of other pages, and of how it wants to be
// treated. URLs are canonical; those that have no canonical form are left out.
type Links struct {
	Found     []Link // in the order of the page; also when NoFollow says not to follow them
	Canonical string // of the first rel=canonical in the head, else of the Link header; may be the page itself
	Refresh   string // target of a meta refresh, when it is another page

	Alternates []string // where the page says it stands in another language (hreflang)

	Refused []string // why links have no canonical URL, in words; of the first few

	BadCanonical string // why a rel=canonical names no usable URL; empty when it does or there is none
	NoIndex      string // the directive that forbids indexing, in words; empty when none does
	NoFollow     string // the same for following the links
}

// ReadLinks returns the links and directives of the page root, whose canonical
// URL is pageURL and which came with header; root may be nil when only the
// header counts. Directives are those for all crawlers and those for the
// product token agent (RFC 9309, section 2.2.1). Links with rel=nofollow, to the page itself and of other
// schemes than http are left out, and each address is listed once as written.
func ReadLinks(root *html.Node, pageURL string, header http.Header, canon *weburl.Canonicalizer, agent string) Links {
	r := linkReader{agent: agent, links: make([]Link, 0, usualLinks), seen: make(map[string]int, usualLinks)}
	for n := root; n != nil; n = Next(root, n) {
		if n.Type == html.ElementNode {
			r.element(n)
		}
	}
	r.robotsHeader(header)
	return r.resolve(canon, pageURL, header)
}

// Next returns the node after n in document order below root. The contents
// of templates are no part of the page.
func Next(root, n *html.Node) *html.Node {
	if n.FirstChild != nil && n.DataAtom != atom.Template {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		if n = n.Parent; n == nil {
			return nil
		}
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

// usualLinks is how many links a page of a site has, about.
const usualLinks = 96

// linkReader gathers what ReadLinks needs in one walk. Nothing is resolved
// before its end: base may stand behind the first link.
type linkReader struct {
	agent string
	links []Link         // URL as written, until the end
	seen  map[string]int // that to its place in links

	base, canonical, refresh string // as written
	noIndex, noFollow        string
	lang                     string // of the whole page
	alternates               []Link // with a language in place of a text
}

func (r *linkReader) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		r.lang = Attr(n, "lang")
	case atom.A, atom.Area:
		r.anchor(n)
	case atom.Iframe, atom.Frame:
		if src := Attr(n, "src"); followable(src) {
			r.add(src, nil)
		}
	case atom.Link:
		r.linkElement(n)
	case atom.Meta:
		r.meta(n)
	case atom.Base:
		if r.base == "" {
			r.base = Attr(n, "href")
		}
	}
}

func (r *linkReader) anchor(n *html.Node) {
	href := Attr(n, "href")
	if followable(href) && !HasToken(Attr(n, "rel"), "nofollow") {
		r.add(href, n)
	}
}

// linkElement handles link rel=canonical, alternate, next and prev.
func (r *linkReader) linkElement(n *html.Node) {
	rel, href := Attr(n, "rel"), Attr(n, "href")
	if rel == "" || weburl.Trim(href) == "" {
		return
	}
	switch {
	case HasToken(rel, "canonical"):
		if r.canonical == "" && n.Parent != nil && n.Parent.DataAtom == atom.Head {
			r.canonical = href
		}
	case HasToken(rel, "nofollow"), HasToken(rel, "stylesheet"), !followable(href):
	case HasToken(rel, "next"), HasToken(rel, "prev"), HasToken(rel, "alternate") && namesHTML(Attr(n, "type")):
		r.add(href, nil)
		if lang := weburl.Trim(Attr(n, "hreflang")); lang != "" && !strings.EqualFold(lang, "x-default") {
			r.alternates = append(r.alternates, Link{URL: href, Text: lang})
		}
	}
}

// add keeps href, once but for its fragment; the first text found for it stays.
func (r *linkReader) add(href string, textOf *html.Node) {
	key := href
	if hash := strings.IndexByte(href, '#'); hash > 0 && href[hash-1] > ' ' {
		key = href[:hash]
	}
	at, known := r.seen[key]
	if !known {
		at = len(r.links)
		r.seen[key] = at
		r.links = append(r.links, Link{URL: href})
	}
	if textOf != nil && r.links[at].Text == "" {
		r.links[at].Text = linkText(textOf)
	}
}

// followable reports whether href may lead to another page.
func followable(href string) bool {
	href = weburl.Trim(href)
	if href == "" || href[0] == '#' {
		return false
	}
	scheme := weburl.Scheme(href)
	return scheme == "" || strings.EqualFold(scheme, "https:") || strings.EqualFold(scheme, "http:")
}

// Attr returns the value of the first attribute key of n.
func Attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HasToken reports whether the space-separated list holds word, in any case.
func HasToken(list, word string) bool {
	if len(list) < len(word) {
		return false // nearly always
	}
	for token := range strings.FieldsSeq(list) {
		if strings.EqualFold(token, word) {
			return true
		}
	}
	return false
}

// namesHTML reports whether a media type is, or may be, that of a page.
func namesHTML(media string) bool {
	return media == "" || strings.Contains(strings.ToLower(media), "html")
}
