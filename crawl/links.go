package crawl

import (
	"net/http"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/robots"
	"sitesync/internal/weburl"
)

// FoundLink is a link of a page.
type FoundLink struct {
	URL  string // canonical
	Text string // of a and area: white space folded, at most 200 bytes; may be empty
}

// PageLinks is what a page says of other pages, and of how it wants to be
// treated. URLs are canonical; those that have no canonical form are left out.
type PageLinks struct {
	Links     []FoundLink // in the order of the page; also when NoFollow says not to follow them
	Canonical string      // of the first rel=canonical in the head, else of the Link header; may be the page itself
	Refresh   string      // target of a meta refresh, when it is another page

	Alternates []string // where the page says it stands in another language (hreflang)

	Refused []string // why links have no canonical URL, in words; of the first few

	BadCanonical string // why a rel=canonical names no usable URL; empty when it does or there is none
	NoIndex      string // the directive that forbids indexing, in words; empty when none does
	NoFollow     string // the same for following the links
}

// ReadLinks returns the links and directives of the page root, whose canonical
// URL is pageURL and which came with header; root may be nil when only the
// header counts. Directives are those for all crawlers and those for the
// product token agent. Links with rel=nofollow, to the page itself and of other
// schemes than http are left out, and each address is listed once as written.
func ReadLinks(root *html.Node, pageURL string, header http.Header, canon *weburl.Canonicalizer, agent string) PageLinks {
	r := linkReader{agent: robots.ProductToken(agent), links: make([]FoundLink, 0, usualLinks), seen: make(map[string]int, usualLinks)}
	for n := root; n != nil; n = nextNode(root, n) {
		if n.Type == html.ElementNode {
			r.element(n)
		}
	}
	r.robotsHeader(header)
	return r.resolve(canon, pageURL, header)
}

// nextNode returns the node after n in document order below root. The contents
// of templates are no part of the page.
func nextNode(root, n *html.Node) *html.Node {
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
	links []FoundLink    // URL as written, until the end
	seen  map[string]int // that to its place in links

	base, canonical, refresh string // as written
	noIndex, noFollow        string
	lang                     string      // of the whole page
	alternates               []FoundLink // with a language in place of a text
}

func (r *linkReader) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		r.lang = nodeAttr(n, "lang")
	case atom.A, atom.Area:
		r.anchor(n)
	case atom.Iframe, atom.Frame:
		if src := nodeAttr(n, "src"); followable(src) {
			r.add(src, nil)
		}
	case atom.Link:
		r.linkElement(n)
	case atom.Meta:
		r.meta(n)
	case atom.Base:
		if r.base == "" {
			r.base = nodeAttr(n, "href")
		}
	}
}

func (r *linkReader) anchor(n *html.Node) {
	href := nodeAttr(n, "href")
	if followable(href) && !hasToken(nodeAttr(n, "rel"), "nofollow") {
		r.add(href, n)
	}
}

// linkElement handles link rel=canonical, alternate, next and prev.
func (r *linkReader) linkElement(n *html.Node) {
	rel, href := nodeAttr(n, "rel"), nodeAttr(n, "href")
	if rel == "" || weburl.Trim(href) == "" {
		return
	}
	switch {
	case hasToken(rel, "canonical"):
		if r.canonical == "" && n.Parent != nil && n.Parent.DataAtom == atom.Head {
			r.canonical = href
		}
	case hasToken(rel, "nofollow"), hasToken(rel, "stylesheet"), !followable(href):
	case hasToken(rel, "next"), hasToken(rel, "prev"), hasToken(rel, "alternate") && namesHTML(nodeAttr(n, "type")):
		r.add(href, nil)
		if lang := weburl.Trim(nodeAttr(n, "hreflang")); lang != "" && !strings.EqualFold(lang, "x-default") {
			r.alternates = append(r.alternates, FoundLink{URL: href, Text: lang})
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
		r.links = append(r.links, FoundLink{URL: href})
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

// nodeAttr returns the value of the first attribute key of n.
func nodeAttr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// hasToken reports whether the space-separated list holds word, in any case.
func hasToken(list, word string) bool {
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
