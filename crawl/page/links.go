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
	usualLinks = 96 // of a page, about
	maxRefused = 5  // refused links of one page that are named
)

// Link is a link of a page.
type Link struct {
	URL  string // canonical
	Text string // of a and area: white space folded, at most 200 bytes; may be empty

	NoFollow bool // rel=nofollow
}

// Links is what a page says of other pages, and of how it wants to be
// treated. URLs are canonical; those that have no canonical form are left out.
type Links struct {
	Found      []Link   // in the order of the page; also when NoFollow says not to follow them
	Canonical  string   // of the first rel=canonical in the head, else of the Link header; may be the page itself
	Refresh    string   // the other page that this one leads to by itself within ten seconds
	After      uint64   // seconds until then
	Alternates []string // where the page says it stands in another language (hreflang)
	Refused    []string // why links to the page's own host have no canonical URL, in words; of the first few

	BadCanonical string // why a rel=canonical names no usable URL; empty when it does, and without one
	NoIndex      string // the directive that forbids indexing, in words; empty when none does
	NoFollow     string // the same for following the links

	Until     time.Time // unavailable_after: the page is not to be indexed from then on; zero: it does not say
	UntilSays string    // that directive, in words
	ByHeader  bool      // NoIndex stands in the header alone, of whose changes validators tell nothing
	Unhinted  bool      // what the page says of indexing may change while its validators stand
}

// ReadLinks returns the links and directives of a page; p.Root may be nil when only the
// header counts. Directives are those for all crawlers and those for the
// product token agent (RFC 9309, section 2.2.1). Links to the
// page itself and of other schemes than http are left out, and each address is
// listed once as written.
func ReadLinks(p *document.Page, canon *weburl.Canonicalizer, agent string) Links {
	r := reader{agent: agent, links: make([]Link, 0, usualLinks), seen: make(map[string]int, usualLinks)}
	for n := p.Root; n != nil; n = Next(p.Root, n) {
		if n.Type == html.ElementNode {
			r.readElement(n)
		}
	}
	// A user agent before a colon begins the directives for that agent, to the end of the header line.
	d := &r.directives
	allowed := d.NoIndex == ""
	for _, value := range p.Header.Values("X-Robots-Tag") {
		ours := true
		var list []string
		for directive := range strings.SplitSeq(value, ",") {
			name, rest, found := strings.Cut(directive, ":")
			name = strings.TrimSpace(name)
			if found && !valuedDirective(name) {
				ours = name == "*" || strings.EqualFold(name, "robots") || name != "" && strings.EqualFold(name, r.agent)
				directive = rest
			}
			if ours {
				list = append(list, directive)
			}
		}
		r.obey(strings.Join(list, ","), "X-Robots-Tag: "+value)
	}
	d.ByHeader = allowed && d.NoIndex != ""
	if r.refresh == nil && r.noscript != nil && scriptNames(p.Root, refreshTarget(r.noscript)) {
		r.refresh = r.noscript
	}
	return r.resolve(p, canon)
}

// FileLinks returns the links of a file whose canonical URL is fileURL, without texts.
func FileLinks(hrefs []string, fileURL string, canon *weburl.Canonicalizer) Links {
	var r reader
	for _, href := range hrefs {
		if isFollowable(href) {
			r.links = append(r.links, Link{URL: href})
		}
	}
	return r.resolve(&document.Page{URL: fileURL}, canon)
}

// reader gathers what ReadLinks needs in one walk, with addresses as they are written.
// They are resolved at its end: base may stand behind the first link.
type reader struct {
	agent      string
	links      []Link
	seen       map[string]int // address to its place in links
	alternates []Link         // with a language in place of a text
	lang       string         // of the whole page

	base, canonical string
	refresh         []string // match of the first meta refresh
	noscript        []string // the same of those for browsers without scripts
	directives      Links    // nothing else of it
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
		switch { // a directive counts wherever it stands: those of several add up
		case strings.EqualFold(name, "robots"), name != "" && strings.EqualFold(name, r.agent):
			content := Attr(n, "content")
			content = content[:min(len(content), maxDirectives)]
			r.obey(content, "meta "+strings.ToLower(name)+": "+content)
		case r.refresh == nil:
			if r.refresh = metaRefresh(n); r.refresh != nil {
				r.addLink(refreshTarget(r.refresh), nil) // a page that leads on late has a link
			}
		}
	case atom.Base:
		if r.base == "" {
			r.base = Attr(n, "href")
		}
	}
}

// readLink handles link rel=canonical, alternate, next and prev.
func (r *reader) readLink(n *html.Node) {
	rel, href := Attr(n, "rel"), Attr(n, "href")
	if rel == "" || weburl.Trim(href) == "" {
		return
	}
	switch media := Attr(n, "type"); {
	case HasToken(rel, "canonical"):
		if r.canonical == "" && n.Parent != nil && n.Parent.DataAtom == atom.Head {
			r.canonical = href
		}
	case HasToken(rel, "nofollow"), HasToken(rel, "stylesheet"), !isFollowable(href):
	case HasToken(rel, "next"), HasToken(rel, "prev"), HasToken(rel, "alternate") && (media == "" || strings.Contains(strings.ToLower(media), "html")):
		r.addLink(href, nil)
		if lang := weburl.Trim(Attr(n, "hreflang")); lang != "" && !strings.EqualFold(lang, "x-default") {
			r.alternates = append(r.alternates, Link{URL: href, Text: lang})
		}
	}
}

// addLink keeps href once, whatever its fragment, if it may lead to another page; the first
// text found for it stays.
func (r *reader) addLink(href string, textOf *html.Node) {
	if !isFollowable(href) {
		return
	}
	key := href
	if hash := strings.IndexByte(href, '#'); hash > 0 && href[hash-1] > ' ' {
		key = href[:hash]
	}
	nofollow := textOf != nil && HasToken(Attr(textOf, "rel"), "nofollow")
	at, known := r.seen[key]
	if !known {
		at = len(r.links)
		r.seen[key] = at
		r.links = append(r.links, Link{URL: href, NoFollow: nofollow})
	}
	r.links[at].NoFollow = r.links[at].NoFollow && nofollow
	if textOf != nil && !nofollow && r.links[at].Text == "" {
		r.links[at].Text = linkText(textOf)
	}
}

// isFollowable reports whether href may lead to another page.
func isFollowable(href string) bool {
	href = weburl.Trim(href)
	if href == "" || href[0] == '#' {
		return false
	}
	scheme := weburl.Scheme(href)
	return scheme == "" || strings.EqualFold(scheme, "https:") || strings.EqualFold(scheme, "http:")
}

// resolve makes the addresses canonical that were gathered.
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
		href, base = headerCanonical(p.Header), p.URL // RFC 8288, section 3.2: base does not count
	}
	if href != "" {
		found.Canonical, err = canon.Resolve(base, href)
		if err != nil {
			found.BadCanonical = err.Error()
		}
	}
	return found
}

const maxDirectives = 64 << 10 // bytes of one list of directives that are read

// valuedDirective reports whether the text before a colon is a directive, or part of a date,
// rather than a user agent.
func valuedDirective(name string) bool {
	switch strings.ToLower(name) {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return strings.ContainsAny(name, " \t")
}

// obey takes directives from a list, which stands in words.
func (r *reader) obey(list, words string) {
	d := &r.directives
	words = fmt.Sprintf("%.200s", strings.Join(strings.Fields(words), " "))
	for directive := range strings.FieldsFuncSeq(list, func(c rune) bool { return strings.ContainsRune(",;"+htmlSpace, c) }) {
		switch strings.ToLower(directive) {
		case "noindex":
			d.NoIndex = cmp.Or(d.NoIndex, words)
		case "nofollow":
			d.NoFollow = cmp.Or(d.NoFollow, words)
		case "none":
			d.NoIndex, d.NoFollow = cmp.Or(d.NoIndex, words), cmp.Or(d.NoFollow, words)
		}
	}
	if at := unavailableAfter(list); !at.IsZero() && (d.Until.IsZero() || at.Before(d.Until)) {
		d.Until, d.UntilSays = at, words
	}
}

// captured returns what the groups of a pattern hold, of which one takes part where text
// matches; empty where it doesn't.
func captured(pattern *regexp.Regexp, text string) string {
	match := pattern.FindStringSubmatch(text)
	return strings.Join(match[min(1, len(match)):], "")
}

var (
	linkPattern = regexp.MustCompile(`<([^>]*)>((?:[^",]|"[^"]*(?:"|$))*)`) // an address and its parameters
	relPattern  = regexp.MustCompile(`(?i)^(?:(?:[^"]|"[^"]*")*?;)?\s*rel\s*=\s*"?([^";]*)`)
)

// headerCanonical returns the target of the first rel=canonical in the Link headers (RFC
// 8288, of whose parameters the first rel counts); empty when there is none.
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
