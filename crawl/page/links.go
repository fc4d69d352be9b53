package page

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	usualLinks = 96
	maxRefused = 5
)

// Link is one link of a page.
type Link struct {
	URL  string // in canonical form
	Text string // text of an <a> or <area> element, white space folded, at most 200 bytes; may be empty

	NoFollow bool // rel=nofollow
}

// Links holds a page's links and directives for crawlers. Addresses without a canonical form are left out.
type Links struct {
	Found      []Link   // in document order; also filled if Links.NoFollow is set
	Canonical  string   // target of rel=canonical, from the head or the Link header; may be the page itself
	Refresh    string   // target of an automatic refresh within ten seconds (header or meta element)
	After      uint64   // seconds until Refresh applies
	Alternates []string // other language versions of the page (hreflang)
	Refused    []string // reasons why links to the page's own host were refused; at most maxRefused

	BadCanonical string // the reason why rel=canonical names no usable URL; otherwise empty
	NoIndex      string // the directive that forbids indexing, as text; empty: indexing is allowed
	NoFollow     string // the directive that forbids following links, as text; empty: following is allowed

	Until     time.Time // time in unavailable_after, from which the page must not be indexed; zero: no time
	UntilSays string    // the directive unavailable_after, as text
	Unhinted  bool      // ETag and Last-Modified may miss a change of noindex, so they must not be used
}

// ReadLinks returns the links and directives of a page. If p.Root is nil, it reads only the header. Of links
// written alike, it returns only one. It leaves out links to the page itself, and links with a scheme
// other than http and https. Directives count if they are for all crawlers, or for agent, a product token
// (RFC 9309, section 2.2.1).
func ReadLinks(p *document.Page, canon *weburl.Canonicalizer, agent string) Links {
	r := reader{agent: agent, links: make([]Link, 0, usualLinks), linkIndex: make(map[string]int, usualLinks)}
	for n := p.Root; n != nil; n = Next(p.Root, n) {
		if n.Type == html.ElementNode {
			r.readElement(n)
		}
	}
	// In X-Robots-Tag, a user agent and a colon begin the directives for that agent, to the end of the line.
	d := &r.directives
	allowed := d.NoIndex == ""
	for _, value := range p.Header.Values("X-Robots-Tag") {
		ours := true
		var list []string
		for directive := range strings.SplitSeq(value, ",") {
			name, rest, found := strings.Cut(directive, ":")
			name = strings.TrimSpace(name)
			if found && !valuedDirective(name) {
				ours, directive = name == "*" || r.isFor(name), rest
			}
			if ours {
				list = append(list, directive)
			}
		}
		r.obey(strings.Join(list, ","), "X-Robots-Tag: "+value)
	}
	d.Unhinted = allowed && d.NoIndex != ""
	if r.refresh == nil && r.noscript != nil && scriptNames(p.Root, refreshTarget(r.noscript)) {
		r.refresh = r.noscript
	}
	return r.resolve(p, canon)
}

// FileLinks returns the links of a file whose canonical URL is fileURL. The links have no texts.
func FileLinks(hrefs []string, fileURL string, canon *weburl.Canonicalizer) Links {
	var r reader
	for _, href := range hrefs {
		if isFollowable(href) {
			r.links = append(r.links, Link{URL: href})
		}
	}
	return r.resolve(&document.Page{URL: fileURL}, canon)
}

// reader gathers the links and directives of a page in one walk. Addresses stay as written until resolve,
// because the base element may follow the first link.
type reader struct {
	agent      string
	links      []Link
	linkIndex  map[string]int
	alternates []Link // other language versions; Text holds the language
	lang       string

	base, canonical string
	refresh         []string // match of refreshPattern in the first meta refresh
	noscript        []string // match of refreshPattern in the first meta refresh inside a noscript element
	directives      Links
}

func (r *reader) isFor(name string) bool {
	return strings.EqualFold(name, "robots") || name != "" && strings.EqualFold(name, r.agent)
}

func (r *reader) readElement(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		r.lang = Attr(n, "lang")
	case atom.A, atom.Area:
		r.addLink(Attr(n, "href"), n)
	case atom.Iframe, atom.Frame:
		r.addLink(Attr(n, "src"), nil)
	case atom.Noscript:
		r.readNoscript(n)
	case atom.Link:
		r.readLink(n)
	case atom.Meta:
		name := strings.TrimSpace(Attr(n, "name"))
		switch { // directives count anywhere in the page; the directives of several elements add up
		case r.isFor(name):
			content := Attr(n, "content")
			content = content[:min(len(content), maxDirectiveBytes)]
			r.obey(content, "meta "+strings.ToLower(name)+": "+content)
		case r.refresh == nil:
			if r.refresh = metaRefresh(n); r.refresh != nil {
				r.addLink(refreshTarget(r.refresh), nil) // a slow refresh is no redirect, but still a link
			}
		}
	case atom.Base:
		if r.base == "" {
			r.base = Attr(n, "href")
		}
	}
}

func (r *reader) readLink(n *html.Node) {
	rel, href := Attr(n, "rel"), Attr(n, "href")
	if rel == "" || weburl.Trim(href) == "" {
		return
	}
	media := strings.ToLower(Attr(n, "type"))
	switch isPage := media == "" || strings.Contains(media, "html"); {
	case HasToken(rel, "canonical"):
		if r.canonical == "" && n.Parent != nil && n.Parent.DataAtom == atom.Head {
			r.canonical = href
		}
	case HasToken(rel, "nofollow"), HasToken(rel, "stylesheet"), !isFollowable(href):
	case HasToken(rel, "next"), HasToken(rel, "prev"), HasToken(rel, "alternate") && isPage:
		r.addLink(href, nil)
		if lang := weburl.Trim(Attr(n, "hreflang")); lang != "" && !strings.EqualFold(lang, "x-default") {
			r.alternates = append(r.alternates, Link{URL: href, Text: lang})
		}
	}
}

// addLink keeps href if it may lead to another page: each address once, with the first text found.
func (r *reader) addLink(href string, textOf *html.Node) {
	if !isFollowable(href) {
		return
	}
	key := href
	if hash := strings.IndexByte(href, '#'); hash > 0 && href[hash-1] > ' ' {
		key = href[:hash]
	}
	nofollow := textOf != nil && HasToken(Attr(textOf, "rel"), "nofollow")
	at, known := r.linkIndex[key]
	if !known {
		at = len(r.links)
		r.linkIndex[key] = at
		r.links = append(r.links, Link{URL: href, NoFollow: nofollow})
	}
	r.links[at].NoFollow = r.links[at].NoFollow && nofollow
	if textOf != nil && !nofollow && r.links[at].Text == "" {
		r.links[at].Text = linkText(textOf)
	}
}

func isFollowable(href string) bool {
	href = weburl.Trim(href)
	if href == "" || href[0] == '#' {
		return false
	}
	scheme := weburl.Scheme(href)
	return scheme == "" || strings.EqualFold(scheme, "https:") || strings.EqualFold(scheme, "http:")
}

func (r *reader) resolve(p *document.Page, canon *weburl.Canonicalizer) Links {
	base, err := canon.Resolve(p.URL, r.base)
	if r.base == "" || err != nil {
		base = p.URL
	}
	resolve := func(href string) (string, error) { return canon.Resolve(base, inCharset(p.Charset.Name, href)) }
	found := r.directives
	found.Found = r.links[:0]
	for _, link := range r.links {
		target, err := resolve(link.URL)
		switch {
		case err != nil && len(found.Refused) < maxRefused && !link.NoFollow && !weburl.NamesOther(p.URL, link.URL):
			found.Refused = append(found.Refused, err.Error())
		case err == nil && target != p.URL:
			found.Found = append(found.Found, Link{URL: target, Text: link.Text, NoFollow: link.NoFollow})
		}
	}
	for _, link := range r.alternates {
		if target, err := resolve(link.URL); err == nil && target != p.URL && !strings.EqualFold(link.Text, r.lang) {
			found.Alternates = append(found.Alternates, target)
		}
	}
	lead, refresh := resolve, r.refresh
	if named := refreshPattern.FindStringSubmatch(p.Header.Get("Refresh")); named != nil {
		lead, refresh = func(href string) (string, error) { return canon.Resolve(p.URL, href) }, named
	}
	found.leadOn(p.URL, refresh, lead)
	href := inCharset(p.Charset.Name, r.canonical)
	if href == "" {
		href, base = headerCanonical(p.Header), p.URL // RFC 8288, section 3.2: the base element does not count
	}
	if href != "" {
		found.Canonical, err = canon.Resolve(base, href)
		if err != nil {
			found.BadCanonical = err.Error()
		}
	}
	return found
}

const maxDirectiveBytes = 64 << 10

// valuedDirective reports whether name, the text before a colon, is a directive with a value (max-snippet) or
// a part of a date. Otherwise name is a user agent.
func valuedDirective(name string) bool {
	switch strings.ToLower(name) {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return strings.ContainsAny(name, " \t")
}

// obey records the directives of list. It stores the parameter text in NoIndex, NoFollow and UntilSays.
func (r *reader) obey(list, text string) {
	d := &r.directives
	text = fmt.Sprintf("%.200s", strings.Join(strings.Fields(text), " "))
	separates := func(c rune) bool { return strings.ContainsRune(",;"+htmlSpace, c) }
	for directive := range strings.FieldsFuncSeq(list, separates) {
		switch strings.ToLower(directive) {
		case "noindex":
			d.NoIndex = cmp.Or(d.NoIndex, text)
		case "nofollow":
			d.NoFollow = cmp.Or(d.NoFollow, text)
		case "none":
			d.NoIndex, d.NoFollow = cmp.Or(d.NoIndex, text), cmp.Or(d.NoFollow, text)
		}
	}
	if at := unavailableAfter(list); !at.IsZero() && (d.Until.IsZero() || at.Before(d.Until)) {
		d.Until, d.UntilSays = at, text
	}
}

// captured returns the text of the only group of pattern that took part in a match; "" without a match.
func captured(pattern *regexp.Regexp, text string) string {
	match := pattern.FindStringSubmatch(text)
	return strings.Join(match[min(1, len(match)):], "")
}

var (
	linkPattern = regexp.MustCompile(`<([^>]*)>((?:[^",]|"[^"]*(?:"|$))*)`) // one link in a Link header
	relPattern  = regexp.MustCompile(`(?i)^(?:(?:[^"]|"[^"]*")*?;)?\s*rel\s*=\s*"?([^";]*)`)
)

// headerCanonical returns the target of the first rel=canonical in the Link headers, or "". RFC 8288 counts
// only the first rel parameter of a link.
func headerCanonical(header http.Header) string {
	for _, value := range header.Values("Link") {
		for _, link := range linkPattern.FindAllStringSubmatch(value, -1) {
			rel := relPattern.FindStringSubmatch(link[2])
			if weburl.Trim(link[1]) != "" && rel != nil && HasToken(rel[1], "canonical") {
				return link[1]
			}
		}
	}
	return ""
}
